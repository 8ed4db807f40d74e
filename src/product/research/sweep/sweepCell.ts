import type { RunRecord } from "../runs/record.ts";
import type { PlannedCell } from "./planSweep.ts";

/** A cell of a sweep with its result. Its daily returns are dropped: they stay in the store. */
export interface SweepCell extends PlannedCell {
  readonly record: Omit<RunRecord, "job" | "daily">;
  readonly state: CellState;
  /** Whether the record was in the store already. */
  readonly isKept: boolean;
}

/**
 * How the run of a cell ended: `traded` over all of its data, `idle` without a fill, `liquidated` at least once,
 * `wipedOut` before the end of its data, `failed` without a result.
 */
export type CellState = "traded" | "idle" | "liquidated" | "wipedOut" | "failed";

/** The worst that applies. */
export function readState({ outcome, metrics }: Pick<RunRecord, "outcome" | "metrics">): CellState {
  if (outcome === "failed") return "failed";
  if (outcome === "wipedOut") return "wipedOut";
  if (Number(metrics.liquidations ?? 0) > 0) return "liquidated";
  return metrics.fills === 0 ? "idle" : "traded";
}
