import { defineInvariant } from "../machinery/defineInvariant.ts";

export const blocksFollow = defineInvariant({
  id: "blocksFollow",
  sentence: "A block is one higher than the block before, and later. The venue has its height and time.",
  rules: ["NET-2"],
  when: "block",
  sweep(state, step) {
    const { before, block, result } = step;
    step.met++;
    if (block.height !== before.height + 1) return `block ${block.height} follows ${before.height}`;
    if (block.timeMs <= before.timeMs)
      return `block ${block.height} has the time ${block.timeMs}, the block before ${before.timeMs}`;
    const seen = [state.height, result.height, state.timeMs, result.timeMs];
    const said = [block.height, block.height, block.timeMs, block.timeMs];
    return seen.every((value, place) => value === said[place])
      ? undefined
      : `block ${block.height} led to ${seen.join(", ")}`;
  },
});
