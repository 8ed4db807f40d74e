import { formatHeat } from "../../../report/html/heatmap.ts";
import { html, type Markup, toMinus } from "../../../report/html/markup.ts";
import { formatPercent, formatSignedPercent } from "../../../report/text/numbers.ts";
import type { Axis } from "../grid/grid.ts";
import { describeMetric, isLessBetter, type MetricKey, readValue } from "../metricKey.ts";
import type { SweepCell } from "../sweepCell.ts";
import {
  type AxisSensitivity,
  findSpan,
  type Sensitivity,
  sortByEffect,
  type ValueSensitivity,
} from "./measureSensitivity.ts";

/** The section of a page: a bar for each assumption, the widest first, and each value with its results. */
export function renderSensitivity(found: Sensitivity, axes: readonly Axis[], metric: MetricKey): Markup {
  const { label } = describeMetric(metric);
  return html`<p class="lede">The best run with all of its own assumptions (${describePoint(axes, found.base)}), and one assumption changed at a time. A run that is good only without latency, without fees or with much of the volume is no run to trade.</p>
<h3 class="apart">${label}, from the assumption that matters most</h3>${renderTornado(found, metric)}
<div class="columns">${found.axes.map((axis) => renderAxis(axis, metric, found))}</div>`;
}

/** The lowest and the highest result of each assumption around the run itself. */
function renderTornado({ base, axes }: Sensitivity, metric: MetricKey): Markup {
  const spans = sortByEffect(axes).flatMap((axis) => {
    const span = findSpan(axis);
    return span === undefined ? [] : [{ axis, ...span }];
  });
  const low = Math.min(...spans.map(({ least }) => least));
  const width = Math.max(...spans.map(({ most }) => most)) - low;
  const at = (value: number) => (width === 0 ? 50 : ((value - low) / width) * 100).toFixed(1);
  const from = Number(readValue(base.record, metric));
  const rows = spans.map(({ axis, least, most }) => {
    const bars = [
      [least, from, isLessBetter(metric) ? "up" : "down"],
      [from, most, isLessBetter(metric) ? "down" : "up"],
    ] as const;
    const drawn = bars
      .filter(([left, right]) => right > left)
      .map(
        ([left, right, tone]) =>
          html`<i class="${tone}" style="left:${at(left)}%;width:${(Number(at(right)) - Number(at(left))).toFixed(1)}%"></i>`,
      );
    return html`<tr><th>${axis.name}</th><td class="n">${show(metric, least)}</td><td class="bar"><div class="share">${drawn}<b style="left:${at(from)}%"></b></div></td><td class="n">${show(metric, most)}</td></tr>`;
  });
  return html`<div class="scroll"><table class="tornado"><thead><tr><th></th><th class="n">Lowest</th><th class="n">run itself ${show(metric, from)}</th><th class="n">Highest</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function renderAxis({ name, values }: AxisSensitivity, metric: MetricKey, { axes }: Sensitivity): Markup {
  const changes = axes.flatMap((axis) =>
    axis.values.flatMap(({ change }) => (change === null ? [] : Math.abs(change))),
  );
  const most = Math.max(0, ...changes);
  // Latencies that differ by strategy are tried as multiples.
  const isMultiple = values.every(({ text }) => text.endsWith("x"));
  const unit = isMultiple ? "times that of each strategy" : UNITS[name];
  const rows = values.map((value) => {
    const { text, isBase, totalReturn, maxDrawdown, state } = value;
    const name = isBase ? html`<b>${text}</b>` : text;
    const isRed = state === "liquidated" || state === "wipedOut";
    return html`<tr${isBase ? html` class="base"` : null}><th class="n">${name}</th><td class="n${isRed ? " pain" : ""}"${isRed ? html` title="liquidated"` : null}>${value.value === null ? "n/a" : show(metric, value.value)}</td><td class="bar">${renderChange(value, metric, most)}</td><td class="n">${totalReturn === null ? "n/a" : toMinus(formatSignedPercent(totalReturn))}</td><td class="n">${maxDrawdown === null ? "n/a" : formatPercent(maxDrawdown)}</td></tr>`;
  });
  return html`<div class="scroll"><table><caption>${name}${unit !== undefined && html` <small>${unit}</small>`}</caption><thead><tr><th class="n">Value</th><th class="n">${describeMetric(metric).label}</th><th>change</th><th class="n">Return</th><th class="n">Drawdown</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

const UNITS: Readonly<Record<string, string>> = {
  latency: "ms",
  "feed-latency": "ms",
  "receipt-latency": "ms",
  fees: "maker/taker",
  participation: "share of volume",
};

/** A bar from the middle: to the left where the metric fell. */
function renderChange({ change, isBase }: ValueSensitivity, metric: MetricKey, most: number): Markup {
  if (isBase || change === null || most === 0) return html`<div class="share"><b style="left:50%"></b></div>`;
  const width = (Math.abs(change) / most) * 50;
  const isWorse = change < 0 !== isLessBetter(metric);
  const left = change < 0 ? 50 - width : 50;
  const bar = html`<i class="${isWorse ? "down" : "up"}" style="left:${left.toFixed(1)}%;width:${width.toFixed(1)}%"></i>`;
  return html`<div class="share" title="${show(metric, change)}">${change !== 0 && bar}<b style="left:50%"></b></div>`;
}

export function describePoint(axes: readonly Axis[], { point }: Pick<SweepCell, "point">): string {
  return axes.map(({ name, values }, at) => `${name.replace(/^run\./, "")} ${values[point[at]!]!.text}`).join(", ");
}

function show(metric: MetricKey, value: number): string {
  return toMinus(formatHeat(describeMetric(metric).unit, value));
}
