import { EVENT_CODES, EVENT_KINDS } from "../../../protocol/events.ts";
import { EVENT_WIDTHS } from "../../../venue/engine/events/readEvents.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";

/** The only events of a rejected transaction: they use its nonce. */
const NONCE = new Set([
  EVENT_CODES.nonceAdvanced,
  EVENT_CODES.nonceUsed,
  EVENT_CODES.laneOpened,
  EVENT_CODES.laneAdvanced,
]);

/** The invariant `eventsAreComplete` finds writes without an event. */
export const rejectedChangesNothing = defineInvariant({
  id: "rejectedChangesNothing",
  sentence: "A rejected transaction emits only the event of its nonce; an inadmissible one emits no event.",
  rules: ["NON-3", "ACT-1"],
  catalogue: ["T05", "T03"],
  when: "transaction",
  moments: ["transaction"],
  touched(moment) {
    const { code, data, from, to } = moment;
    if (code === 0) return undefined;
    moment.met++;
    for (let at = from; at < to; at += EVENT_WIDTHS[data[at]!]!) {
      if (code > 0 && NONCE.has(data[at]!)) continue;
      const status = code > 0 ? "rejected" : "invalid";
      return `${moment.transaction!.action} is ${status} (${moment.state.receipts.code(moment.index)}), and emits ${EVENT_KINDS[data[at]!]}`;
    }
    return undefined;
  },
});
