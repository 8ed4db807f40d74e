import type { Event } from "../../../client/api/schemas/transactions.ts";
import { EVENT_KINDS, events, type VenueEvent } from "../../../protocol/events.ts";
import { readEvent } from "../../../venue/engine/events/readEvents.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { type EventValue, readEventValues } from "../../../venue/simulation/explain/eventValues.ts";
import { joinWords } from "../../../venue/simulation/explain/joinWords.ts";
import type { Models } from "../../history/history.ts";
import { type EventPlace, nameEvent } from "../../history/walkEvents.ts";
import type { BlockEntry } from "../../host/host.ts";

/** Resolves the ids that events carry. */
export interface EventNames extends Pick<Models, "orders" | "intents"> {
  readonly state: State;
}

/** @param at its offset in the block's event data */
export function viewEvent(
  { state, orders, intents }: EventNames,
  entry: BlockEntry,
  at: number,
  { height, txIndex, eventIndex }: EventPlace,
): Event {
  const marketOf = (id: number) => orders.find(id)?.market ?? intents.find(id)?.market;
  const event = readEvent(entry.events, at);
  const values = readEventValues({ state, texts: entry.texts, marketOf }, event);
  const units = listUnits(event, values);
  return {
    eventId: nameEvent({ height, txIndex, eventIndex }),
    kind: EVENT_KINDS[entry.events[at]!]!,
    height,
    txIndex,
    eventIndex,
    txId: entry.ids[txIndex] ?? null,
    fields: joinWords(values),
    ...(units === undefined ? {} : { units }),
  };
}

/** Lots and ticks that cannot become sizes or prices, because the market is no longer known. */
function listUnits(
  event: VenueEvent,
  values: Readonly<Record<string, EventValue>>,
): Record<string, number> | undefined {
  let units: Record<string, number> | undefined;
  for (const [name, unit] of Object.entries(events[event.kind].fields)) {
    if (values[name] !== null || (unit !== "lots" && unit !== "ticks")) continue;
    units ??= {};
    units[name] = (event as unknown as Readonly<Record<string, number>>)[name]!;
  }
  return units;
}
