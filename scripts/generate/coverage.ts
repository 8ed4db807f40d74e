/** Renders `docs/evidence/coverage.md`: the scenarios and named tests that prove each rule. */
import { coverRules } from "../coverage/rules.ts";
import { generatedFrom, table } from "../markdown.ts";

export const path = "docs/evidence/coverage.md";

export function render(): string {
  const covered = coverRules();
  const proven = covered.filter(({ scenarios, tests }) => scenarios.length + tests.length > 0).length;
  const rows = covered.map(({ rule, title, scenarios, tests }) => [
    title === "" ? rule : `${rule} ${title}`,
    scenarios.map(({ file, name }) => `[${name}](../../${file})`).join("<br>"),
    tests.map(([file, name]) => `${name} (\`${file}\`)`).join("<br>"),
  ]);
  return `${generatedFrom("scenarios, docs/spec and scripts/coverage/namedTests.ts")}
# What proves each rule

${proven} of ${covered.length} rules have a scenario or a named test. A scenario cites its rules in \`rules\`. A rule without
either fails \`npm test\`.

${table(["rule", "scenarios", "tests"], rows)}
`;
}
