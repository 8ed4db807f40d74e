/**
 * How well the search finds bugs that are known: 40 of them, each searched for from several seeds in a copy of the sources.
 * What is done is kept, so a run that was stopped goes on where it was.
 *
 *     npm run perpbench                                   every bug, 20 seeds, its tier's budget
 *     npm run perpbench -- --bugs 1,7 --seeds 5           some bugs, fewer seeds
 *     npm run perpbench -- --tier A                       those with a budget of 10,000 transactions
 *     npm run perpbench -- --budget 2000                  at most so many transactions a trial
 *     npm run perpbench -- --clean 5                      five trials without a bug: what they find are false alarms
 *     npm run perpbench -- --model                        the reference model runs beside the venue
 *     npm run perpbench -- --guidance both                go on from what reached something new: none, slack, starts, both
 *     npm run perpbench -- --report                       nothing but the report of what is kept
 *
 * Exits 0 also when bugs were not found: the report says which. Writes bench/results/perpbench.json and .md.
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
    out: { type: "string", default: join(ROOT, "bench", "results", "perpbench") },
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
// Results with the model and without do not mix.
const ways = guidance === undefined ? { model } : { model, guidance };
const version = `${buildCopy()}${model ? " with the model" : ""}${guidance === undefined ? "" : `, guidance ${guidance}`}`;
const progress = join(ROOT, "out", "perpbench.jsonl");
const nameOf = ({ bug, seed, budget }: Trial | TrialJob) => `${bug} ${seed} ${budget}`;
const kept = new Map(
  readLines<Kept>(progress)
    .filter((line) => line.version === version)
    .map((line) => [nameOf(line), line]),
);

// Seed by seed, so that what is there after an hour says something about every bug.
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
