import type { VenueEvent } from "../../../../protocol/events.ts";
import { INTENT_STATE } from "../../../../protocol/words.ts";
import { fail } from "./foldError.ts";
import type { FoldedVenue } from "./folded.ts";

type IntentEvent = Extract<
  VenueEvent,
  {
    kind:
      | "intentPlaced"
      | "intentArmed"
      | "intentTrailed"
      | "intentResized"
      | "intentTriggered"
      | "intentSliced"
      | "intentExecuted"
      | "intentFailed"
      | "intentCancelled"
      | "intentExpired";
  }
>;

/** Folds an event of an intent (EVT-3). Its trigger is checked from the block after the one that the event names. */
export function applyIntentEvent(venue: FoldedVenue, event: IntentEvent, texts: readonly string[]): void {
  const { intents, height } = venue;
  if (event.kind === "intentPlaced") {
    if (intents.has(event.intent)) fail(event, "the intent exists already");
    const { kind: _event, intent, way, client, ...fields } = event;
    const armedHeight = event.state === INTENT_STATE.armed ? height : 0;
    const values = { ...fields, id: intent, kind: way, filled: 0, sliced: 0, armedHeight };
    intents.set(intent, { values, client: client < 0 ? "" : texts[client]! });
    return;
  }
  const { values } = intents.get(event.intent) ?? fail(event, "there is no such intent");
  switch (event.kind) {
    case "intentArmed":
      if (values["state"] === INTENT_STATE.waiting) values["armedHeight"] = height;
      Object.assign(values, {
        state: INTENT_STATE.armed,
        size: event.size,
        trigger: event.trigger,
        extreme: event.extreme,
      });
      return;
    case "intentTrailed":
      Object.assign(values, { trigger: event.trigger, extreme: event.extreme });
      return;
    case "intentResized":
      Object.assign(values, { state: event.state, size: event.size, filled: event.filled });
      return;
    case "intentTriggered":
      Object.assign(values, { state: INTENT_STATE.triggered, size: event.size });
      return;
    case "intentSliced":
      Object.assign(values, { sliced: event.slice, size: event.left, filled: event.filled });
      return;
    default:
      intents.delete(event.intent);
  }
}
