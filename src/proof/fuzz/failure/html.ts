import { countOf, formatCount } from "../../../ground/math/counts.ts";
import { renderCommand } from "../../../product/report/html/command.ts";
import { html, Markup, toMinus } from "../../../product/report/html/markup.ts";
import { renderPage } from "../../../product/report/html/page.ts";
import type { AccountCells, FailureReport, TimelineRow } from "./model.ts";

/** Styles of this page beyond the common style of reports. */
const STYLE = `
main, .top-row, .top nav { max-width: 1320px; }
.film td, .film th { white-space: nowrap; } .film td.what { white-space: normal; min-width: 240px; max-width: 420px; overflow-wrap: anywhere; }
.film tr.bad td { background: var(--error-soft); } .film td.n { padding-left: 10px; } .film td.meant { outline: 2px solid var(--down); outline-offset: -2px; font-weight: 600; }
.film .who { border-left: 1px solid var(--rule); padding-left: 10px; } .film small { color: var(--ink3); display: block; }
.film td.refused { color: var(--warn); } pre.box { overflow-x: auto; font: 12.5px/1.5 ui-monospace, Menlo, Consolas, monospace; white-space: pre; }
.lead { font-size: 17px; } .sides td { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 12.5px; }
`;

const SECTIONS = [
  ["again", "Run again"],
  ["story", "What happened"],
  ["changes", "Changes"],
  ["scenario", "As a scenario"],
] as const;

/** Renders failures as one self-contained HTML file. */
export function renderHtml(reports: readonly FailureReport[]): string {
  const [first] = reports;
  const title = first === undefined ? "Nothing is broken" : `${first.invariant} is broken`;
  return renderPage({
    title: reports.length > 1 ? `${title}, and ${reports.length - 1} more` : title,
    footer: "perplab. Sizes in units of base, amounts and prices in USD, every digit shown.",
    bar: {
      name: title,
      figures: reports.length > 1 ? [{ label: "Failures", value: String(reports.length) }] : [],
      sections: reports.length === 1 ? SECTIONS.filter(([id]) => id !== "changes" || first!.changes.length > 0) : [],
    },
    body: html`<style>${new Markup(STYLE)}</style>${reports.length === 0 ? html`<h1>Nothing is broken</h1>` : reports.map((report) => failure(report, reports.length === 1))}`,
  });
}

/** @param isOnly the only failure of its page, whose sections have the ids that the bar links to */
function failure(report: FailureReport, isOnly: boolean): Markup {
  const {
    invariant,
    headline,
    sentence,
    rules,
    catalogue,
    kind,
    scenario,
    command,
    cost,
    changes,
    terms,
    sides,
    orders,
  } = report;
  const anchor = (id: string) => isOnly && html` id="${id}"`;
  return html`<p class="eyebrow">${kind === "invariant" ? "An invariant does not hold" : `Found by ${kind}`}</p>
<h1>${invariant}</h1>
<p class="lead">${headline}</p>
<p class="sub">${sentence}</p>
<ul class="chips">${[...rules, ...catalogue].map((id) => html`<li><b>${id}</b></li>`)}${
    cost === undefined
      ? null
      : html`<li><b>${formatCount(cost.transactions)}</b> of ${countOf(cost.transactionsBefore, "transaction")}, ${countOf(cost.candidates, "try", "tries")}${cost.isDone ? "" : ", not finished"}</li>`
  }</ul>
<section${anchor("again")}><h2>Run again</h2>${renderCommand(command)}</section>
<section${anchor("story")}><h2>What happened</h2>${timeline(report)}</section>
${
  sides.length === 0
    ? null
    : html`<section><h2>Venue and model</h2><p class="sub">Differences ${report.index === undefined ? "after the block" : "after the transaction"}, in units of the protocol: quote units, lots, ticks, 1e-8 USD.</p><div class="scroll"><table class="sides"><thead><tr><th>value</th><th class="n">venue</th><th class="n">model</th></tr></thead><tbody>${sides.map(({ what, venue, model }) => html`<tr><th>${what}</th><td class="n">${toMinus(venue)}</td><td class="n">${toMinus(model)}</td></tr>`)}</tbody></table></div></section>`
}
${
  changes.length === 0
    ? null
    : html`<section${anchor("changes")}><h2>What the failing ${report.index === undefined ? "block" : "transaction's block"} changed</h2><div class="scroll"><table><thead><tr><th>value</th><th class="n">before</th><th class="n">after</th><th class="n">by</th><th>changed before by</th></tr></thead><tbody>${changes.map(
        ({ what, before, after, by, last }) =>
          html`<tr><th>${what}</th><td class="n">${toMinus(before)}</td><td class="n">${toMinus(after)}</td><td class="n">${toMinus(by)}</td><td class="sub">${last}</td></tr>`,
      )}</tbody></table></div></section>`
}
${terms.length === 0 ? null : html`<section><h2>What was compared</h2><div class="scroll"><table><tbody>${terms.map(({ name, value }) => html`<tr><th>${name}</th><td class="n">${toMinus(value)}</td></tr>`)}</tbody></table></div></section>`}
${
  orders === undefined
    ? null
    : html`<section><h2>Two orders</h2><p>${orders.rule}</p><div class="scroll"><table><thead><tr><th></th><th>by the rule</th><th>found</th></tr></thead><tbody>${orders.wanted.map((wanted, at) => html`<tr><th>${at + 1}</th><td>${wanted}</td><td class="${wanted === orders.found[at] ? "" : "pain"}">${orders.found[at] ?? ""}</td></tr>`)}</tbody></table></div></section>`
}
<section${anchor("scenario")}><h2>As a scenario</h2><p class="sub">scenarios/regressions/${scenario.name}</p><pre class="box">${scenario.text}</pre></section>`;
}

function timeline({ timeline: rows, accounts, markets }: FailureReport): Markup {
  return html`<div class="scroll"><table class="film"><thead>
<tr><th rowspan="2">block</th><th rowspan="2">what</th><th rowspan="2">outcome</th>${markets.map((name) => html`<th rowspan="2" class="n">mark<small>${name}</small></th>`)}${accounts.map((name) => html`<th colspan="4" class="who">${name}</th>`)}</tr>
<tr>${accounts.map(() => html`<th class="n who">collateral</th><th class="n">position</th><th class="n">equity</th><th class="n">maintenance</th>`)}</tr>
</thead><tbody>${rows.map(row)}</tbody></table></div>`;
}

function row({ height, index, what, outcome, fills, marks, accounts, isFailing }: TimelineRow): Markup {
  const place = index === undefined ? String(height) : `${height}-${index}`;
  const isRefused = /^(rejected|invalid)/.test(outcome);
  return html`<tr class="${isFailing ? "bad" : ""}"><td>${place}</td><td class="what">${what}${fills.map((fill) => html`<small>fill: ${fill}</small>`)}</td><td class="${isRefused ? "refused" : ""}">${outcome}</td>${marks.map((mark) => html`<td class="n">${mark}</td>`)}${accounts.map((cells) => person(cells, isFailing))}</tr>`;
}

function person(cells: AccountCells | undefined, isFailing: boolean): Markup {
  if (cells === undefined) return html`<td class="who"></td><td></td><td></td><td></td>`;
  const { collateral, positions, equity, maintenance, isMeant } = cells;
  return html`<td class="n who ${isFailing && isMeant ? "meant" : ""}">${toMinus(collateral)}</td><td class="n">${toMinus(positions)}</td><td class="n">${toMinus(equity)}</td><td class="n">${toMinus(maintenance)}</td>`;
}
