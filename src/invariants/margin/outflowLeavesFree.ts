import { NONE } from "../../collections/table.ts";
import { defineInvariant } from "../defineInvariant.ts";
import { ceilDiv, exactHealth } from "../exact/health.ts";
import { near } from "../tally.ts";

export const outflowLeavesFree = defineInvariant({
  id: "outflowLeavesFree",
  sentence:
    "What leaves a bucket was free: collateral and losses cover the initial requirement with orders, and a tenth of notional.",
  rules: ["MRG-5"],
  catalogue: ["M03", "L14"],
  when: "transaction",
  kinds: ["withdrawn", "transferred"],
  slack: "quote units",
  touched(look) {
    const { actor, state } = look;
    if (actor === NONE || look.code !== 0) return undefined;
    look.met++;
    const { losses, initial, notional } = exactHealth(state, actor);
    const tenth = ceilDiv(notional, 10n);
    const needed = initial > tenth ? initial : tenth;
    const left = BigInt(state.accounts.collateral[actor]) + losses;
    near(look, left - needed);
    return left >= needed ? undefined : `account ${actor} is left with ${left} where ${needed} must stay`;
  },
});
