import { getHead } from "../../../venue/engine/commitment/root.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";

export const headMoves = defineInvariant({
  id: "headMoves",
  sentence: "Every block changes the head of the effects chain.",
  rules: ["DET-2"],
  when: "block",
  heavy: true,
  sweep(state, step) {
    step.met++;
    return getHead(step.before) === getHead(state) ? `block ${step.block.height} did not change the head` : undefined;
  },
});
