/**
 * Measures how many planted bugs each way to look for them finds, and at what cost: the search for broken invariants,
 * the scenarios, and the explorations of worlds and around scenarios. Each bug is tried alone in a copy of the sources.
 * Finished jobs are stored, so that a stopped run resumes.
 *
 *     npm run perpbench                                   every bug and way; 3 seeds of 100,000 transactions
 *     npm run perpbench -- --methods search,explore       some ways: search, scenarios, explore, around
 *     npm run perpbench -- --bugs 1,7 --seeds 5           some bugs, other seeds
 *     npm run perpbench -- --tiers --seeds 20             searches with the budget of each bug's tier, up to five million
 *     npm run perpbench -- --shrink 3                     findings of three seeds are shrunk, not of the first alone
 *     npm run perpbench -- --tier A                       bugs of one tier
 *     npm run perpbench -- --budget 2000                  at most this many transactions per trial
 *     npm run perpbench -- --clean 5                      five trials without a bug: their findings are false alarms
 *     npm run perpbench -- --no-model                     searches without the reference model in lock step
 *     npm run perpbench -- --guidance both                guided by new places: none, slack, starts, both
 *     npm run perpbench -- --depth 3 --blocks 2e4         deeper explorations; blocks for one bug at most
 *     npm run perpbench -- --every 3                      around one scenario of three
 *     npm run perpbench -- --redis redis://HOST:6379      jobs for workers: node bench/worker.ts perpbench --redis URL
 *     npm run perpbench -- --results FILE                 stored results in another file than out/perpbench.jsonl
 *     npm run perpbench -- --report                       only the report of the stored results
 *     npm run perpbench -- --report --from HASH           the report of another copy of the sources
 *
 * Exits 0 even if bugs were not found: the report lists them. Writes docs/evidence/perpbench.json and .md.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { endWithFault } from "../lib/fault.ts";
import { readCommit } from "../lib/readCommit.ts";
import { openCopy, ROOT } from "./buildCopy.ts";
import { BenchOptionError, readOptions } from "./plan/options.ts";
import { Results } from "./plan/results.ts";
import { runStages } from "./plan/runStages.ts";
import { createBenchReport } from "./report/report.ts";
import { renderBenchReport } from "./report/reportText.ts";

try {
  await main();
} catch (error) {
  if (!(error instanceof BenchOptionError)) endWithFault(error);
  console.error(error.message);
  process.exitCode = 2;
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  // The report of another copy does not need one of these sources.
  const copy = options.from === undefined ? openCopy() : undefined;
  const commit = readCommit(ROOT, ["src", "scenarios", "bench/perpbench", "package.json"]);
  const results = new Results(options.results, { copy: copy?.version ?? options.from!, commit });
  if (copy !== undefined && !options.isReport) await runStages(copy, results, options);
  const report = createBenchReport(results, options);
  const text = renderBenchReport(report);
  mkdirSync(join(options.out, ".."), { recursive: true });
  writeFileSync(`${options.out}.json`, `${JSON.stringify(report, undefined, 2)}\n`);
  writeFileSync(`${options.out}.md`, text);
  console.log(text);
}
