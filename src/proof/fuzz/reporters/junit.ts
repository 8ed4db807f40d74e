import { escapeMarkup } from "../../../product/scenario/reporters/markup.ts";
import type { SearchReport } from "../campaign/report.ts";
import { formatViolation } from "./violationText.ts";

/** JUnit XML: a test per invariant and per other oracle, and one for the places that the search had to reach. */
export function renderJunit({ profile, seed, seconds, invariants, failures, missing, blind }: SearchReport): string {
  const ids = [
    ...new Set([...invariants.map(({ id }) => id), ...failures.map(({ violation }) => violation.invariant)]),
  ];
  const unproven = [...missing.map((name) => `never reached: ${name}`), ...blind.map((name) => `not found: ${name}`)];
  const failed = new Set(failures.map(({ violation }) => violation.invariant)).size + (unproven.length > 0 ? 1 : 0);
  const name = `perplab fuzz ${escapeMarkup(profile)}, seed ${seed}`;
  const head = `tests="${ids.length + 1}" failures="${failed}" errors="0" time="${seconds.toFixed(3)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${name}" ${head}>`,
    `  <testsuite name="${name}" ${head}>`,
    ...ids.flatMap((id) => {
      const messages = failures.filter(({ violation }) => violation.invariant === id).map(failureElement);
      return testcase("invariants", id, messages);
    }),
    ...testcase(
      "reach",
      "the search reached what it had to",
      unproven.length === 0 ? [] : [`<failure type="vacuous">${escapeMarkup(unproven.join("\n"))}</failure>`],
    ),
    "  </testsuite>",
    "</testsuites>",
  ].join("\n");
}

function failureElement({ violation, again }: SearchReport["failures"][number]): string {
  const text = `${formatViolation(violation)}${again === undefined ? "" : `\nagain: ${again}`}`;
  return `<failure type="${violation.kind}" message="${escapeMarkup(violation.observed)}">${escapeMarkup(text)}</failure>`;
}

function testcase(group: string, name: string, failures: readonly string[]): string[] {
  const head = `    <testcase classname="${group}" name="${escapeMarkup(name)}"`;
  if (failures.length === 0) return [`${head} />`];
  return [`${head}>`, ...failures.map((failure) => `      ${failure}`), "    </testcase>"];
}
