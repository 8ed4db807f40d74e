import type { Lots } from "../../../ground/math/fixed.ts";
import { measureMarginAccount } from "../../../venue/engine/margin/health.ts";
import type { PositionRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { listAccounts, marginAccountName, marginAccountsOf, openOf } from "../../../venue/engine/state/walk.ts";
import { computeMaintenance, computeNotional } from "../../../venue/engine/valuation/notional.ts";
import { type Answer, defineInvariant, type Step } from "../machinery/defineInvariant.ts";

/** Quote units that the check adds. */
const MORE = 1_000_000;

export const collateralHelps = defineInvariant({
  id: "collateralHelps",
  sentence:
    "Added collateral increases equity by itself and leaves margins unchanged. Half a position at the same mark needs no more margin than the whole.",
  rules: ["MRG-1", "POS-3"],
  catalogue: ["M06"],
  when: "block",
  heavy: true,
  sweep: (state, step) => findUnhelped(state, step),
});

/** @param measure how margin is measured: the engine's function, or a faulty one in tests */
export function findUnhelped(state: State, step: Step, measure = measureMarginAccount): Answer {
  const richer = step.fork(state);
  for (const account of listAccounts(richer)) {
    for (const isolated of marginAccountsOf(richer, account)) {
      const column = isolated === undefined ? richer.accounts.collateral : richer.positions.isolated;
      const row = isolated ?? account;
      if (Math.abs((column as unknown as Float64Array)[row]!) > 8e15) continue;
      step.met++;
      (column as unknown as Float64Array)[row]! += MORE;
      const marginAccount = (isolated ?? -1) as PositionRow;
      const was = { ...measure(state, account, marginAccount) };
      const now = measure(richer, account, marginAccount);
      if (was.overflow || now.overflow) continue;
      const same =
        now.equity === was.equity + MORE && now.maintenance === was.maintenance && now.initial === was.initial;
      if (!same)
        return `${marginAccountName(state, account, isolated)}: ${MORE} more collateral changes equity from ${was.equity} to ${now.equity}`;
      for (const at of openOf(state, account, isolated)) {
        const market = state.positions.market[at];
        const rules = state.parameters[market]!;
        const lots = Math.abs(state.positions.signedLots[at]);
        const mark = state.markets.mark[market];
        const whole = computeMaintenance(rules, computeNotional(rules, lots as Lots, mark));
        const half = computeMaintenance(rules, computeNotional(rules, Math.floor(lots / 2) as Lots, mark));
        if (half > whole)
          return `${marginAccountName(state, account, isolated)}: half a position requires ${half}, the whole ${whole}`;
      }
    }
  }
  return undefined;
}
