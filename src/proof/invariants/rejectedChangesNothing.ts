import { EVENT_CODES, EVENT_KINDS } from "../../protocol/events.ts";
import { EVENT_WIDTHS } from "../../venue/engine/events/readEvents.ts";
import { defineInvariant } from "./defineInvariant.ts";

/** What a rejected transaction may tell of: that its nonce is used. */
const NONCE = new Set([
  EVENT_CODES.nonceAdvanced,
  EVENT_CODES.nonceUsed,
  EVENT_CODES.laneOpened,
  EVENT_CODES.laneAdvanced,
]);

/** That nothing else is written either is what `eventsAreComplete` sees. */
export const rejectedChangesNothing = defineInvariant({
  id: "rejectedChangesNothing",
  sentence: "A rejected transaction tells of nothing but its nonce, an inadmissible one of nothing at all.",
  rules: ["NON-3", "ACT-1"],
  catalogue: ["T05", "T03"],
  when: "transaction",
  touched(moment) {
    const { code, data, from, to } = moment;
    if (code === 0) return undefined;
    moment.met++;
    for (let at = from; at < to; at += EVENT_WIDTHS[data[at]!]!) {
      if (code > 0 && NONCE.has(data[at]!)) continue;
      const status = code > 0 ? "rejected" : "invalid";
      return `${moment.transaction!.action} is ${status} (${moment.state.receipts.code(moment.index)}), and there is ${EVENT_KINDS[data[at]!]}`;
    }
    return undefined;
  },
});
