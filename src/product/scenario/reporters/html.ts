import { formatPlace } from "../faults.ts";
import type { BlockStory, CaseResult, RunFailure, ScenarioResult } from "../run/result.ts";
import { excerpt, type ReadLine } from "./excerpt.ts";
import { HTML_STYLE } from "./htmlStyle.ts";
import { escapeMarkup } from "./markup.ts";
import { totalsOf } from "./totals.ts";

/** A page of its own, light and dark, that a risk team reads: every file by section, open where something failed. */
export function renderHtml(results: readonly ScenarioResult[], readLine: ReadLine): string {
  const { files, cases, passed, failed, invalid, blocks, transactions } = totalsOf(results);
  const isGood = failed + invalid === 0;
  const figures: readonly (readonly [string, number, string])[] = [
    ["files", files, ""],
    ["passed", passed, "good"],
    ["failed", failed, failed > 0 ? "bad" : ""],
    ["cannot run", invalid, invalid > 0 ? "bad" : ""],
    ["cases", cases, ""],
    ["blocks", blocks, ""],
    ["transactions", transactions, ""],
  ];
  const sections = [...Map.groupBy(results, ({ file }) => file.split("/").slice(0, -1).join("/"))];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Scenarios: ${passed} of ${files} passed</title>
<style>${HTML_STYLE}</style>
</head>
<body>
<main>
<h1>Scenarios <span class="${isGood ? "good" : "bad"}">${isGood ? "all as expected" : `${failed + invalid} not as expected`}</span></h1>
<dl class="figures">${figures.map(([name, value, tone]) => `<div class="${tone}"><dt>${name}</dt><dd>${value}</dd></div>`).join("")}</dl>
<p class="lead">Every file ran twice with the same result at every height, with every invariant of the venue checked after every block and every transaction.</p>
${sections.map(([folder, found]) => section(folder, found, readLine)).join("\n")}
</main>
</body>
</html>
`;
}

function section(folder: string, results: readonly ScenarioResult[], readLine: ReadLine): string {
  return `<section><h2>${escapeMarkup(folder)}</h2>${results.map((result) => file(result, readLine)).join("\n")}</section>`;
}

function file(result: ScenarioResult, readLine: ReadLine): string {
  const { status, name, sentence, rules, cases, faults, kind, story, source } = result;
  const isBad = status !== "passed";
  const about = [
    sentence === "" ? "" : `<p>${escapeMarkup(sentence)}</p>`,
    story === undefined
      ? ""
      : `<p class="story"><b>${escapeMarkup(kind ?? "incident")}</b> ${escapeMarkup(story)}${source === undefined ? "" : ` <cite>${escapeMarkup(source)}</cite>`}</p>`,
  ].join("");
  return `<details class="${isBad ? "bad" : "good"}"${isBad ? " open" : ""}>
<summary><span class="mark">${isBad ? "✗" : "✓"}</span> <span class="name">${escapeMarkup(name)}</span> ${rules.map((rule) => `<span class="rule">${escapeMarkup(rule)}</span>`).join(" ")}<span class="file">${escapeMarkup(result.file)}</span></summary>
<div class="body">${about}
${faults.map(({ place, message, hint }) => problem(formatPlace(place), message, excerpt(place, readLine), hint === undefined ? [] : [["hint", hint]])).join("")}
${cases.map((found) => oneCase(found, readLine)).join("\n")}</div>
</details>`;
}

function oneCase(
  { name, failures, blocks, transactions, root, stories, status }: CaseResult,
  readLine: ReadLine,
): string {
  const title = name === "" ? "" : `<h3 class="${status === "passed" ? "good" : "bad"}">${escapeMarkup(name)}</h3>`;
  return `<div class="case">${title}<p class="facts">${blocks} blocks, ${transactions} transactions, root <code>${escapeMarkup(root.slice(0, 18))}…</code></p>
${failures.map((failure) => failed(failure, readLine)).join("")}
${stories.map(block).join("")}</div>`;
}

function failed(
  { place, what, expected, observed, hint, block: name, height }: RunFailure,
  readLine: ReadLine,
): string {
  const where = name === "" ? formatPlace(place) : `${formatPlace(place)}, ${name}, height ${height}`;
  const rows: [string, string][] = [
    ["expected", expected],
    ["observed", observed],
  ];
  if (hint !== undefined) rows.push(["hint", hint]);
  return problem(where, what, excerpt(place, readLine), rows);
}

function problem(
  where: string,
  what: string,
  lines: readonly string[],
  rows: readonly (readonly [string, string])[],
): string {
  return `<div class="problem"><p><b>${escapeMarkup(what)}</b> <span class="where">${escapeMarkup(where)}</span></p>
${lines.length === 0 ? "" : `<pre>${escapeMarkup(lines.join("\n"))}</pre>`}
<table class="pair">${rows.map(([name, text]) => `<tr class="${name}"><th>${name}</th><td>${escapeMarkup(text)}</td></tr>`).join("")}</table></div>`;
}

const list = (title: string, lines: readonly string[]) =>
  lines.length === 0
    ? ""
    : `<h5>${title}</h5><ul>${lines.map((line) => `<li>${escapeMarkup(line)}</li>`).join("")}</ul>`;

function block({ name, note, height, prices, transactions, fills, events, accounts }: BlockStory): string {
  const columns = ["collateral", "equity", "initial", "maintenance", "free", "positions", "orders"] as const;
  return `<div class="block"><h4>${escapeMarkup(name)} <span class="where">height ${height}</span></h4>
${note === undefined ? "" : `<p>${escapeMarkup(note)}</p>`}
<p class="facts">${prices.map(({ market, oracle, index, mark }) => `${escapeMarkup(market)} mark ${mark}${index === mark && oracle === mark ? "" : `, index ${index}, oracle ${oracle}`}`).join("; ")}</p>
${transactions.length === 0 ? "" : `<table><tr><th>transaction</th><th>outcome</th></tr>${transactions.map(({ words, outcome }) => `<tr><td>${escapeMarkup(words)}</td><td class="${outcome.startsWith("applied") ? "" : "warn"}">${escapeMarkup(outcome)}</td></tr>`).join("")}</table>`}
${list("fills", fills)}${list("events", events)}
${accounts.length === 0 ? "" : `<div class="wide"><table class="numbers"><tr><th>account</th>${columns.map((column) => `<th>${column}</th>`).join("")}</tr>${accounts.map((account) => `<tr><td>${escapeMarkup(account.name)}</td>${columns.map((column) => `<td>${escapeMarkup(account[column])}</td>`).join("")}</tr>`).join("")}</table></div>`}
</div>`;
}
