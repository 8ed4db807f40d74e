import { getHead } from "../../../venue/engine/commitment/root.ts";
import { defineInvariant } from "../defineInvariant.ts";

export const headMoves = defineInvariant({
  id: "headMoves",
  sentence: "Every block moves the head of the chain over effects.",
  rules: ["DET-2"],
  when: "block",
  heavy: true,
  sweep(state, step) {
    step.met++;
    return getHead(step.before) === getHead(state) ? `block ${step.block.height} left the head as it was` : undefined;
  },
});
