import { escapeMarkup } from "../../../product/scenario/reporters/markup.ts";
import type { FailureReport } from "./model.ts";
import { renderText } from "./text.ts";

/** JUnit XML: a test case per broken invariant, with the report as its text. */
export function renderJunit(reports: readonly FailureReport[]): string {
  const cases = reports.flatMap((report) => [
    `    <testcase classname="invariants" name="${escapeMarkup(`${report.invariant} ${report.scenario.name}`)}">`,
    `      <failure type="${report.kind}" message="${escapeMarkup(report.headline)}">${escapeMarkup(renderText(report))}</failure>`,
    "    </testcase>",
  ]);
  const counts = `tests="${reports.length}" failures="${reports.length}" errors="0"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="perplab fuzz" ${counts}>`,
    `  <testsuite name="invariants" ${counts}>`,
    ...cases,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}
