/** Measures the scenarios alone and writes the evidence. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../perpbench/buildCopy.ts";
import { buildMutationCopy } from "../buildCopy.ts";
import type { Explained } from "../report.ts";
import { createOracleReport } from "./oracleReport.ts";
import { renderOracleReport } from "./oracleText.ts";
import { runScenarioOracle, type ScenarioOptions } from "./scenarios.ts";

export interface MeasureOptions extends Omit<ScenarioOptions, "copy" | "say"> {
  readonly mutants: number;
  readonly seed: number;
}

export async function measureScenarios({ mutants, seed, ...settings }: MeasureOptions): Promise<void> {
  const place = join(ROOT, "out", "mutation-scenarios");
  const copy = buildMutationCopy(mutants, seed, place);
  const say = (text: string) => console.log(text);
  say(`copy ${copy.version}: ${copy.mutants.size} of ${copy.total} mutants`);
  const run = await runScenarioOracle(copy, { ...settings, copy: place, say });
  const explained = JSON.parse(readFileSync(join(import.meta.dirname, "..", "explained.json"), "utf8")) as Explained;
  const report = createOracleReport({ seed, copy, explained, ...run });
  const out = join(ROOT, "docs", "evidence", "mutation-scenarios");
  writeFileSync(`${out}.json`, `${JSON.stringify(report, undefined, 2)}\n`);
  writeFileSync(`${out}.md`, renderOracleReport(report));
  say(renderOracleReport(report).split("\n## Survivors")[0]!);
}
