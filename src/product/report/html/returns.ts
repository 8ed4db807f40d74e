import { countOf, formatCount } from "../../../ground/math/counts.ts";
import { computeDailyReturns, computeDeviation, computeMean } from "../metrics/dailyReturns.ts";
import { computeDistribution, computeMonthReturns, computeRolling, type DailyEquity } from "../metrics/rolling.ts";
import type { BacktestReport } from "../model.ts";
import { getMetric } from "../text/metrics.ts";
import { formatPercent, formatSignedPercent, formatUsd } from "../text/numbers.ts";
import { formatDate, formatDuration } from "../text/times.ts";
import type { Chart } from "./chart.ts";
import { html, type Markup, toMinus } from "./markup.ts";

const toDays = ({ daily }: BacktestReport): DailyEquity[] =>
  daily.map(({ timeMs, equity }) => ({ timeMs, equity: Number(equity) }));

/** Returns mean nothing where equity was zero or below, or where money was moved in or out. */
function hasReturns(report: BacktestReport): boolean {
  const { reason } = getMetric(report, "sharpe");
  return reason !== "externalFlow" && reason !== "equityNotPositive";
}

/** Rolling statistics are left out of runs shorter than this many windows. */
const WINDOWS_LEAST = 1.5;
const WINDOWS = [30, 90] as const;
const TONES = { 30: "equity", 90: "bench" } as const;

/** Rolling Sharpe ratio and drawdown of daily returns; none for a short run. */
export function getRollingCharts(report: BacktestReport): Chart[] {
  const days = toDays(report);
  const windows = hasReturns(report) ? WINDOWS.filter((window) => days.length > window * WINDOWS_LEAST) : [];
  if (windows.length === 0) return [];
  const rolling = windows.map((window) => ({ window, points: computeRolling(days, window) }));
  const chart = (
    title: string,
    note: string,
    pick: (point: (typeof rolling)[number]["points"][number]) => number | null,
    suffix: string,
  ): Chart => ({
    title,
    note,
    height: 120,
    suffix,
    digits: 2,
    include: [0],
    lines: rolling.map(({ window, points }) => ({
      label: `${window} days`,
      tone: TONES[window],
      shape: "line",
      times: points.map(({ timeMs }) => timeMs),
      values: points.map(pick),
    })),
  });
  return [
    chart("Rolling Sharpe", "of daily returns, at each midnight", ({ sharpe }) => sharpe, ""),
    chart(
      "Rolling drawdown",
      "deepest within the days before, between midnights",
      ({ drawdown }) => -drawdown * 100 + 0,
      " %",
    ),
  ];
}

/** Months as a heat map, the distribution of daily returns, and the deepest drawdowns. */
export function renderReturns(report: BacktestReport): Markup {
  return html`<section id="returns"><h2>Returns</h2>
${renderMonths(report)}${renderDistribution(report)}${renderDrawdowns(report)}</section>
`;
}

const NAMES = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

function renderMonths(report: BacktestReport): Markup | false {
  const { run, summary } = report;
  const start = { timeMs: run.startMs, equity: Number(summary.initialEquity) };
  const returns = computeMonthReturns(start, toDays(report), {
    timeMs: run.endMs,
    equity: Number(summary.finalEquity),
  });
  if (returns.length < 2) return false;
  const years = new Map<string, (number | null)[]>();
  for (const { month, value } of returns) {
    const year = month.slice(0, 4);
    if (!years.has(year))
      years.set(
        year,
        Array.from({ length: 12 }, () => null),
      );
    years.get(year)![Number(month.slice(5)) - 1] = value;
  }
  const most = Math.max(0.0001, ...returns.map(({ value }) => Math.abs(value ?? 0)));
  const shown = (value: number) => toMinus(formatPercent(value, 1)).replace(" %", "");
  const cell = (value: number | null) => {
    if (value === null) return html`<td></td>`;
    const share = value === 0 ? "0" : (0.08 + 0.5 * Math.min(1, Math.abs(value) / most)).toFixed(2);
    return html`<td class="n heat ${value > 0 ? "hot" : "cold"}" style="--share:${share}">${shown(value)}</td>`;
  };
  const rows = [...years].map(([year, months]) => {
    const whole = months.reduce<number>((product, value) => product * (1 + (value ?? 0)), 1) - 1;
    return html`<tr><th scope="row">${year}</th>${months.map(cell)}<td class="n"><b>${shown(whole)}</b></td></tr>`;
  });
  return html`<p class="lede">By month, in percent of the equity at its beginning; the last column is the year.</p>
<div class="scroll"><table class="months"><thead><tr><th>%</th>${NAMES.map((name) => html`<th class="n">${name}</th>`)}<th class="n">Year</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** Share of a narrow distribution that the label of an end takes. */
const ZERO_ROOM = 0.15;
/** Fewest days for a distribution. */
const DAYS_LEAST = 5;

function renderDistribution(report: BacktestReport): Markup | false {
  const returns = hasReturns(report) ? computeDailyReturns(toDays(report).map(({ equity }) => equity)) : [];
  // Equal returns have no distribution: the account never traded.
  if (returns.length < DAYS_LEAST || returns.every((value) => value === returns[0])) return false;
  const bars = computeDistribution(returns);
  const most = Math.max(...bars.map(({ count }) => count));
  const gained = returns.filter((value) => value > 0).length;
  const range = bars.at(-1)!.to - bars[0]!.from;
  const at = (value: number) => `left:${(((value - bars[0]!.from) / range) * 100).toFixed(2)}%`;
  const percent = (value: number) => toMinus(formatPercent(value, 1));
  // Next to an end there is no room for another label.
  const zero = -bars[0]!.from / range;
  const hasZero = zero > ZERO_ROOM && zero < 1 - ZERO_ROOM;
  const facts = [
    countOf(returns.length, "day"),
    `${formatPercent(gained / returns.length, 1)} gained`,
    `mean ${toMinus(formatSignedPercent(computeMean(returns)))}`,
    `standard deviation ${formatPercent(computeDeviation(returns))}`,
    `worst ${toMinus(formatPercent(Math.min(...returns)))}`,
    `best ${toMinus(formatSignedPercent(Math.max(...returns)))}`,
  ];
  return html`<h3 class="apart">Daily returns <small>${facts.join(" · ")}</small></h3>
<div class="histogram" role="img" aria-label="Distribution of daily returns">${bars.map(({ from, to, count }) => html`<i class="${to <= 0 ? "down" : from < 0 ? "neutral" : "up"}${count > 0 ? " filled" : ""}" style="height:${((count / most) * 100).toFixed(1)}%" title="${percent(from)} to ${percent(to)}: ${formatCount(count)} ${count === 1 ? "day" : "days"}"></i>`)}<span style="left:0">${percent(bars[0]!.from)}</span>${hasZero && html`<span style="${at(0)}">0</span>`}<span style="left:100%">${percent(bars.at(-1)!.to)}</span></div>`;
}

function renderDrawdowns({ summary, run }: BacktestReport): Markup | false {
  if (summary.drawdowns.length === 0) return false;
  const rows = summary.drawdowns.map((span, i) => {
    const depth = (Number(span.peak) - Number(span.trough)) / Number(span.peak);
    const endMs = span.recoveredMs ?? run.endMs;
    const length = formatDuration(endMs - span.peakMs);
    return html`<tr><td class="n">${i + 1}</td><td class="n pain">${toMinus(formatPercent(-depth))}</td><td class="when">${formatDate(span.peakMs)}</td><td class="when">${formatDate(span.troughMs)}</td><td class="when">${span.recoveredMs === null ? "not recovered" : formatDate(span.recoveredMs)}</td><td class="n">${length}</td><td class="n">${toMinus(formatUsd(span.peak))}</td><td class="n">${toMinus(formatUsd(span.trough))}</td><td class="n"><button type="button" data-from="${span.peakMs}" data-to="${endMs}" hidden>Show</button></td></tr>`;
  });
  return html`<h3 class="apart">Deepest drawdowns <small>from a peak of equity to the first time back at it, over every block</small></h3>
<div class="scroll"><table><thead><tr><th class="n">#</th><th class="n">Depth</th><th>Peak</th><th>Trough</th><th>Back at the peak</th><th class="n">Length</th><th class="n">Peak, USD</th><th class="n">Trough, USD</th><th></th></tr></thead><tbody>${rows}</tbody></table></div>`;
}
