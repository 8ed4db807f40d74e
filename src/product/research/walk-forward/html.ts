import { countOf } from "../../../ground/math/counts.ts";
import type { Chart, ChartFrame } from "../../report/html/chart.ts";
import { renderCommand } from "../../report/html/command.ts";
import { type DataTable, renderDataTable } from "../../report/html/dataTable.ts";
import { html, type Markup, toMinus } from "../../report/html/markup.ts";
import { renderPage } from "../../report/html/page.ts";
import { renderStack } from "../../report/html/stack.ts";
import { getMetricColumn } from "../sweep/metricColumn.ts";
import { describeMetric } from "../sweep/metricKey.ts";
import { describeChoice, describeFailures, describeOutcome, listFigures } from "./describe.ts";
import type { WalkForwardReport } from "./model.ts";

/** A walk-forward as one HTML file. */
export function renderWalkForwardHtml(report: WalkForwardReport, command: string): string {
  const { strategy, windows, curve, drift, failed } = report;
  const figures = listFigures(report);
  const frame: ChartFrame = {
    fromMs: curve.timeMs[0]!,
    toMs: curve.timeMs.at(-1)!,
    events: windows.flatMap(({ outcome, test }) => (outcome === "wipedOut" ? [test.toMs] : [])),
  };
  const charts = [equityChart(report), returnChart(report)];
  const table = createTable(report);
  const name = describeMetric(report.metric).label;
  return renderPage({
    title: `${strategy}: walk-forward over ${countOf(windows.length, "window")}`,
    footer: "perplab. All times are UTC. Each test begins flat, with the deposit of the run.",
    bar: {
      name: `${strategy}, walk-forward`,
      figures: figures.slice(0, 3).map(({ label, value }) => ({ label, value: toMinus(value) })),
      sections: [
        ["curve", "Curve"],
        ["windows", "Windows"],
        ["drift", "Parameters"],
        ["run", "Run again"],
      ],
    },
    charts,
    frame,
    tables: [table],
    body: html`<header><p class="eyebrow">Walk-forward</p><h1>${strategy}</h1>
<p class="sub">Parameters are chosen by ${name} on the training span of each window, and tried on the test that follows it.</p>
${failed.first !== null && html`<ul class="notices"><li class="error">${describeFailures(failed)}</li></ul>`}</header>
<dl class="kpis three">${figures.map(({ label, value, meaning }) => html`<div><dt>${label}</dt><dd class="value">${toMinus(value)}</dd><dd class="detail">${meaning}</dd></div>`)}</dl>
<section id="curve"><h2>Out of sample</h2>${renderStack([{ charts }], frame, charts[0]!)}</section>
<section id="windows"><h2>Windows</h2>${renderDataTable(table, 0)}</section>
<section id="drift"><h2>Parameters from window to window</h2>${renderDrift(drift, windows.length)}</section>
<section id="run"><h2>Run again</h2>${renderCommand(command)}</section>`,
  });
}

function equityChart({ curve }: WalkForwardReport): Chart {
  return {
    title: "Equity of the tests",
    note: "1 is the start; each test continues where the one before it ended",
    height: 280,
    suffix: "",
    digits: 4,
    include: [1],
    canLog: curve.equity.every((value) => value > 0),
    lines: [{ label: "out of sample", tone: "equity", shape: "line", times: curve.timeMs, values: curve.equity }],
  };
}

/** Returns in training and in the test, each held over its test. */
function returnChart({ windows }: WalkForwardReport): Chart {
  const times = windows.map(({ test }) => test.fromMs);
  const percent = (value: number | null) => (value === null ? null : value * 100);
  return {
    title: "Return of each window",
    note: "in training and in its test",
    height: 180,
    suffix: " %",
    digits: 2,
    include: [0],
    lines: [
      {
        label: "training",
        tone: "bench",
        shape: "step",
        isHeld: true,
        times,
        values: windows.map(({ trainReturn }) => percent(trainReturn)),
      },
      {
        label: "test",
        tone: "equity",
        shape: "stepArea",
        isHeld: true,
        times,
        values: windows.map(({ testReturn }) => percent(testReturn)),
      },
    ],
  };
}

function createTable(report: WalkForwardReport): DataTable {
  const metric = describeMetric(report.metric).label;
  const rows = report.windows.map((window) => [
    window.test.fromMs,
    window.test.toMs,
    describeChoice(report, window),
    window.trainValue,
    window.testValue,
    window.trainReturn,
    window.testReturn,
    describeOutcome(window),
  ]);
  return {
    name: "windows",
    total: rows.length,
    rows,
    zoom: ["testFrom", "testTo"],
    columns: [
      { key: "testFrom", label: "Test from", unit: "UTC", kind: "time" },
      { key: "testTo", label: "to", unit: "UTC", kind: "time" },
      { key: "chosen", label: "Chosen", kind: "text", meaning: "The best point of the grid in training." },
      { key: "trainMetric", label: `${metric} in training`, ...getMetricColumn(report.metric) },
      { key: "testMetric", label: `${metric} in the test`, ...getMetricColumn(report.metric) },
      { key: "trainReturn", label: "Return in training", kind: "percent", isSigned: true },
      { key: "testReturn", label: "Return in the test", kind: "percent", isSigned: true },
      { key: "outcome", label: "Notes", kind: "text" },
    ],
  };
}

function renderDrift(drift: WalkForwardReport["drift"], windows: number): Markup {
  if (drift.length === 0) return html`<p class="empty">No axis of the grid has more than one value.</p>`;
  const rows = drift.map(
    ({ axis, values, changes, distinct, offered }) =>
      html`<tr><th><code>${axis}</code></th><td class="n">${changes} of ${Math.max(0, windows - 1)}</td><td class="n">${distinct} of ${offered}</td><td>${values.map((value) => value ?? "none").join(", ")}</td></tr>`,
  );
  return html`<p class="lede">A value that changes in most windows fits noise.</p><div class="scroll"><table><thead><tr><th>Parameter</th><th class="n">Changes</th><th class="n">Values chosen</th><th>By window</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}
