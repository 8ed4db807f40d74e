import { RunError } from "../../../product/research/runs/errors.ts";
import type { RunRecord } from "../../../product/research/runs/record.ts";
import type { SweepCell } from "../../../product/research/sweep/sweepCell.ts";

/** @throws {RunError} STRATEGY_STATEFUL if a run that was made again has another result */
export function checkSame(
  cell: Pick<SweepCell, "job"> & { readonly record: Pick<RunRecord, "root" | "head"> },
  again: RunRecord,
): void {
  const { root, head } = cell.record;
  if (again.root === root && again.head === head) return;
  const words = cell.job.strategies
    .flatMap(({ params }) => Object.entries(params))
    .map(([name, value]) => `${name}=${value}`);
  throw new RunError("STRATEGY_STATEFUL", `the run of ${words.join(" ")} was made twice, with two results`, {
    hint:
      "the strategy remembers something between runs, or reads a clock or chance: keep all of its memory in what init " +
      "returns; then remove the store, since its results may be wrong",
  });
}
