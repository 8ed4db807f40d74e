import { computeFree, type Health, measure } from "../engine/margin/health.ts";
import { LIMIT } from "../math/fixed.ts";
import { defineInvariant } from "./defineInvariant.ts";
import { type ExactHealth, exactHealth } from "./exact/health.ts";
import { listAccounts } from "./exact/walk.ts";

export const equityFromScratch = defineInvariant({
  id: "equityFromScratch",
  sentence: "Equity, requirements and free collateral as the engine measures them are those worked out from scratch.",
  rules: ["MRG-1", "MRG-3", "MRG-5", "POS-3", "NUM-2"],
  when: "block",
  check(state) {
    for (const account of listAccounts(state)) {
      const exact = exactHealth(state, account);
      const health = measure(state, account);
      for (const [name, seen] of Object.entries(read(health))) {
        const right = exact[name as keyof ExactHealth];
        if (seen !== right) return `account ${account}: ${name} is measured as ${seen}, and is ${right}`;
      }
      const collateral = state.accounts.collateral[account]!;
      const free = computeFree(collateral, measure(state, account));
      const tenth = (exact.notional + 9n) / 10n;
      const right = BigInt(collateral) + exact.losses - (exact.initial > tenth ? exact.initial : tenth);
      if (BigInt(free) !== (right < -BigInt(LIMIT) ? -BigInt(LIMIT) : right)) {
        return `account ${account}: ${free} is measured as free, and ${right} is`;
      }
    }
    return undefined;
  },
});

function read(health: Health): ExactHealth {
  if (health.wide) {
    return {
      equity: health.bigEquity,
      maintenance: health.bigMaintenance,
      positionInitial: health.bigPositionInitial,
      initial: health.bigInitial,
      notional: health.bigNotional,
      losses: health.bigLosses,
    };
  }
  const { equity, maintenance, positionInitial, initial, notional, losses } = health;
  return {
    equity: BigInt(equity),
    maintenance: BigInt(maintenance),
    positionInitial: BigInt(positionInitial),
    initial: BigInt(initial),
    notional: BigInt(notional),
    losses: BigInt(losses),
  };
}
