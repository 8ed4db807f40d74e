import { countOf } from "../../../ground/math/counts.ts";
import type { CellState, SweepCell } from "./sweepCell.ts";

const STATES: Readonly<Record<CellState, string>> = {
  traded: "",
  idle: "never traded",
  liquidated: "liquidated",
  wipedOut: "wiped out",
  failed: "failed",
};

/** A note on how a cell ended; empty for one that traded over all of its data. */
export function describeCell({ record, state }: Pick<SweepCell, "record" | "state">): string {
  if (record.error !== null) return `${record.error.code}: ${record.error.message}`;
  const times = Number(record.metrics.liquidations ?? 0);
  const isLiquidated = state === "liquidated" || state === "wipedOut";
  return isLiquidated && times > 1 ? `${STATES[state]}, ${countOf(times, "liquidation")}` : STATES[state];
}
