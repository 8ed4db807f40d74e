import { applyBlock } from "../../../venue/engine/applyBlock.ts";
import { computeRoot } from "../../../venue/engine/commitment/root.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { firstDifference } from "../machinery/fold/firstDifference.ts";
import { readFolded } from "../machinery/fold/readFolded.ts";

export const invalidLeavesNoTrace = defineInvariant({
  id: "invalidLeavesNoTrace",
  sentence: "A block without its inadmissible transactions leads to the same venue.",
  rules: ["NON-3", "DET-1"],
  catalogue: ["D07", "T05"],
  when: "block",
  heavy: true,
  sweep(state, step) {
    const { block, before, result } = step;
    const transactions = block.transactions.filter((_transaction, index) => result.receipts.codes[index]! >= 0);
    if (transactions.length === block.transactions.length) return undefined;
    step.met += block.transactions.length - transactions.length;
    const twin = step.fork(before);
    applyBlock(twin, { ...block, transactions });
    if (computeRoot(twin) === computeRoot(state)) return undefined;
    return firstDifference(readFolded(twin), readFolded(state));
  },
});
