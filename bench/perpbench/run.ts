/**
 * Measures how well the search finds known bugs, each searched from several seeds in a copy of the sources.
 * Finished trials are stored, so that a stopped run resumes.
 *
 *     npm run perpbench                                   every bug, 20 seeds, its tier's budget
 *     npm run perpbench -- --bugs 1,7 --seeds 5           some bugs, fewer seeds
 *     npm run perpbench -- --tier A                       those with a budget of 10,000 transactions
 *     npm run perpbench -- --budget 2000                  at most this many transactions per trial
 *     npm run perpbench -- --clean 5                      five trials without a bug: their findings are false alarms
 *     npm run perpbench -- --model                        with the reference model in lock step
 *     npm run perpbench -- --guidance both                guided by new places: none, slack, starts, both
 *     npm run perpbench -- --report                       only the report of the stored trials
 *
 * Exits 0 even if bugs were not found: the report lists them. Writes docs/evidence/perpbench.json and .md.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { appendLine, readLines, runJobs } from "../lib/jobs.ts";
import { bugs } from "./bugs/index.ts";
import { buildCopy, COPY, ROOT } from "./buildCopy.ts";
import { GUIDANCES } from "./guided.ts";
import type { Minimal } from "./minimalRun.ts";
import { TIERS } from "./plantedBug.ts";
import { createBenchReport } from "./report.ts";
import { renderBenchReport } from "./reportText.ts";
import type { Trial, TrialJob } from "./trial.ts";

const { values } = parseArgs({
  options: {
    bugs: { type: "string" },
    tier: { type: "string" },
    seeds: { type: "string", default: "20" },
    budget: { type: "string" },
    clean: { type: "string", default: "0" },
    model: { type: "boolean", default: false },
    guidance: { type: "string" },
    workers: { type: "string", default: String(availableParallelism()) },
    patience: { type: "string", default: "7200" },
    report: { type: "boolean", default: false },
    out: { type: "string", default: join(ROOT, "docs", "evidence", "perpbench") },
  },
});

type Kept = Trial & { readonly version: string };

const wanted = values.bugs?.split(",").map(Number);
const chosen = bugs.filter(
  ({ number, tier }) => (wanted?.includes(number) ?? true) && (values.tier === undefined || values.tier === tier),
);
const most = values.budget === undefined ? Number.POSITIVE_INFINITY : readCount(values.budget, "budget");
const seeds = Array.from({ length: readCount(values.seeds, "seeds") }, (_, at) => at + 1);

const { model } = values;
const guidance = GUIDANCES.find((name) => name === values.guidance);
// Results with and without the model are not mixed.
const ways = guidance === undefined ? { model } : { model, guidance };
const version = `${buildCopy()}${model ? " with the model" : ""}${guidance === undefined ? "" : `, guidance ${guidance}`}`;
const progress = join(ROOT, "out", "perpbench.jsonl");
const nameOf = ({ bug, seed, budget }: Trial | TrialJob) => `${bug} ${seed} ${budget}`;
const kept = new Map(
  readLines<Kept>(progress)
    .filter((line) => line.version === version)
    .map((line) => [nameOf(line), line]),
);

// Seed by seed, so that a partial run covers every bug.
const jobs: TrialJob[] = [
  ...seeds.flatMap((seed) =>
    chosen.map(({ number, tier }) => ({ bug: number, seed, budget: Math.min(TIERS[tier], most), ...ways })),
  ),
  ...Array.from({ length: Number(values.clean) }, (_, at) => ({
    bug: 0,
    seed: at + 1,
    budget: Math.min(TIERS.B, most),
    ...ways,
  })),
];
const open = jobs.filter((job) => !kept.has(nameOf(job)));

if (!values.report) {
  console.log(`copy ${version}: ${jobs.length} trials, ${jobs.length - open.length} of them kept`);
  let done = jobs.length - open.length;
  await runJobs<TrialJob, Trial>({
    worker: join(COPY, "bench", "perpbench", "worker.ts"),
    workers: readCount(values.workers, "workers"),
    jobs: open,
    patience: readCount(values.patience, "patience"),
    lost: ({ bug, seed, budget }, why) => ({
      bug,
      seed,
      budget,
      transactions: 0,
      reached: 0,
      triggered: 0,
      seconds: 0,
      finding: { kind: why, invariant: why, height: 0, observed: "the search itself ended" },
    }),
    onDone(trial, job) {
      kept.set(nameOf(job), { ...trial, version });
      appendLine(progress, { ...trial, version });
      const { bug, seed, transactions, finding, seconds } = trial;
      const what = finding === undefined ? "not found" : `found by ${finding.invariant}`;
      console.log(
        `${++done}/${jobs.length} bug ${bug} seed ${seed}: ${what}, ${transactions} transactions, ${seconds} s`,
      );
    },
  });
}

const minimal = execFileSync(process.execPath, [join(COPY, "bench", "perpbench", "minimalRun.ts")], {
  encoding: "utf8",
  maxBuffer: 1 << 24,
})
  .split("\n")
  .flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as Minimal] : []));
const report = createBenchReport({ version, trials: [...kept.values()], minimal });
mkdirSync(join(values.out, ".."), { recursive: true });
writeFileSync(`${values.out}.json`, `${JSON.stringify(report, undefined, 2)}\n`);
writeFileSync(`${values.out}.md`, renderBenchReport(report));
console.log(renderBenchReport(report));

function readCount(text: string, name: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  console.error(`--${name} must be a whole number above 0, not ${text}`);
  process.exit(2);
}
