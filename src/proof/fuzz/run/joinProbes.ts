import type { Probe } from "../../../venue/engine/probe.ts";

/** Combines two probes of one venue; the first one runs first. */
export function joinProbes(one: Probe | undefined, other: Probe | undefined): Probe | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return {
    beforeBlock(state, block, from) {
      one.beforeBlock?.(state, block, from);
      other.beforeBlock?.(state, block, from);
    },
    afterTransaction(state, index) {
      one.afterTransaction(state, index);
      other.afterTransaction(state, index);
    },
    afterStep(state, step) {
      one.afterStep?.(state, step);
      other.afterStep?.(state, step);
    },
  };
}
