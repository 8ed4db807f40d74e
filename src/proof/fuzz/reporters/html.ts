import { HTML_STYLE } from "../../../product/scenario/reporters/htmlStyle.ts";
import { escapeMarkup } from "../../../product/scenario/reporters/markup.ts";
import type { OperationRow, SearchReport } from "../campaign/report.ts";
import { formatViolation } from "./violationText.ts";

const VERDICTS = {
  held: "everything held",
  violated: "something is broken",
  differs: "not deterministic",
  vacuous: "proves nothing",
} as const;

const count = (value: number): string => `${Math.trunc(value)}`.replace(/\B(?=(\d{3})+$)/g, ",");

/** A self-contained page, light and dark: verdict, failures, figures. */
export function renderHtml(report: SearchReport): string {
  const { verdict, seed, profile, transactions, blocks, iterations, places, pool, seconds } = report;
  const isGood = verdict === "held";
  const figures: readonly (readonly [string, string])[] = [
    ["transactions", count(transactions)],
    ["blocks", count(blocks)],
    ["cases", count(iterations)],
    ["places reached", count(places)],
    ["cases in the pool", count(pool)],
    ["seconds", seconds.toFixed(1)],
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Search: ${VERDICTS[verdict]}</title>
<style>${HTML_STYLE}table{border-collapse:collapse;width:100%}td,th{padding:.2rem .6rem;text-align:right}td:first-child,th:first-child,td:last-child,th:last-child{text-align:left}</style>
</head>
<body>
<main>
<h1>Search <span class="${isGood ? "good" : "bad"}">${VERDICTS[verdict]}</span></h1>
<dl class="figures">${figures.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join("")}</dl>
<p class="lead">Seed ${seed}, profile ${escapeMarkup(profile)}. Digest <code>${report.digest}</code>.</p>
${report.failures.map(renderFailure).join("\n")}
${report.missing.length === 0 ? "" : `<p class="bad">Never reached: ${escapeMarkup(report.missing.join(", "))}.</p>`}
${report.blind.length === 0 ? "" : `<p class="bad">Planted and not found: ${escapeMarkup(report.blind.join(", "))}.</p>`}
<h2>Transactions</h2>
<table><thead><tr><th>action</th><th>calls</th><th>applied</th><th>rejected</th><th>invalid</th><th>by code</th></tr></thead>
<tbody>${report.operations.map(renderOperation).join("\n")}</tbody></table>
<h2>Nearest to breaking</h2>
<table><thead><tr><th>invariant</th><th>by</th><th>case</th><th>unit</th></tr></thead>
<tbody>${report.nearest.map(renderNearest).join("\n")}</tbody></table>
<h2>Invariants</h2>
<table><thead><tr><th>invariant</th><th>times checked</th><th></th></tr></thead>
<tbody>${report.invariants.map(({ id, met }) => `<tr><td>${escapeMarkup(id)}</td><td>${count(met)}</td><td></td></tr>`).join("\n")}</tbody></table>
</main>
</body>
</html>
`;
}

function renderFailure({
  violation,
  transactions,
  again: command,
  count: times,
}: SearchReport["failures"][number]): string {
  const size = transactions === undefined ? "Not shrunk" : `${count(transactions)} transactions`;
  const again = command === undefined ? "" : `\nagain: ${command}`;
  return `<details class="bad" open><summary><span class="mark">✗</span> <span class="name">${escapeMarkup(violation.invariant)}</span></summary>
<div class="body"><pre>${escapeMarkup(formatViolation(violation) + again)}</pre><p>${size}, found ${count(times)} times.</p></div></details>`;
}

function renderNearest({ id, distance, unit, iteration, height }: SearchReport["nearest"][number]): string {
  const cells = [id, count(distance), `${iteration}, block ${height}`, unit];
  return `<tr>${cells.map((cell) => `<td>${escapeMarkup(cell)}</td>`).join("")}</tr>`;
}

function renderOperation({ action, calls, applied, rejected, invalid }: OperationRow): string {
  const codes = Object.entries({ ...rejected, ...invalid }) as [string, number][];
  const total = (counts: object) => Object.values(counts).reduce((sum: number, one: number) => sum + one, 0);
  const cells = [action, count(calls), count(applied), count(total(rejected)), count(total(invalid))];
  const byCode = codes.map(([code, times]) => `${code} ${count(times)}`).join(", ");
  return `<tr>${[...cells, byCode].map((cell) => `<td>${escapeMarkup(cell)}</td>`).join("")}</tr>`;
}
