import { type Chart, type ChartFrame, renderChart } from "../html/chart.ts";
import { html, type Markup, toMinus } from "../html/markup.ts";
import { renderPage } from "../html/page.ts";
import type { RulesReport, RulesReportFigure } from "./model.ts";

/** Colours of the sets, in their order. */
const TONES = ["mark", "equity", "up", "warn", "loss", "bench", "neutral"] as const;

/** A comparison of rules as one HTML file. */
export function renderRulesHtml(report: RulesReport): string {
  const frame: ChartFrame = { fromMs: report.fromMs, toMs: Math.max(report.toMs, report.fromMs + 1), events: [] };
  const chart = insuranceChart(report);
  return renderPage({
    title: `${report.title}: rules compared`,
    footer:
      "perplab. All times are UTC. The same blocks under each set of rules; a transaction that a set refuses has no effect there.",
    charts: [chart],
    frame,
    body: html`<p class="eyebrow">Rules compared on one block stream</p><h1>${report.title}</h1>
<p class="sub facts">${report.facts.map((fact) => html`<span>${fact}</span>`)}</p>
<section><h2>What each did</h2>${renderFigures(report)}</section>
<section><h2>Side by side</h2>${renderBars(report)}</section>
<section><h2>The insurance fund</h2>${renderChart(chart, frame, 0)}</section>
${renderRules(report)}
<section><h2>What the figures say</h2><details open><summary>Definitions</summary><dl>${report.figures.map(({ name, meaning }) => html`<dt>${name}</dt><dd>${meaning}</dd>`)}</dl></details></section>
<section><h2>Again</h2><div class="box"><code>${report.command}</code></div></section>`,
  });
}

function renderFigures({ sets, figures }: RulesReport): Markup {
  const rows = figures.map(
    ({ name, values }) =>
      html`<tr><th>${name}</th>${values.map(({ text }) => html`<td class="n">${toMinus(text)}</td>`)}</tr>`,
  );
  return html`<div class="scroll"><table><thead><tr><th></th>${sets.map(({ name }) => html`<th class="n">${name}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** Figures of all sets as bars, each figure from its own zero. One table aligns the zeros. */
function renderBars({ sets, figures }: RulesReport): Markup {
  const drawn = figures.filter(({ isDrawn, values }) => isDrawn && values.some(({ number }) => number !== 0));
  if (drawn.length === 0) return html`<p class="empty">No account was liquidated under any of them.</p>`;
  return html`<table class="bars-table"><colgroup><col style="width:22%"><col><col style="width:20%"></colgroup>${drawn.map((figure) => renderGroup(sets, figure))}</table>`;
}

function renderGroup(sets: RulesReport["sets"], { name, values }: RulesReportFigure): Markup {
  const most = Math.max(...values.map(({ number }) => Math.abs(number)));
  const rows = sets.map(({ name: set }, place) => {
    const { text, number } = values[place]!;
    const width = ((Math.abs(number) / most) * 100).toFixed(1);
    const bar = html`<i class="${TONES[place % TONES.length]!}" style="left:0;width:${width}%"></i>`;
    return html`<tr><th>${set}</th><td class="bar"><div class="share">${number !== 0 && bar}</div></td><td class="n">${toMinus(text)}</td></tr>`;
  });
  return html`<tbody><tr><th colspan="3" class="group">${name}</th></tr>${rows}</tbody>`;
}

function insuranceChart({ sets }: RulesReport): Chart {
  return {
    title: "Balance",
    note: "USD; every low is kept",
    height: 280,
    suffix: "",
    digits: 2,
    lines: sets.map(({ name, insurance }, place) => ({
      label: name,
      tone: TONES[place % TONES.length]!,
      shape: "step",
      times: insurance.map(([timeMs]) => timeMs),
      values: insurance.map(([, balance]) => balance),
    })),
  };
}

function renderRules({ sets }: RulesReport): Markup {
  const changed = sets.filter(({ rules }) => rules.length > 0);
  if (changed.length === 0) return html``;
  const names = [...new Set(changed.flatMap(({ rules }) => rules.map(([name]) => name)))].sort();
  const rows = names.map((name) => {
    const cells = changed.map(({ rules }) => rules.find(([rule]) => rule === name)?.[1] ?? "");
    return html`<tr><th><code>${name}</code></th>${cells.map((text) => html`<td class="n">${text === "" ? "as recorded" : text}</td>`)}</tr>`;
  });
  return html`<section><h2>Rules that differ from the record</h2><div class="scroll"><table><thead><tr><th>Parameter</th>${changed.map(({ name }) => html`<th class="n">${name}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div></section>`;
}
