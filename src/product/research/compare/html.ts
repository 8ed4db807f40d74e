import { countOf, formatCount } from "../../../ground/math/counts.ts";
import type { Chart, ChartFrame, ChartLine } from "../../report/html/chart.ts";
import { renderCommand } from "../../report/html/command.ts";
import { html, type Markup, toMinus } from "../../report/html/markup.ts";
import { renderPage } from "../../report/html/page.ts";
import { renderStack } from "../../report/html/stack.ts";
import { formatNumber, formatPercent } from "../../report/text/numbers.ts";
import { formatDuration, formatTime } from "../../report/text/times.ts";
import type { LogComparison } from "./compareLogs.ts";
import type { DifferenceGroup } from "./difference.ts";
import type { ComparedRuns } from "./model.ts";
import type { FigureUnit, RunFigure, RunFigures } from "./runFigures.ts";
import { describeComparison } from "./text.ts";

/** Two runs as one HTML file. */
export function renderComparisonHtml(runs: ComparedRuns, command: string): string {
  const { comparison, a, b } = runs;
  const logs = runs.logs ?? (comparison.kind === "logs" ? comparison : undefined);
  const chart = equityChart(a, b);
  const frame = frameOf(a, b);
  const hasCurves = chart.lines.length > 0;
  const sentence = describeComparison(comparison);
  const title = `${a.name} and ${b.name}, compared`;
  return renderPage({
    title,
    footer: "perplab. All times are UTC. A is the first of the two, B the second; a difference is B less A.",
    bar: {
      name: "Two runs compared",
      figures: [
        { label: "Runs", value: comparison.equal ? "equal" : "different", tone: comparison.equal ? "gain" : "pain" },
        ...firstBlockFigure(runs, logs),
      ],
      sections: [
        ["first", "First difference"],
        ["why", "Why"],
        ["equity", "Equity"],
        ["figures", "Figures"],
        ["again", "Run again"],
      ],
    },
    ...(hasCurves ? { charts: [chart], frame } : {}),
    body: html`<header><p class="eyebrow">Two ${comparison.kind} compared</p><h1>${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}</h1>
<dl class="pair"><div><dt><i class="key equity"></i>A</dt><dd>${a.name}</dd></div><div><dt><i class="key bench"></i>B</dt><dd>${b.name}</dd></div></dl></header>
<section id="first"><h2>The first difference</h2>${renderFirst(runs, logs)}</section>
<section id="why"><h2>What differs, from causes to results</h2>${renderCauses(runs, logs)}</section>
<section id="equity"><h2>Equity of both</h2>${hasCurves ? renderStack([{ charts: [chart] }], frame, chart) : html`<p class="empty">A bundle has no curve. With <code>--rerun</code> both runs are made again, and their curves and blocks are compared.</p>`}</section>
<section id="figures"><h2>Figures</h2>${renderFigures(a, b)}</section>
<section id="again"><h2>Run again</h2>${renderCommand(command)}</section>`,
  });
}

function firstBlockFigure({ comparison }: ComparedRuns, logs: LogComparison | undefined) {
  const height = logs?.block?.height ?? (comparison.kind === "bundles" ? comparison.firstBlock : undefined);
  return height === undefined ? [] : [{ label: "First block that differs", value: formatCount(height) }];
}

function renderFirst({ comparison }: ComparedRuns, logs: LogComparison | undefined): Markup {
  if (comparison.equal) return html`<p class="empty">There is none.</p>`;
  if (logs !== undefined) {
    const { block, equalBlocks } = logs;
    if (block === undefined) return html`<p class="lede">${describeEnd(logs)}</p>`;
    return html`<p class="lede">Block ${formatCount(block.height)}, ${formatTime(block.timeMs.a)}. ${describeBefore(equalBlocks)}</p>
${block.groups.map(renderGroup)}`;
  }
  if (comparison.kind === "bundles") {
    const { firstBlock, equalBlocks } = comparison;
    return firstBlock === undefined
      ? html`<p class="lede">All ${countOf(equalBlocks, "block has", "blocks have")} the same events.</p>`
      : html`<p class="lede">Block ${formatCount(firstBlock)} is the first whose events differ, or that only one of them has. With <code>--rerun</code> this page shows what differs in it.</p>`;
  }
  const first = comparison.kind === "reports" ? comparison.groups.find(({ topic }) => topic === FIRST_FILL) : undefined;
  return first === undefined
    ? html`<p class="lede">Every fill that both reports keep is equal. Block logs (<code>backtest --log</code>) show the first block.</p>`
    : html`${renderGroup(first)}<p class="sub">Block logs (<code>backtest --log</code>) show the first block.</p>`;
}

function describeBefore(equalBlocks: number): string {
  if (equalBlocks === 0) return "It is the first block of all.";
  return equalBlocks === 1
    ? "The block before it is equal."
    : `The ${countOf(equalBlocks, "block before it is", "blocks before it are")} equal.`;
}

const FIRST_FILL = "first fill that differs";

function describeEnd({ equalBlocks, heights }: LogComparison): string {
  const [ended, other] = heights.a === undefined ? ["B", "A"] : ["A", "B"];
  if (heights.a !== undefined && heights.b !== undefined) return "Every block is equal; only the genesis differs.";
  return `Every block that both have is equal; ${ended} ends at block ${formatCount(equalBlocks)}, and ${other} continues.`;
}

function renderCauses({ comparison }: ComparedRuns, logs: LogComparison | undefined): Markup {
  const groups = [
    ...(comparison.kind === "logs" ? [] : comparison.groups.filter(({ topic }) => topic !== FIRST_FILL)),
    ...(logs?.genesis ?? []),
  ];
  if (groups.length > 0) return html`${groups.map(renderGroup)}`;
  return html`<p class="empty">${comparison.equal ? "Nothing." : "The genesis is the same: the transactions differ."}</p>`;
}

function renderGroup({ topic, differences, more }: DifferenceGroup): Markup {
  const rows = differences.map(
    ({ place, a, b }) => html`<tr><th class="w">${place}</th><td class="w">${a}</td><td class="w">${b}</td></tr>`,
  );
  return html`<h3>${topic.charAt(0).toUpperCase()}${topic.slice(1)}</h3>
<div class="scroll"><table class="differences"><thead><tr><th></th><th>A</th><th>B</th></tr></thead><tbody>${rows}</tbody></table></div>
${more > 0 && html`<p class="sub">and ${formatCount(more)} more</p>`}`;
}

function renderFigures(a: RunFigures, b: RunFigures): Markup {
  const others = new Map(b.figures.map((figure) => [figure.label, figure]));
  const rows = a.figures.flatMap((figure) => {
    const other = others.get(figure.label);
    if (other === undefined) return [];
    const isSame = figure.text === other.text && figure.number === other.number;
    return [
      html`<tr class="${isSame ? "same" : "differs"}"><th>${figure.label}${figure.unit === "usd" && html` <small>USD</small>`}</th><td class="n">${toMinus(figure.text)}</td><td class="n">${toMinus(other.text)}</td><td class="n">${toMinus(describeDifference(figure, other))}</td></tr>`,
    ];
  });
  return html`<div class="scroll"><table><thead><tr><th></th><th class="n">A</th><th class="n">B</th><th class="n">Difference</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** B less A in the unit of the figure; nothing where it is 0 or a side has no value. */
function describeDifference(a: RunFigure, b: RunFigure): string {
  if (a.number === null || b.number === null || a.number === b.number) return "";
  const difference = b.number - a.number;
  const sign = difference < 0 ? "-" : "+";
  return `${sign}${formatAmount(Math.abs(difference), a.unit)}`;
}

function formatAmount(value: number, unit: FigureUnit): string {
  switch (unit) {
    case "usd":
    case "ratio":
      return formatNumber(value, 2);
    case "fraction":
      return formatPercent(value);
    case "ms":
      return formatDuration(value);
    case "count":
      return formatCount(value);
  }
}

function frameOf(a: RunFigures, b: RunFigures): ChartFrame {
  const times = [a, b].flatMap(({ curve }) => (curve === undefined ? [] : [curve.timeMs[0]!, curve.timeMs.at(-1)!]));
  const fromMs = times.length === 0 ? 0 : Math.min(...times);
  return { fromMs, toMs: Math.max(fromMs + 1, ...times), events: [] };
}

function equityChart(a: RunFigures, b: RunFigures): Chart {
  const line = ({ curve }: RunFigures, label: string, tone: string): ChartLine[] =>
    curve === undefined ? [] : [{ label, tone, shape: "line", times: curve.timeMs, values: curve.equity }];
  const lines = [...line(b, "B", "bench"), ...line(a, "A", "equity")];
  return {
    title: "Equity",
    note: "USD, at the mark",
    height: 300,
    suffix: "",
    digits: 2,
    canLog: lines.every(({ values }) => values.every((value) => value === null || value > 0)),
    lines,
  };
}
