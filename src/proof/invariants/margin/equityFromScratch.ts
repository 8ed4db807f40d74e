import { NONE } from "../../../ground/collections/table.ts";
import { LIMIT } from "../../../ground/math/fixed.ts";
import { computeFree, measureMarginAccount } from "../../../venue/engine/margin/health.ts";
import type { Health } from "../../../venue/engine/state/health.ts";
import type { AccountRow, PositionRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { collateralOf, listAccounts, marginAccountName, marginAccountsOf } from "../../../venue/engine/state/walk.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { type ExactHealth, exactHealth } from "../machinery/exact/health.ts";

export const equityFromScratch = defineInvariant({
  id: "equityFromScratch",
  sentence: "The engine's equity, margins and free collateral equal those computed from scratch.",
  rules: ["MRG-1", "MRG-3", "MRG-5", "POS-3", "NUM-2"],
  catalogue: ["P06"],
  when: "block",
  heavy: true,
  sweep(state, step) {
    for (const account of listAccounts(state)) {
      for (const isolated of marginAccountsOf(state, account)) {
        step.met++;
        const fault = checkMarginAccount(state, account, isolated);
        if (fault !== undefined) return `${marginAccountName(state, account, isolated)}: ${fault}`;
      }
    }
    return undefined;
  },
});

function checkMarginAccount(state: State, account: AccountRow, isolated: PositionRow | undefined): string | undefined {
  const exact = exactHealth(state, account, isolated);
  const row = isolated ?? (NONE as PositionRow);
  for (const [name, seen] of Object.entries(read(measureMarginAccount(state, account, row)))) {
    const right = exact[name as keyof ExactHealth];
    if (seen !== right) return `${name} is ${seen} in the engine, and ${right} from scratch`;
  }
  const collateral = collateralOf(state, account, isolated);
  const free = computeFree(collateral, measureMarginAccount(state, account, row));
  const tenth = (exact.notional + 9n) / 10n;
  const right = BigInt(collateral) + exact.losses - (exact.initial > tenth ? exact.initial : tenth);
  const bounded = right < -BigInt(LIMIT) ? -BigInt(LIMIT) : right;
  return BigInt(free) === bounded ? undefined : `${free} is free in the engine, and ${right} from scratch`;
}

function read(health: Health): ExactHealth {
  if (health.overflow) {
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
