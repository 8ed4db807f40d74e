import { INVALID_NAMES, REJECTION_NAMES } from "../../../protocol/rejections.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";

export const oneReceiptEach = defineInvariant({
  id: "oneReceiptEach",
  sentence: "Every transaction has one receipt with a known code. Receipts own consecutive ranges of events.",
  rules: ["NET-2", "EVT-1"],
  catalogue: ["T09"],
  when: "block",
  sweep(_state, step) {
    const { receipts, from, to } = step.result;
    const wanted = step.block.transactions.length;
    if (receipts.count !== wanted) return `${wanted} transactions have ${receipts.count} receipts`;
    let at = from;
    for (let index = 0; index < receipts.count; index++) {
      step.met++;
      const code = receipts.codes[index]!;
      if (!Number.isInteger(code) || code > REJECTION_NAMES.length || code < -INVALID_NAMES.length)
        return `transaction ${index} has the code ${code}`;
      const start = receipts.eventsFrom[index]!;
      const end = receipts.eventsTo[index]!;
      if (start < at || end < start || end > to)
        return `transaction ${index} owns events from ${start} to ${end} of ${at} to ${to}`;
      at = end;
    }
    return undefined;
  },
});
