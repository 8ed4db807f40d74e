import { formatPlace } from "../faults.ts";
import type { CaseResult, RunFailure, ScenarioResult } from "../run/result.ts";
import { escapeMarkup } from "./markup.ts";
import { totalsOf } from "./totals.ts";

/**
 * JUnit XML: a suite for each file, a testcase for each case. A case that failed has one failure with all its findings;
 * a file that cannot run is an error.
 */
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
      `    <testcase classname="${escapeMarkup(file)}" name="${escapeMarkup(name)}" time="${seconds(durationMs)}">`,
      `      <error type="SCENARIO_INVALID" message="${escapeMarkup(faults[0]?.message ?? "")}">${escapeMarkup(said.join("\n"))}</error>`,
      "    </testcase>",
    );
  }
  return [...lines, "  </testsuite>"];
}

function testcase(file: string, scenario: string, { name, failures, durationMs }: CaseResult): string[] {
  const title = name === "" ? scenario : `${scenario} (${name})`;
  const attributes = `classname="${escapeMarkup(file)}" name="${escapeMarkup(title)}" time="${seconds(durationMs)}"`;
  const head = `    <testcase ${attributes}`;
  const [first] = failures;
  if (first === undefined) return [`${head} />`];
  const more = failures.length === 1 ? "" : ` and ${failures.length - 1} more`;
  const text = failures.map(findingText).join("\n\n");
  return [
    `${head}>`,
    `      <failure type="${first.kind}" message="${escapeMarkup(`${first.what}${more}`)}">${escapeMarkup(text)}</failure>`,
    "    </testcase>",
  ];
}

/** One finding: its place, what it is about, both sides, and where it happened. */
function findingText({ place, what, expected, observed, hint, block, height }: RunFailure): string {
  return [
    `${formatPlace(place)}: ${what}`,
    `expected ${expected}`,
    `observed ${observed}`,
    ...(block === "" ? [] : [`in ${block}, height ${height}`]),
    ...(hint === undefined ? [] : [`hint: ${hint}`]),
  ].join("\n");
}

const seconds = (ms: number) => (ms / 1000).toFixed(3);
