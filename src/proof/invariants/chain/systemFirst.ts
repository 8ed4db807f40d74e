import { isSystem } from "../../../venue/engine/authorization/admission.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";

export const systemFirst = defineInvariant({
  id: "systemFirst",
  sentence: "System transactions come first in a block, and oracle updates come before the others.",
  rules: ["NET-2"],
  when: "block",
  sweep(_state, step) {
    let last = 0;
    for (const [index, { code, action }] of step.block.transactions.entries()) {
      step.met++;
      const rank = action === "oracleUpdate" ? 0 : isSystem(code) ? 1 : 2;
      if (rank < last) return `transaction ${index}, ${action}, is placed after transactions that must follow it`;
      last = rank;
    }
    return undefined;
  },
});
