import { formatPlace } from "../faults.ts";
import type { CaseResult, RunFailure, ScenarioResult } from "../run/result.ts";
import { escapeMarkup } from "./markup.ts";
import { totalsOf } from "./totals.ts";

/** JUnit XML: a suite a file, a test a case. A file that cannot run is an error, a case that failed a failure. */
export function renderJunit(results: readonly ScenarioResult[]): string {
  const { cases, invalid } = totalsOf(results);
  const failed = results.flatMap((result) => result.cases).filter(({ status }) => status === "failed").length;
  const time = seconds(results.reduce((sum, { durationMs }) => sum + durationMs, 0));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="perplab scenarios" tests="${cases + invalid}" failures="${failed}" errors="${invalid}" time="${time}">`,
    ...results.flatMap(suite),
    "</testsuites>",
  ].join("\n");
}

function suite(result: ScenarioResult): string[] {
  const { file, name, cases, faults, status, durationMs } = result;
  const failed = cases.filter((found) => found.status === "failed").length;
  const errors = status === "invalid" ? 1 : 0;
  const head = `tests="${cases.length + errors}" failures="${failed}" errors="${errors}" time="${seconds(durationMs)}"`;
  const lines = [`  <testsuite name="${escapeMarkup(file)}" ${head}>`];
  for (const found of cases) lines.push(...testcase(file, name, found));
  if (errors > 0) {
    const said = faults.map(
      ({ place, message, hint }) => `${formatPlace(place)}: ${message}${hint === undefined ? "" : `; ${hint}`}`,
    );
    lines.push(
      `    <testcase classname="${escapeMarkup(file)}" name="${escapeMarkup(name)}">`,
      `      <error type="SCENARIO_INVALID" message="${escapeMarkup(faults[0]?.message ?? "")}">${escapeMarkup(said.join("\n"))}</error>`,
      "    </testcase>",
    );
  }
  return [...lines, "  </testsuite>"];
}

function testcase(file: string, scenario: string, { name, failures }: CaseResult): string[] {
  const title = name === "" ? scenario : `${scenario} (${name})`;
  const head = `    <testcase classname="${escapeMarkup(file)}" name="${escapeMarkup(title)}"`;
  if (failures.length === 0) return [`${head} />`];
  return [`${head}>`, ...failures.map(failureElement), "    </testcase>"];
}

function failureElement({ kind, place, what, expected, observed }: RunFailure): string {
  const text = `${formatPlace(place)}\nexpected ${expected}\nobserved ${observed}`;
  return `      <failure type="${kind}" message="${escapeMarkup(what)}">${escapeMarkup(text)}</failure>`;
}

const seconds = (ms: number) => (ms / 1000).toFixed(3);
