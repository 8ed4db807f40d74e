import { applyBlock } from "../../../venue/engine/applyBlock.ts";
import { isSystem } from "../../../venue/engine/authorization/admission.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";

export const replayRefused = defineInvariant({
  id: "replayRefused",
  sentence: "A transaction commits at most once: sent again in the next block, it is inadmissible.",
  rules: ["NON-3", "NON-4"],
  catalogue: ["T04", "T01"],
  when: "block",
  heavy: true,
  sweep(state, step) {
    const { block, result } = step;
    const committed = block.transactions.filter(
      ({ code }, index) => !isSystem(code) && result.receipts.codes[index]! >= 0,
    );
    if (committed.length === 0) return undefined;
    step.met += committed.length;
    const fork = step.fork(state);
    const again = applyBlock(fork, {
      ...block,
      height: state.height + 1,
      timeMs: state.timeMs + 1,
      transactions: committed,
    });
    for (const [index, { action }] of committed.entries()) {
      if (again.receipts.codes[index]! >= 0) return `transaction ${index}, ${action}, commits a second time`;
    }
    return undefined;
  },
});
