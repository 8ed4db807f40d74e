import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CODES_IN_WORK, IN_WORK, NAMED_TESTS } from "../../../scripts/coverage/namedTests.ts";
import { coverRules, listRules, listScenarios } from "../../../scripts/coverage/rules.ts";
import { INVALID_NAMES, REJECTION_NAMES } from "../../../src/protocol/rejections.ts";
import { projectRoot } from "../../helpers/project.ts";

// Reading them all takes most of the time of these tests.
const scenarios = listScenarios();

test("every rule has a scenario or a named test", () => {
  const bare = coverRules(scenarios).filter(({ scenarios, tests }) => scenarios.length + tests.length === 0);
  // A rule that is kept needs its proof.
  expect(bare.map(({ rule }) => rule).filter((rule) => !IN_WORK.includes(rule))).toEqual([]);
});

test("every rule that a scenario or the table of tests names is one", () => {
  const rules = listRules();
  for (const { file, rules: cited } of scenarios) {
    expect(
      cited.filter((rule) => !rules.has(rule)),
      file,
    ).toEqual([]);
  }
  expect(Object.keys(NAMED_TESTS).filter((rule) => !rules.has(rule))).toEqual([]);
});

test("every named test exists under its name", () => {
  for (const [file, name] of Object.values(NAMED_TESTS).flat()) {
    expect(readFileSync(join(projectRoot, file), "utf8"), `${file}: ${name}`).toContain(JSON.stringify(name));
  }
});

test("every code of a receipt has a scenario", () => {
  const texts = scenarios.map(({ file }) => readFileSync(join(projectRoot, file), "utf8"));
  const all = texts.join("\n");
  const bare = [...REJECTION_NAMES, ...INVALID_NAMES].filter((code) => !new RegExp(`\\b${code}\\b`).test(all));
  expect(bare.filter((code) => !CODES_IN_WORK.includes(code))).toEqual([]);
});
