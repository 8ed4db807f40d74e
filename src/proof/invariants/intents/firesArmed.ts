import { EVENT_CODES } from "../../../protocol/events.ts";
import { INTENT_STATE } from "../../../protocol/words.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";

export const firesArmed = defineInvariant<Map<number, number>>({
  id: "firesArmed",
  sentence: "An intent fires at most once, only when armed, and never in the block that armed it.",
  rules: ["INT-1"],
  catalogue: ["T08"],
  when: "events",
  kinds: ["intentPlaced", "intentArmed", "intentTriggered"],
  start: readArmed,
  event(moment, at, armed) {
    const { data, block } = moment;
    const intent = data[at + 1]!;
    if (data[at] === EVENT_CODES.intentPlaced) {
      if (data[at + AT.intentPlaced.state] === INTENT_STATE.armed) armed.set(intent, block.height);
      return undefined;
    }
    if (data[at] === EVENT_CODES.intentArmed) {
      if (!armed.has(intent)) armed.set(intent, block.height);
      return undefined;
    }
    moment.met++;
    const since = armed.get(intent);
    armed.delete(intent);
    if (since === undefined) return `intent ${intent} fires and is not armed`;
    return since < block.height ? undefined : `intent ${intent} fires in the block that armed it`;
  },
});

/** Heights at which intents were armed. */
function readArmed({ intents }: State): Map<number, number> {
  const armed = new Map<number, number>();
  for (let row = 0 as never; row < intents.rows.high; row++) {
    if (intents.rows.isLive(row) && intents.state[row] === INTENT_STATE.armed)
      armed.set(intents.id[row]!, intents.armedHeight[row]!);
  }
  return armed;
}
