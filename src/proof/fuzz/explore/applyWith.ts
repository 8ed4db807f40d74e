import { applyBlock } from "../../../venue/engine/applyBlock.ts";
import { CANARIES } from "../campaign/canaries.ts";
import type { CanaryName } from "../campaign/canaryNames.ts";
import type { Apply } from "../shrink/readScript.ts";

/** Applies blocks, with a planted fault if one is named. */
export function applyWith(canary: CanaryName | undefined): Apply {
  if (canary === undefined) return applyBlock;
  const plant = CANARIES[canary];
  return (state, block, probe) => {
    const result = applyBlock(state, block, probe);
    plant(state, result);
    return result;
  };
}
