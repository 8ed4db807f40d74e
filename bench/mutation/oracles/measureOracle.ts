/** Measures one oracle and writes the evidence. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../perpbench/buildCopy.ts";
import { createExplainer, type Explained } from "../report.ts";
import { type OracleName, openOracleCopy } from "./openCopy.ts";
import { createOracleReport, type OracleReport } from "./oracleReport.ts";
import { renderOracleReport, WORDS } from "./oracleText.ts";
import { createRunners, type RunnerSettings } from "./runners.ts";
import { runScenarioOracle, type ScenarioOptions } from "./scenarios.ts";
import { runTestOracle } from "./tests/tests.ts";
import { compareOracles, readFates } from "./together.ts";

export interface MeasureOptions
  extends Omit<ScenarioOptions, "runners" | "earlier" | "progress" | "say">,
    Omit<RunnerSettings, "oracle" | "say"> {
  readonly oracle: OracleName;
}

export async function measureOracle(settings: MeasureOptions): Promise<void> {
  const { oracle, drawn, seed } = settings;
  const copy = openOracleCopy(oracle, drawn, seed);
  const say = (text: string) => console.log(text);
  say(`copy ${copy.version}: ${copy.mutants.size} of ${copy.total} mutants`);
  const evidence = join(ROOT, "docs", "evidence");
  const out = join(evidence, `mutation-${oracle}`);
  const earlier = existsSync(`${out}.json`)
    ? (JSON.parse(readFileSync(`${out}.json`, "utf8")) as OracleReport)
    : undefined;
  const progress = join(ROOT, "out", `mutation-${oracle}.jsonl`);
  const explained = JSON.parse(readFileSync(join(import.meta.dirname, "..", "explained.json"), "utf8")) as Explained;
  const explain = createExplainer(explained);
  const isEquivalent = (key: string) => explain(key)?.equivalent === true;
  const options = { ...settings, isEquivalent, earlier, progress, runners: createRunners(copy, settings), say };
  const run = await (oracle === "scenarios" ? runScenarioOracle(copy, options) : runTestOracle(copy, options));
  const report = createOracleReport({ seed, copy, explained, ...run });
  writeFileSync(`${out}.json`, `${JSON.stringify(report, undefined, 2)}\n`);
  const equivalent = new Set(report.survivors.filter((one) => one.equivalent).map(({ key }) => key));
  const keys = Object.keys(report.fates).filter((key) => !equivalent.has(key));
  const together = oracle === "tests" ? compareOracles(keys, readFates(evidence)) : undefined;
  const text = renderOracleReport(report, WORDS[oracle], together);
  writeFileSync(`${out}.md`, text);
  say(text.split("\n## Survivors")[0]!);
}
