import type { RunRecord, StrategyRecord } from "../runs/record.ts";
import type { PlannedCell } from "./planSweep.ts";

/** The record of a cell. Daily returns are dropped: they stay in the store. */
export interface CellRecord extends Omit<RunRecord, "job" | "daily" | "strategies"> {
  readonly strategies: readonly Omit<StrategyRecord, "daily">[];
}

/** A cell of a sweep with its result. */
export interface SweepCell extends PlannedCell {
  readonly record: CellRecord;
  readonly state: CellState;
  /** Whether the record was in the store already. */
  readonly isKept: boolean;
}

/**
 * How the run of a cell ended: `traded` over all of its data, `idle` without a fill, `liquidated` at least once,
 * `wipedOut` before the end of its data, `failed` without a result. Of several strategies, one that is liquidated or
 * wiped out is enough for `liquidated`; a run whose strategies have all stopped is `wipedOut`.
 */
export type CellState = "traded" | "idle" | "liquidated" | "wipedOut" | "failed";

/** The worst that applies. */
export function readState({
  outcome,
  metrics,
  strategies,
}: Pick<CellRecord, "outcome" | "metrics" | "strategies">): CellState {
  if (outcome === "failed") return "failed";
  if (outcome === "wipedOut") return "wipedOut";
  const isStopped = strategies.some((one) => one.outcome === "wipedOut");
  if (isStopped || Number(metrics.liquidations ?? 0) > 0) return "liquidated";
  return metrics.fills === 0 ? "idle" : "traded";
}
