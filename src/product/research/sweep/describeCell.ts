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
  if (record.strategies.length > 0) return describeStrategies(record.strategies, state);
  const times = Number(record.metrics.liquidations ?? 0);
  const isLiquidated = state === "liquidated" || state === "wipedOut";
  return isLiquidated && times > 1 ? `${STATES[state]}, ${countOf(times, "liquidation")}` : STATES[state];
}

/** Strategies that were liquidated or wiped out, by name. */
function describeStrategies(strategies: SweepCell["record"]["strategies"], state: CellState): string {
  const notes = strategies.flatMap(({ name, outcome, metrics }) => {
    const times = Number(metrics.liquidations ?? 0);
    if (outcome === "completed" && times === 0) return [];
    const word = outcome === "wipedOut" ? STATES.wipedOut : STATES.liquidated;
    return [times > 1 ? `${name} ${word}, ${countOf(times, "liquidation")}` : `${name} ${word}`];
  });
  return notes.length === 0 ? STATES[state] : notes.join("; ");
}
