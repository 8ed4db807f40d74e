import type { ScenarioResult } from "../run/result.ts";
import { problemsOf } from "./problems.ts";

/** The meaning of each kind of problem, as a rule of the log. */
const KINDS: Readonly<Record<string, string>> = {
  file: "The scenario file cannot run.",
  expectation: "An expectation does not hold.",
  unexpected: "Something happened that the scenario does not mention.",
  invariant: "An invariant of the venue does not hold.",
  determinism: "A second run gave another result.",
  golden: "The state root is not the recorded one.",
  run: "The scenario could not continue.",
};

/** A SARIF 2.1.0 log, for code-scanning displays. */
export function renderSarif(results: readonly ScenarioResult[]): string {
  return JSON.stringify(
    {
      $schema: "https://json.schemastore.org/sarif-2.1.0.json",
      version: "2.1.0",
      runs: [
        {
          tool: {
            driver: {
              name: "perplab scenario",
              rules: Object.entries(KINDS).map(([id, text]) => ({ id, shortDescription: { text } })),
            },
          },
          results: problemsOf(results).map(({ kind, place, title, detail, name }) => ({
            ruleId: kind,
            level: "error",
            message: {
              text: [name === "" ? title : `${title} (case ${name})`, detail].filter((part) => part !== "").join("\n"),
            },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: encodeURI(place.file.replaceAll("\\", "/")) },
                  region: { startLine: place.line, startColumn: place.column, endColumn: place.column + place.length },
                },
              },
            ],
          })),
        },
      ],
    },
    null,
    2,
  );
}
