import { NONE } from "../../../ground/collections/table.ts";
import { EVENT_CODES, INTENT_CAUSE } from "../../../protocol/events.ts";
import { EVENT_WIDTHS } from "../../../venue/engine/events/readEvents.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";

export const entryKeepsLegs = defineInvariant<Map<number, number>>({
  id: "entryKeepsLegs",
  sentence:
    "Legs of an entry order have no good-til. While the entry rests, none of them ends unless the owner cancels the leg.",
  rules: ["INT-5", "INT-6"],
  catalogue: ["T08"],
  when: "transaction",
  kinds: ["intentPlaced", "intentExecuted", "intentFailed", "intentCancelled", "intentExpired"],
  start: readEntries,
  touched(moment, entries) {
    const { data, state } = moment;
    for (let at = moment.from; at < moment.to; at += EVENT_WIDTHS[data[at]!]!) {
      const intent = data[at + 1]!;
      if (data[at] === EVENT_CODES.intentPlaced) {
        const entry = data[at + AT.intentPlaced.entry]!;
        if (entry === 0) continue;
        if (data[at + AT.intentPlaced.goodTilHeight] !== 0 || data[at + AT.intentPlaced.goodTilTime] !== 0)
          return `intent ${intent} is a leg and has a good-til`;
        entries.set(intent, entry);
        continue;
      }
      if (!ENDS.has(data[at]!)) continue;
      const entry = entries.get(intent);
      if (entry === undefined) continue;
      entries.delete(intent);
      const cancelled = data[at] === EVENT_CODES.intentCancelled;
      if (cancelled && data[at + AT.intentCancelled.cause] === INTENT_CAUSE.owner) continue;
      moment.met++;
      if (data[at] === EVENT_CODES.intentExpired) return `intent ${intent} is a leg and expires`;
      if (state.orderIndex.find(state.orders, entry) !== NONE)
        return `intent ${intent} has ended, and its entry ${entry} rests`;
    }
    return undefined;
  },
});

const ENDS: ReadonlySet<number> = new Set([
  EVENT_CODES.intentExecuted,
  EVENT_CODES.intentFailed,
  EVENT_CODES.intentCancelled,
  EVENT_CODES.intentExpired,
]);

/** Entry orders of the open intents. */
function readEntries({ intents }: State): Map<number, number> {
  const entries = new Map<number, number>();
  for (let row = 0 as never; row < intents.rows.high; row++) {
    if (intents.rows.isLive(row) && intents.entry[row] !== 0) entries.set(intents.id[row]!, intents.entry[row]!);
  }
  return entries;
}
