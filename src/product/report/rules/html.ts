import type { Chart, ChartFrame } from "../html/chart.ts";
import { renderCommand } from "../html/command.ts";
import { html, type Markup, toMinus } from "../html/markup.ts";
import { renderPage } from "../html/page.ts";
import { renderStack } from "../html/stack.ts";
import type { RulesReport, RulesReportFigure } from "./model.ts";

/** Colours of the sets, in their order. */
const TONES = ["c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8"] as const;

/** A comparison of rules as one HTML file. */
export function renderRulesHtml(report: RulesReport): string {
  const frame: ChartFrame = { fromMs: report.fromMs, toMs: Math.max(report.toMs, report.fromMs + 1), events: [] };
  const chart = insuranceChart(report);
  return renderPage({
    title: `${report.title}: rules compared`,
    footer:
      "perplab. All times are UTC. The same blocks under each set of rules; a transaction that a set refuses has no effect there.",
    bar: {
      name: `${report.title}: rules compared`,
      figures: [{ label: "Sets", value: String(report.sets.length) }],
      sections: [
        ["figures", "What each did"],
        ["bars", "Side by side"],
        ["insurance", "Insurance fund"],
        ["rules", "Rules that differ"],
        ["again", "Run again"],
      ],
    },
    charts: [chart],
    frame,
    body: html`<p class="eyebrow">Rules compared on one block stream</p><h1>${report.title}</h1>
<p class="sub facts">${report.facts.map((fact) => html`<span>${fact}</span>`)}</p>
<section id="figures"><h2>What each did</h2>
<p class="lede">Marked where less, or more, is better for the venue and its traders: <span class="best">best</span>, <span class="worst">worst</span>. Equal sets share a mark. Point at a name for its meaning.</p>
${renderFigures(report)}
<details><summary>Definitions</summary><dl>${report.figures.map(({ name, meaning }) => html`<dt>${name}</dt><dd>${meaning}</dd>`)}</dl></details></section>
<section id="bars"><h2>Side by side</h2>${renderBars(report)}</section>
<section id="insurance"><h2>The insurance fund</h2>${renderStack([{ charts: [chart] }], frame, chart)}</section>
${renderRules(report)}
<section id="again"><h2>Run again</h2>${renderCommand(report.command)}</section>`,
  });
}

const isZero = ({ values }: RulesReportFigure) => values.every(({ number }) => number === 0);

function renderFigures({ sets, figures }: RulesReport): Markup {
  const head = html`<thead><tr><th></th><th>Unit</th>${sets.map(({ name }, place) => html`<th class="n"><i class="key ${toneOf(place)}"></i>${name}</th>`)}</tr></thead>`;
  const table = (rows: readonly RulesReportFigure[]) =>
    html`<div class="scroll"><table>${head}<tbody>${rows.map(renderFigure)}</tbody></table></div>`;
  const some = figures.filter((figure) => !isZero(figure));
  const none = figures.filter(isZero);
  return html`${some.length > 0 ? table(some) : html`<p class="empty">Nothing happened under any of them.</p>`}
${none.length > 0 && html`<details><summary>Zero under every set: ${none.map(({ name }) => name).join(", ")}</summary>${table(none)}</details>`}`;
}

function renderFigure({ name, meaning, unit, better, values }: RulesReportFigure): Markup {
  const numbers = values.map(({ number }) => number);
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const mark = (number: number) => {
    if (better === null || least === most) return "";
    return number === (better === "less" ? least : most)
      ? " best"
      : number === (better === "less" ? most : least)
        ? " worst"
        : "";
  };
  return html`<tr class="has-tip"><th scope="row"><span class="term" tabindex="0">${name}<span class="tip" role="tooltip">${meaning}</span></span></th><td class="unit">${unit}</td>${values.map(({ text, number }) => html`<td class="n"><span class="mark${mark(number)}"${mark(number) !== "" && html` title="${mark(number).trim()}"`}>${toMinus(text)}</span></td>`)}</tr>`;
}

const toneOf = (place: number) => TONES[place % TONES.length]!;

/** Figures of all sets as bars, each figure from its own zero. One table aligns the zeros. */
function renderBars({ sets, figures }: RulesReport): Markup {
  const drawn = figures.filter((figure) => figure.isDrawn && !isZero(figure));
  if (drawn.length === 0) return html`<p class="empty">No account was liquidated under any of them.</p>`;
  return html`<table class="bars-table"><colgroup><col style="width:27%"><col><col style="width:24%"></colgroup>${drawn.map((figure) => renderGroup(sets, figure))}</table>`;
}

function renderGroup(sets: RulesReport["sets"], { name, unit, values }: RulesReportFigure): Markup {
  const most = Math.max(...values.map(({ number }) => Math.abs(number)));
  const rows = sets.map(({ name: set }, place) => {
    const { text, number } = values[place]!;
    const width = ((Math.abs(number) / most) * 100).toFixed(1);
    const bar = html`<i class="${toneOf(place)}" style="left:0;width:${width}%"></i>`;
    return html`<tr><th>${set}</th><td class="bar"><div class="share">${number !== 0 && bar}</div></td><td class="n">${toMinus(text)}</td></tr>`;
  });
  return html`<tbody><tr><th colspan="3" class="group">${name}${unit !== "" && html` <small>${unit}</small>`}</th></tr>${rows}</tbody>`;
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
      tone: toneOf(place),
      shape: "step",
      isHeld: true,
      times: insurance.map(([timeMs]) => timeMs),
      values: insurance.map(([, balance]) => balance),
    })),
  };
}

function renderRules({ sets }: RulesReport): Markup {
  const changed = sets.filter(({ rules }) => rules.length > 0);
  if (changed.length === 0) return html``;
  const names = [...new Set(changed.flatMap(({ rules }) => rules.map(([name]) => name)))].sort(compareNatural);
  const rows = names.map((name) => {
    const cells = changed.map(({ rules }) => rules.find(([rule]) => rule === name)?.[1] ?? "");
    return html`<tr><th scope="row"><code>${name}</code></th>${cells.map((text) => html`<td class="n${text === "" ? " none" : ""}">${text === "" ? "as recorded" : text}</td>`)}</tr>`;
  });
  return html`<section id="rules"><h2>Rules that differ from the record</h2><div class="scroll"><table><thead><tr><th>Parameter</th>${changed.map(({ name }) => html`<th class="n">${name}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

/** Order of names in which `tier2` comes before `tier10`. */
export function compareNatural(a: string, b: string): number {
  const [x, y] = [a, b].map((name) => name.split(/(\d+)/)) as [string[], string[]];
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    if (x[i] === y[i]) continue;
    return i % 2 === 1 ? Number(x[i]) - Number(y[i]) : x[i]! < y[i]! ? -1 : 1;
  }
  return x.length - y.length;
}
