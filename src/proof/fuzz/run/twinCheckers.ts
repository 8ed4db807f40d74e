import { applyBlock } from "../../../venue/engine/applyBlock.ts";
import { computeRoot, getHead } from "../../../venue/engine/commitment/root.ts";
import { forkState } from "../../../venue/engine/state/forkState.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { CheckerFactory } from "../shrink/checker.ts";
import type { Apply } from "../shrink/readScript.ts";
import { describeLoss, lost } from "./repeat.ts";

/**
 * Checkers with a twin venue in lock step that never restarts. They compare heads after each block and roots after each
 * restart. They report what `checkRestored` would, for a chronicle with restarts.
 */
export function twinCheckers(apply: Apply = applyBlock): CheckerFactory<State> {
  return {
    forgets: true,
    open(state, kept) {
      const twin = forkState(kept ?? state);
      let last = state;
      // Attached mid-chain, the venue may have restarted right before.
      let restarted = kept !== undefined;
      let height = state.height;
      return {
        probe: undefined,
        check(after, block) {
          if (after !== last) {
            restarted = true;
            height = block.height - 1;
          }
          last = after;
          apply(twin, block);
          const [wanted, head] = [getHead(twin), getHead(after)];
          if (wanted !== head) return [lost(block.height, describeLoss("head", wanted, height, head))];
          if (!restarted) return [];
          restarted = false;
          const [whole, root] = [computeRoot(twin), computeRoot(after)];
          return whole === root ? [] : [lost(block.height, describeLoss("root", whole, height, root))];
        },
        keep: () => forkState(twin),
      };
    },
  };
}
