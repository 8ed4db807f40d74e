/**
 * Renders `docs/evidence/coverage.md`: the scenarios and named tests that prove each rule, and the mutants they miss.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { OracleReport, SurvivorNote } from "../../bench/mutation/oracles/oracleReport.ts";
import { coverRules } from "../coverage/rules.ts";
import { generatedFrom, table } from "../markdown.ts";

export const path = "docs/evidence/coverage.md";

const MEASURED = join(import.meta.dirname, "../../docs/evidence/mutation-scenarios.json");

export function render(): string {
  const covered = coverRules();
  const proven = covered.filter(({ scenarios, tests }) => scenarios.length + tests.length > 0).length;
  const report = JSON.parse(readFileSync(MEASURED, "utf8")) as OracleReport;
  const rows = covered.map(({ rule, title, scenarios, tests }) => [
    title === "" ? rule : `${rule} ${title}`,
    scenarios.map(({ file, name }) => `[${name}](../../${file})`).join("<br>"),
    tests.map(([file, name]) => `${name} (\`${file}\`)`).join("<br>"),
    describeMutants(report, rule),
  ]);
  return `${generatedFrom("scenarios, docs/spec, scripts/coverage/namedTests.ts and docs/evidence/mutation-scenarios.json")}
# What proves each rule

${proven} of ${covered.length} rules have a scenario or a named test. A scenario cites its rules in \`rules\`. A rule without
either fails \`npm test\`.

The last column has the mutants of code whose comments cite the rule. Scenarios and the invariants that \`scenario run\` checks
are the only tests there ([measurement](mutation-scenarios.md)). The mutants that survive are listed.

${table(["rule", "scenarios", "tests", "mutants killed by scenarios"], rows)}
`;
}

function describeMutants({ rules, survivors }: OracleReport, rule: string): string {
  const counts = rules.find((one) => one.rule === rule);
  if (counts === undefined) return "";
  const open = survivors.filter((one) => !one.equivalent && one.rules.split(", ").includes(rule));
  return [`${counts.killed} of ${counts.mutants}`, ...open.map(nameSurvivor)].join("<br>");
}

function nameSurvivor({ file, line, original, changed }: SurvivorNote): string {
  const flat = (words: string) =>
    words.replace(/\s+/g, " ").slice(0, 60).replaceAll("|", "\\|").replaceAll("`", "'") || "nothing";
  return `${file}:${line} \`${flat(original)}\` to \`${flat(changed)}\``;
}
