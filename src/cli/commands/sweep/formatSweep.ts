import { getMetricDefinition, type MetricId } from "../../../product/report/metrics/definitions.ts";
import { formatMetric } from "../../../product/report/text/metrics.ts";
import type { Axis } from "../../../product/research/sweep/grid/grid.ts";
import { rankCells } from "../../../product/research/sweep/rankCells.ts";
import type { CellState, SweepCell } from "../../../product/research/sweep/sweepCell.ts";
import { formatColumns, formatCount } from "../../format.ts";

/** What the table of a sweep shows. */
export interface TableOptions {
  readonly axes: readonly Axis[];
  readonly cells: readonly SweepCell[];
  readonly sort: MetricId;
  readonly metrics: readonly MetricId[];
  /** Rows. */
  readonly top: number;
}

/** The best cells as a table: rank, a column for each axis that varies, each metric, and what is to be known of a cell. */
export function formatTable({ axes, cells, sort, metrics, top }: TableOptions): string {
  const shown = axes.flatMap((axis, at) => (axis.values.length > 1 ? [{ axis, at }] : []));
  const columns = [sort, ...metrics.filter((metric) => metric !== sort)];
  const head = ["#", ...shown.map(({ axis }) => axis.name), ...columns.map((id) => getMetricDefinition(id).label), ""];
  const rows = rankCells(cells, sort)
    .slice(0, top)
    .map((cell, rank) => [
      `${rank + 1}`,
      ...shown.map(({ axis, at }) => axis.values[cell.point[at]!]!.text),
      ...columns.map((id) => formatCell(cell, id)),
      describeCell(cell),
    ]);
  const right = Array.from({ length: head.length - 1 }, (_, at) => at);
  const rest = cells.length - rows.length;
  const more = rest > 0 ? `\n… ${formatCount(rest)} more; --top shows more of them, --out writes all` : "";
  return `${formatColumns([head, ...rows], right)}${more}`;
}

/** A metric of a cell for a reader: "n/a" without a value, empty for a failed run. */
export function formatCell({ record, state }: SweepCell, id: MetricId): string {
  if (state === "failed") return "";
  const { version } = getMetricDefinition(id);
  return formatMetric({ id, version, value: record.metrics[id] ?? null });
}

const STATES: Readonly<Record<CellState, string>> = {
  traded: "",
  idle: "never traded",
  liquidated: "liquidated",
  wipedOut: "wiped out",
  failed: "failed",
};

/** Why a cell is not like others; empty for one that traded over all of its data. */
export function describeCell({ record, state }: SweepCell): string {
  if (record.error !== null) return `${record.error.code}: ${record.error.message}`;
  const times = Number(record.metrics.liquidations ?? 0);
  const suffix = times > 1 && state !== "idle" ? ` ${formatCount(times)} times` : "";
  return state === "wipedOut" ? `wiped out, liquidated${suffix}` : `${STATES[state]}${suffix}`;
}
