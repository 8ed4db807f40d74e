import { relative, sep } from "node:path";
import { countOf, formatCount } from "../../../ground/math/counts.ts";
import { renderCommand } from "../../../product/report/html/command.ts";
import { type DataTable, renderDataTable } from "../../../product/report/html/dataTable.ts";
import { html, Markup } from "../../../product/report/html/markup.ts";
import { renderPage } from "../../../product/report/html/page.ts";
import { formatNumber, formatPercent } from "../../../product/report/text/numbers.ts";
import type { FailureNote } from "../campaign/failures.ts";
import type { OperationRow, SearchReport } from "../campaign/report.ts";
import { formatViolation } from "./violationText.ts";

const VERDICTS = {
  held: "everything held",
  violated: "something is broken",
  differs: "not deterministic",
  vacuous: "proves nothing",
} as const;

/** Styles of this page beyond the common style of pages. */
const STYLE = `
h1 .state { font-size: 15px; font-weight: 550; margin-left: 8px; letter-spacing: 0; }
.failure { border: 1px solid var(--rule); border-left: 3px solid var(--down); border-radius: 6px; padding: 12px 16px; margin: 10px 0; }
.failure h3 { font-size: 15px; margin-bottom: 6px; } .failure pre { background: var(--soft); border-radius: 5px; padding: 8px 12px; overflow-x: auto; margin: 6px 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.failure .links { display: flex; flex-wrap: wrap; gap: 4px 16px; font-size: 13px; }
`;

/**
 * A page about a search: verdict, failures with links to their pages, and what was tried. What only the search itself
 * needs is folded.
 *
 * @param folder where the page will be: links to the failures' pages start there
 */
export function renderHtml(report: SearchReport, folder = "."): string {
  const { verdict, seed, profile, transactions, blocks, iterations, places, pool, seconds, failures } = report;
  const tone = verdict === "held" ? "gain" : "pain";
  const tables = [getOperations(report), getNearest(report), getInvariants(report)] as const;
  const figures = [
    ["Transactions", formatCount(transactions), `${formatNumber(transactions / Math.max(seconds, 0.001), 0)} a second`],
    ["Blocks", formatCount(blocks), `in ${countOf(iterations, "case")}`],
    ["Failures", formatCount(failures.length), `${countOf(report.violations, "violation")} with repetitions`],
    [
      "Invariants checked",
      formatCount(report.invariants.filter(({ met }) => met > 0).length),
      `of ${formatCount(report.invariants.length)} had something to check`,
    ],
  ] as const;
  return renderPage({
    title: `Search: ${VERDICTS[verdict]}`,
    footer: "perplab. Equal seeds and settings give equal digests, with any number of workers.",
    bar: {
      name: `Search, seed ${seed}`,
      figures: [
        { label: "Verdict", value: VERDICTS[verdict], tone },
        { label: "Transactions", value: formatCount(transactions) },
        { label: "Failures", value: formatCount(failures.length), tone: failures.length > 0 ? "pain" : "" },
      ],
      sections: [
        ["failures", "Failures"],
        ["transactions", "Transactions"],
        ["nearest", "Nearest to breaking"],
        ["engine", "Invariants and search"],
      ],
    },
    tables,
    body: html`<style>${new Markup(STYLE)}</style><p class="eyebrow">Search for broken invariants</p>
<h1>Search <span class="state ${tone}">${VERDICTS[verdict]}</span></h1>
<p class="sub facts"><span>seed ${seed}</span><span>profile ${profile}</span><span>${formatNumber(seconds, 1)} s</span></p>
<dl class="kpis">${figures.map(([name, value, detail]) => html`<div><dt>${name}</dt><dd class="value">${value}</dd><dd class="detail">${detail}</dd></div>`)}</dl>
${(report.missing.length > 0 || report.blind.length > 0) && html`<ul class="notices">${report.missing.length > 0 && html`<li class="error">Never reached: ${report.missing.join(", ")}.</li>`}${report.blind.length > 0 && html`<li class="error">Planted and not found: ${report.blind.join(", ")}.</li>`}</ul>`}
<section id="failures"><h2>Failures</h2>${failures.length === 0 ? html`<p class="empty">None: every invariant held after every transaction and block.</p>` : failures.map((failure) => renderFailure(failure, folder))}</section>
<section id="transactions"><h2>Transactions</h2><p class="lede">What was tried, by action, and how the venue answered.</p>${renderDataTable(tables[0], 0)}</section>
<section id="nearest"><h2>Nearest to breaking</h2><p class="lede">Least slack of each invariant that reports one: how far the nearest case was from breaking it.</p>${renderDataTable(tables[1], 1)}</section>
<section id="engine"><h2>Invariants and search</h2><details><summary>How often each invariant had something to check</summary>${renderDataTable(tables[2], 2)}</details>
<details><summary>Inside the search: coverage and digest</summary><table><tbody><tr><th scope="row">Places of the coverage map that were reached</th><td class="n">${formatCount(places)}</td></tr><tr><th scope="row">Cases in the pool</th><td class="n">${formatCount(pool)}</td></tr><tr><th scope="row">Digest</th><td><code class="hash">${report.digest}</code></td></tr></tbody></table></details></section>`,
  });
}

function renderFailure(
  { violation, transactions, again, scenario, path, unsaid, count }: FailureNote,
  folder: string,
): Markup {
  const size = transactions === undefined ? "Not shrunk" : countOf(transactions, "transaction");
  return html`<article class="failure"><h3>${violation.invariant}</h3>
<pre>${formatViolation(violation)}</pre>
<p class="links">${scenario !== undefined && html`<a href="${toLink(folder, scenario.replace(/yaml$/, "html"))}">Page of the case</a><a href="${toLink(folder, scenario)}">Scenario</a>`}${path !== undefined && html`<a href="${toLink(folder, path)}">Case file</a>`}<span class="none">${size}, found ${countOf(count, "time")}</span></p>
${unsaid !== undefined && html`<p class="empty">No scenario: ${unsaid}</p>`}
${again !== undefined && renderCommand(again)}</article>`;
}

/** A link to a file from the page's folder, in the form of a URL. */
function toLink(folder: string, path: string): string {
  const link = relative(folder, path).split(sep).map(encodeURIComponent).join("/");
  return link.startsWith("..") ? link : `./${link}`;
}

function getOperations({ operations }: SearchReport): DataTable {
  const total = (counts: object) => Object.values(counts).reduce((sum: number, one: number) => sum + one, 0);
  const byCode = ({ rejected, invalid }: OperationRow) =>
    (Object.entries({ ...rejected, ...invalid }) as [string, number][])
      .map(([code, times]) => `${code} ${formatCount(times)}`)
      .join(", ");
  return {
    name: "search-transactions",
    columns: [
      { key: "action", label: "Action", kind: "text" },
      { key: "calls", label: "Calls", kind: "count" },
      { key: "applied", label: "Applied", kind: "count" },
      { key: "rejected", label: "Rejected", kind: "count" },
      { key: "invalid", label: "Invalid", kind: "count" },
      { key: "codes", label: "By code", kind: "text", isWrapped: true },
    ],
    rows: operations.map((row) => [
      row.action,
      row.calls,
      row.applied,
      total(row.rejected),
      total(row.invalid),
      byCode(row),
    ]),
    total: operations.length,
  };
}

function getNearest({ nearest }: SearchReport): DataTable {
  return {
    name: "search-nearest",
    columns: [
      { key: "invariant", label: "Invariant", kind: "text" },
      { key: "slack", label: "Slack", kind: "count" },
      { key: "unit", label: "Unit", kind: "text" },
      { key: "case", label: "Case", kind: "count" },
      { key: "block", label: "Block", kind: "count" },
    ],
    rows: nearest.map(({ id, distance, unit, iteration, height }) => [
      id,
      Math.trunc(distance),
      unit,
      iteration,
      height,
    ]),
    total: nearest.length,
  };
}

function getInvariants({ invariants }: SearchReport): DataTable {
  const most = Math.max(1, ...invariants.map(({ met }) => met));
  return {
    name: "search-invariants",
    columns: [
      { key: "invariant", label: "Invariant", kind: "text" },
      { key: "met", label: "Times checked", kind: "count" },
      { key: "share", label: "Of the most checked", kind: "text" },
    ],
    rows: invariants.map(({ id, met }) => [id, met, formatPercent(met / most, 1)]),
    total: invariants.length,
  };
}
