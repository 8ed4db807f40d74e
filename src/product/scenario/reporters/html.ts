import { countOf, formatCount } from "../../../ground/math/counts.ts";
import { html, Markup, toMinus } from "../../report/html/markup.ts";
import { renderPage } from "../../report/html/page.ts";
import { formatPlace } from "../faults.ts";
import type { BlockStory, CaseResult, RunFailure, ScenarioResult } from "../run/result.ts";
import { excerpt, type ReadLine } from "./excerpt.ts";
import { SCENARIO_STYLE } from "./htmlStyle.ts";
import { anchorOf, renderIncident } from "./incidentCard.ts";
import { chapterOf } from "./ruleChapters.ts";
import { totalsOf } from "./totals.ts";

/** A page for a risk team: incidents as cards, every other file by section, open where something failed. */
export function renderHtml(results: readonly ScenarioResult[], readLine: ReadLine): string {
  const { files, cases, passed, failed, invalid, blocks, transactions } = totalsOf(results);
  const bad = failed + invalid;
  const figures: readonly (readonly [string, number, string])[] = [
    ["files", files, ""],
    ["passed", passed, "gain"],
    ["failed", failed, failed > 0 ? "pain" : ""],
    ["cannot run", invalid, invalid > 0 ? "pain" : ""],
    ["cases", cases, ""],
    ["blocks", blocks, ""],
    ["transactions", transactions, ""],
  ];
  const incidents = results.filter(isIncident).sort(byDate);
  const others = results.filter((result) => !isIncident(result));
  const sections = [...Map.groupBy(others, ({ file }) => file.split("/").slice(0, -1).join("/"))];
  const title = `Scenarios: ${passed} of ${files} passed`;
  return renderPage({
    title,
    footer: "perplab. Amounts in USD. Every file ran twice with the same result at every height.",
    bar: {
      name: "Scenarios",
      figures: figures.slice(0, 4).map(([label, value, tone]) => ({ label, value: formatCount(value), tone })),
      sections: [
        ...(incidents.length > 0 ? ([["incidents", "Incidents"]] as const) : []),
        ...(others.length > 0 ? ([["files", "Files"]] as const) : []),
        ["rules", "Rules"],
      ],
    },
    body: html`<style>${new Markup(SCENARIO_STYLE)}</style><p class="eyebrow">Scenarios of the venue</p>
<h1>${incidents.length > 0 && others.length === 0 ? "Incidents" : "Scenarios"} <span class="state ${bad === 0 ? "gain" : "pain"}">${bad === 0 ? "all as expected" : `${bad} not as expected`}</span></h1>
<dl class="figures">${figures.map(([name, value, tone]) => html`<div><dt>${name}</dt><dd class="${tone}">${formatCount(value)}</dd></div>`)}</dl>
<p class="lede">Every file ran twice with the same result at every height, with every invariant of the venue checked after every block and every transaction.</p>
<div class="tools" hidden><input type="search" data-search="card" placeholder="Filter: withdraw 2025 LIQ-3 ( / )" aria-label="Filter cards"><span class="empty"><output></output> shown</span></div>
${
  incidents.length > 0 &&
  html`<section id="incidents" data-group><h2>Incidents</h2><p class="lede">What happened elsewhere, run again here: under weak rules as it was, and under the rules that this venue has by default.</p>
<div class="cards">${incidents.map((result) => renderIncident(result, renderDetails(result, readLine)))}</div></section>`
}
${others.length > 0 && html`<div id="files">${sections.map(([folder, found]) => html`<section data-group><h2>${folder}</h2>${found.map((result) => renderFile(result, readLine))}</section>`)}</div>`}
${renderRules(results)}`,
  });
}

const isIncident = ({ story }: ScenarioResult) => story !== undefined;

/** The newest first; those without a date, and equal ones, by their file. */
function byDate(a: ScenarioResult, b: ScenarioResult): number {
  const [x, y] = [a, b].map(({ source = "" }) => /^\d{4}-\d{2}-\d{2}/.exec(source)?.[0] ?? "");
  return x === y ? (a.file < b.file ? -1 : 1) : x! > y! ? -1 : 1;
}

function renderFile(result: ScenarioResult, readLine: ReadLine): Markup {
  const { status, name, sentence, rules } = result;
  const isBad = status !== "passed";
  return html`<details class="card file ${isBad ? "bad" : "good"}" id="${anchorOf(result)}"${isBad && html` open`}>
<summary><span class="verdict ${isBad ? "pain" : "gain"}">${isBad ? "✗" : "✓"}</span> <span class="name">${name}</span> ${rules.map((rule) => html`<span class="rule">${rule}</span>`)}<code>${result.file}</code></summary>
<div class="body">${sentence !== "" && html`<p>${sentence}</p>`}
${renderDetails(result, readLine)}</div>
</details>
`;
}

function renderDetails({ faults, cases }: ScenarioResult, readLine: ReadLine): Markup {
  const problems = faults.map(({ place, message, hint }) =>
    renderProblem(formatPlace(place), message, excerpt(place, readLine), hint === undefined ? [] : [["hint", hint]]),
  );
  return html`${problems}${cases.map((found) => renderCase(found, readLine))}`;
}

function renderCase(
  { name, failures, blocks, transactions, root, stories, status }: CaseResult,
  readLine: ReadLine,
): Markup {
  return html`<div class="case"><p class="case-facts"><b class="${status === "passed" ? "gain" : "pain"}">${name === "" ? "one case" : name}</b> ${countOf(blocks, "block")}, ${countOf(transactions, "transaction")}, root <code>${root.slice(0, 18)}…</code></p>
${failures.map((failure) => renderFailure(failure, readLine))}
${stories.map(renderBlock)}</div>`;
}

function renderFailure(failure: RunFailure, readLine: ReadLine): Markup {
  const { place, what, expected, observed, hint, block, height } = failure;
  const where = block === "" ? formatPlace(place) : `${formatPlace(place)}, ${block}, height ${height}`;
  const rows: [string, string][] = [
    ["expected", expected],
    ["observed", observed],
  ];
  if (hint !== undefined) rows.push(["hint", hint]);
  return renderProblem(where, what, excerpt(place, readLine), rows);
}

function renderProblem(
  where: string,
  what: string,
  lines: readonly string[],
  rows: readonly (readonly [string, string])[],
): Markup {
  return html`<div class="problem"><p><b>${what}</b> <span class="where">${where}</span></p>
${lines.length > 0 && html`<pre>${lines.join("\n")}</pre>`}
<table class="pair">${rows.map(([name, text]) => html`<tr class="${name}"><th>${name}</th><td>${text}</td></tr>`)}</table></div>`;
}

const list = (title: string, lines: readonly string[]) =>
  lines.length > 0 && html`<h5>${title}</h5><ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`;

const AMOUNTS = ["collateral", "equity", "initial", "maintenance", "free"] as const;

function renderBlock({ name, note, height, prices, transactions, fills, events, accounts }: BlockStory): Markup {
  const marks = prices.map(
    ({ market, oracle, index, mark }) =>
      `${market} mark ${mark}${index === mark && oracle === mark ? "" : `, index ${index}, oracle ${oracle}`}`,
  );
  return html`<div class="block"><h4>${name} <span class="where">height ${height}</span></h4>
${note !== undefined && html`<p>${note}</p>`}
<p class="where">${marks.join("; ")}</p>
${transactions.length > 0 && html`<div class="scroll"><table><thead><tr><th>Transaction</th><th>Outcome</th></tr></thead><tbody>${transactions.map(({ words, outcome }) => html`<tr><td>${words}</td><td class="${outcome.startsWith("applied") ? "" : "warned"}">${outcome}</td></tr>`)}</tbody></table></div>`}
${list("fills", fills)}${list("events", events)}
${accounts.length > 0 && html`<div class="scroll"><table><thead><tr><th>account</th>${AMOUNTS.map((column) => html`<th class="n">${column}</th>`)}<th>positions</th><th>orders</th></tr></thead><tbody>${accounts.map((account) => html`<tr><td>${account.name}</td>${AMOUNTS.map((column) => html`<td class="n">${toMinus(account[column])}</td>`)}<td>${account.positions}</td><td>${account.orders}</td></tr>`)}</tbody></table></div>`}
</div>`;
}

/** Every cited rule, where its text is, and the files that cite it. */
function renderRules(results: readonly ScenarioResult[]): Markup {
  const byRule = new Map<string, ScenarioResult[]>();
  for (const result of results)
    for (const rule of result.rules) {
      const known = byRule.get(rule);
      if (known === undefined) byRule.set(rule, [result]);
      else known.push(result);
    }
  const number = (rule: string) => Number(rule.split("-")[1] ?? 0);
  const prefix = (rule: string) => rule.split("-")[0]!;
  const order = (a: string, b: string) =>
    prefix(a) === prefix(b) ? number(a) - number(b) : prefix(a) < prefix(b) ? -1 : 1;
  const rows = [...byRule.keys()]
    .sort(order)
    .map(
      (rule) =>
        html`<tr id="rule-${rule}"><th scope="row"><code>${rule}</code></th><td><code>${chapterOf(rule)}</code></td><td>${byRule.get(rule)!.map((result) => html`<a href="#${anchorOf(result)}">${result.name}</a> `)}</td></tr>`,
    );
  return html`<section id="rules"><h2>Rules that these files cite</h2>${rows.length === 0 ? html`<p class="empty">None.</p>` : html`<details${rows.length <= 60 && html` open`}><summary>${countOf(rows.length, "rule")}, with the page of the rulebook that has the text</summary><div class="scroll"><table class="rules"><thead><tr><th>Rule</th><th>Text</th><th>Cited by</th></tr></thead><tbody>${rows}</tbody></table></div></details>`}</section>`;
}
