import type { ScenarioResult } from "../../../src/product/scenario/run/result.ts";
import { runScenarioFile } from "../../../src/product/scenario/run/runScenario.ts";

/** Runs a scenario whose text is in a test. Other files that it includes are given by their paths. */
export function runText(text: string, others: Readonly<Record<string, string>> = {}): ScenarioResult {
  const files: Readonly<Record<string, string>> = { ...others, "test.yaml": text };
  return runScenarioFile("test.yaml", {
    readText(path) {
      const found = files[path];
      if (found === undefined) throw new Error(`no file ${path}`);
      return found;
    },
  });
}

/** Places and messages of a file that cannot run, with hints. */
export function faultsOf(result: ScenarioResult): string[] {
  return result.faults.map(
    ({ place, message, hint }) => `${place.line}:${place.column} ${message}${hint === undefined ? "" : ` (${hint})`}`,
  );
}

/** Places of failures, what they are about, and both sides. */
export function failuresOf(result: ScenarioResult): string[] {
  return result.cases.flatMap(({ failures }) =>
    failures.map(
      ({ place, what, expected, observed }) => `${place.line}:${place.column} ${what}: ${expected} / ${observed}`,
    ),
  );
}

/** A market, a price and two accounts, to which a test adds blocks. */
export const HEAD = `scenario: test
markets: { TEST: { preset: minimal } }
prices: { TEST: "100" }
accounts: { alice: { deposit: "1000" }, bob: { deposit: "1000" }, carol: {} }
`;
