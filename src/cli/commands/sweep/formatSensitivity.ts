import { formatHeat } from "../../../product/report/html/heatmap.ts";
import { formatPercent, formatSignedPercent } from "../../../product/report/text/numbers.ts";
import { describeMetric } from "../../../product/research/sweep/metricKey.ts";
import { describePoint } from "../../../product/research/sweep/sensitivity/html.ts";
import { explainNoSensitivity, findSensitivity, type Sweep } from "../../../product/research/sweep/sweepDocument.ts";
import { formatColumns } from "../../format.ts";

/** How the best run changes with one assumption at a time, or why there is none; empty if no assumption is varied. */
export function formatSensitivity(sweep: Sweep): string {
  const found = findSensitivity(sweep);
  if (found === undefined) return explainNoSensitivity(sweep) ?? "";
  const { label, unit } = describeMetric(sweep.sort);
  const plain = (text: string) => text.replaceAll("\u2212", "-");
  const number = (value: number | null) => (value === null ? "n/a" : plain(formatHeat(unit, value)));
  const blocks = found.axes.map(({ name, values }) => {
    const head = [name, label, "change", "return", "drawdown", ""];
    const rows = values.map(({ text, isBase, value, change, totalReturn, maxDrawdown, state }) => [
      text,
      number(value),
      isBase ? "" : number(change),
      totalReturn === null ? "n/a" : formatSignedPercent(totalReturn),
      maxDrawdown === null ? "n/a" : formatPercent(maxDrawdown),
      isBase ? "the run" : state === "liquidated" || state === "wipedOut" || state === "failed" ? state : "",
    ]);
    return formatColumns([head, ...rows], [0, 1, 2, 3, 4]);
  });
  return [`One assumption at a time around ${describePoint(sweep.axes, found.base)}`, ...blocks].join("\n\n");
}
