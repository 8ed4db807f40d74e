import { measureMarginAccount } from "../../../venue/engine/margin/health.ts";
import type { Health } from "../../../venue/engine/state/health.ts";
import type { MarketRow, PositionRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { listAccounts, marginAccountName, marginAccountsOf } from "../../../venue/engine/state/walk.ts";
import { type Answer, defineInvariant, type Step } from "../machinery/defineInvariant.ts";

export const equityIgnoresTrades = defineInvariant({
  id: "equityIgnoresTrades",
  sentence:
    "Equity and maintenance depend on the mark alone: last trades, index, oracle and reported prices do not change them.",
  rules: ["POS-3"],
  catalogue: ["P02"],
  when: "block",
  heavy: true,
  sweep: (state, step) => findDependence(state, step),
});

/** @param measure how margin is measured: the engine's function, or a faulty one in tests */
export function findDependence(state: State, step: Step, measure = measureMarginAccount): Answer {
  const other = step.fork(state);
  const { markets } = other;
  for (let market = 0 as MarketRow; market < markets.rows.high; market++) {
    const columns = [
      markets.last,
      markets.index,
      markets.oracle,
      markets.reported,
      markets.tradeHigh,
      markets.tradeLow,
    ];
    for (const column of columns) (column as unknown as Float64Array)[market]! += 1_000;
  }
  for (const account of listAccounts(state)) {
    for (const isolated of marginAccountsOf(state, account)) {
      step.met++;
      const row = (isolated ?? -1) as PositionRow;
      const [now, then] = [read(measure(state, account, row)), read(measure(other, account, row))];
      if (now !== then) return `${marginAccountName(state, account, isolated)}: ${now}, with other last prices ${then}`;
    }
  }
  return undefined;
}

function read(health: Health): string {
  return health.overflow
    ? `equity ${health.bigEquity} of ${health.bigMaintenance}`
    : `equity ${health.equity} of ${health.maintenance}`;
}
