import { countOf, formatCount } from "../../../ground/math/counts.ts";
import { describeCell } from "../../../product/research/sweep/describeCell.ts";
import { describeMetric, type MetricKey, showMetric } from "../../../product/research/sweep/metricKey.ts";
import { describeRanking, rankCells } from "../../../product/research/sweep/rankCells.ts";
import { listContenders } from "../../../product/research/sweep/sensitivity/measureSensitivity.ts";
import type { SweepCell } from "../../../product/research/sweep/sweepCell.ts";
import { countStates, type Sweep } from "../../../product/research/sweep/sweepDocument.ts";
import { formatColumns } from "../../format.ts";

/** Characters of a note that a row has room for. */
const NOTE_MOST = 70;

/** The best cells as a table: rank, a column for each axis that varies, each metric, and notes on the cell. */
export function formatTable(sweep: Sweep, top: number): string {
  const { strategy, data, axes, cells, sort, metrics, around } = sweep;
  const contenders = listContenders(sweep);
  const isShown = (at: number) => axes[at]!.values.length > 1 && !around.some((axis) => axis.at === at);
  const shown = axes.flatMap((axis, at) => (isShown(at) ? [{ axis, at }] : []));
  const columns = [sort, ...metrics];
  const head = ["#", ...shown.map(({ axis }) => axis.name), ...columns.map((id) => describeMetric(id).label), ""];
  const rows = rankCells(contenders, sort)
    .slice(0, top)
    .map((cell, rank) => [
      `${rank + 1}`,
      ...shown.map(({ axis, at }) => axis.values[cell.point[at]!]!.text),
      ...columns.map((id) => formatCell(cell, id)),
      cut(describeCell(cell)),
    ]);
  const right = Array.from({ length: head.length - 1 }, (_, at) => at);
  const rest = contenders.length - rows.length;
  const more = rest > 0 ? `\n… ${formatCount(rest)} more; --top shows more of them, --out writes all` : "";
  const title = `${strategy.id}  ${data.markets.join(", ")}  ${countOf(cells.length, "run")}${describeStates(cells)}`;
  return `${title}\nby ${describeRanking(sort)}\n\n${formatColumns([head, ...rows], right)}${more}`;
}

function describeStates(cells: readonly SweepCell[]): string {
  const { liquidated, wipedOut, idle, failed } = countStates(cells);
  const parts = [
    [liquidated, "liquidated"],
    [wipedOut, "wiped out"],
    [idle, "never traded"],
    [failed, "failed"],
  ] as const;
  return parts.map(([count, words]) => (count > 0 ? `, ${formatCount(count)} ${words}` : "")).join("");
}

/** A metric of a cell for a reader: "n/a" without a value, empty for a failed run. */
function formatCell({ record, state }: SweepCell, id: MetricKey): string {
  return state === "failed" ? "" : showMetric(record, id);
}

function cut(text: string): string {
  return text.length > NOTE_MOST ? `${text.slice(0, NOTE_MOST - 1)}…` : text;
}
