import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SearchReport } from "../../src/proof/fuzz/campaign/report.ts";
import { installRuntime, NODE_VERSIONS, type Runtime, root } from "../runtimes.ts";
import type { Figures, StepResult } from "./night.ts";

/** How a step runs a program; the night gives one that shows and keeps what is printed. */
export type RunProgram = (runtime: Runtime, words: readonly string[]) => { readonly status: number };

/** What a step needs of its night. */
export interface StepContext {
  /** Part of the full size to run, above 0 and at most 1. */
  readonly size: number;
  /** Seed of the searches. */
  readonly seed: string;
  /** For the files of this step. */
  readonly folder: string;
  readonly run: RunProgram;
  /** Further options of the searches, such as `--workers 2`. */
  readonly search: readonly string[];
}

type Outcome = Omit<StepResult, "id" | "seconds">;

/** Something that a night runs. */
export interface NightlyStep {
  readonly id: string;
  run(context: StepContext): Outcome;
}

const OWN: Runtime = { version: process.versions.node, folder: dirname(process.execPath) };
const PERPLAB = join(root, "bin/perplab.js");

/** Full sizes. */
const SIZES = { search: 1e9, model: 1e8, digests: 1e7, seeds: 20, mutants: 1000, cycles: 200 } as const;

/** The part of a full size, at least 1. */
export function sized(full: number, size: number): number {
  return Math.max(1, Math.round(full * size));
}

interface Search {
  readonly status: number;
  readonly report: SearchReport | undefined;
}

function search(context: StepContext, name: string, args: readonly string[], runtime = OWN): Search {
  const out = join(context.folder, `${name}.json`);
  const { status } = context.run(runtime, [
    ...[PERPLAB, "fuzz", "run", ...args, "--seed", context.seed, "--max-failures", "20", ...context.search],
    ...["--failures", join(context.folder, name), "--format", "json", "--out", out],
  ]);
  return { status, report: status === 2 ? undefined : (readJson(out) as SearchReport | undefined) };
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

function failed(note: string): Outcome {
  return { verdict: "failed", figures: {}, notes: [note] };
}

function judgeSearch({ status, report }: Search): Outcome {
  if (report === undefined) return failed(`the search ended with exit code ${status} and wrote no report`);
  const { transactions, seconds, places, failures, missing, verdict, digest } = report;
  const figures: Figures = {
    transactions,
    "transactions a second": Math.round(transactions / Math.max(1, seconds)),
    places,
    failures: failures.length,
    digest: digest.slice(0, 16),
  };
  const notes = [
    ...failures.map(({ violation: { invariant } }) => `${invariant} is violated`),
    ...missing.map((what) => `never reached: ${what}`),
  ];
  return { verdict: status === 0 ? "passed" : "failed", figures, notes: status === 0 ? [] : [verdict, ...notes] };
}

/** Everything that a night runs, in its order: what finds most comes first. */
export const NIGHTLY_STEPS: readonly NightlyStep[] = [
  {
    id: "search",
    run: (context) => judgeSearch(search(context, "search", ["--profile", "nightly", ...txOf(SIZES.search, context)])),
  },
  {
    id: "search with the model",
    run: (context) =>
      judgeSearch(search(context, "model", ["--profile", "nightly", "--model", ...txOf(SIZES.model, context)])),
  },
  { id: "digests of Node lines", run: runDigests },
  { id: "planted bugs", run: runPlanted },
  { id: "mutants", run: runMutants },
  { id: "restarts", run: runRestarts },
];

function txOf(full: number, { size }: StepContext): string[] {
  return ["--tx", String(sized(full, size))];
}

/** Options without those of a queue. Its workers have one Node line, so a search on another would wait for ever. */
export function withoutQueue(words: readonly string[]): string[] {
  const isOption = (word: string | undefined) => word === "--redis" || word === "--redis-prefix";
  return words.filter((word, at) => !isOption(word.split("=", 1)[0]) && !isOption(words[at - 1]));
}

/** The same search on the oldest supported Node, the clone's own and the newest, all on this machine. */
function runDigests(context: StepContext): Outcome {
  const lines = [installRuntime(NODE_VERSIONS.oldest), OWN, installRuntime(NODE_VERSIONS.newest)];
  const runtimes = lines.filter((runtime) => runtime !== undefined);
  if (runtimes.length < 2) return { verdict: "skipped", figures: {}, notes: ["no other Node could be installed"] };
  const args = ["--profile", "swarm", "--invariants", "-*", ...txOf(SIZES.digests, context)];
  const here = { ...context, search: withoutQueue(context.search) };
  const searches = runtimes.map((runtime) => search(here, `digests-${runtime.version}`, args, runtime));
  const digests = new Set(searches.map(({ report }) => report && JSON.stringify([report.digest, report.marks])));
  const lost = searches.findIndex(({ report }) => report === undefined);
  if (lost >= 0) return failed(`Node ${runtimes[lost]!.version} wrote no report`);
  const figures = {
    lines: runtimes.map(({ version }) => version).join(" "),
    digest: searches[0]!.report!.digest.slice(0, 16),
  };
  if (digests.size > 1) return { verdict: "failed", figures, notes: ["the digests of two Node lines differ"] };
  return { verdict: "passed", figures, notes: [] };
}

interface BenchReport {
  readonly bugs: readonly { readonly title: string; readonly trials: number; readonly detected: number }[];
}

/** A bug counts as found if all seeds find it but one of 20. */
function runPlanted(context: StepContext): Outcome {
  const out = join(context.folder, "perpbench");
  const seeds = String(sized(SIZES.seeds, context.size));
  const { status } = context.run(OWN, [
    ...[join(root, "bench/perpbench/run.ts"), "--methods", "search", "--tiers", "--seeds", seeds, "--shrink", seeds],
    ...["--out", out],
  ]);
  const report = readJson(`${out}.json`) as BenchReport | undefined;
  if (status !== 0 || report === undefined) return failed(`perpbench ended with exit code ${status}`);
  const missed = report.bugs.filter(({ trials, detected }) => detected < trials - Math.floor(trials / 20));
  return {
    verdict: missed.length === 0 ? "passed" : "failed",
    figures: { bugs: report.bugs.length, "bugs found": report.bugs.length - missed.length },
    notes: missed.map(({ title, trials, detected }) => `found from ${detected} of ${trials} seeds: ${title}`),
  };
}

interface MutationReport {
  readonly mutants: number;
  readonly open: number;
  readonly score: number;
}

function runMutants(context: StepContext): Outcome {
  const out = join(context.folder, "mutation");
  const mutants = String(sized(SIZES.mutants, context.size));
  const { status } = context.run(OWN, [join(root, "bench/mutation/run.ts"), "--mutants", mutants, "--out", out]);
  const report = readJson(`${out}.json`) as MutationReport | undefined;
  if (status !== 0 || report === undefined) return failed(`the mutation run ended with exit code ${status}`);
  const figures = {
    mutants: report.mutants,
    "mutation score": report.score,
    "survivors without a reason": report.open,
  };
  return { verdict: "passed", figures, notes: [] };
}

interface CrashReport {
  readonly verdict: string;
  readonly cycles: number;
  readonly acknowledged: number;
  readonly lost: number;
  readonly twice: number;
}

/** The first cycle kills a host that is just ready. The next ones kill it under load, so a small night has some. */
const FEWEST_CYCLES = 4;

/** A host that is killed under load, and what it left. */
function runRestarts(context: StepContext): Outcome {
  const out = join(context.folder, "crash.json");
  const cycles = String(Math.max(FEWEST_CYCLES, sized(SIZES.cycles, context.size)));
  const { status } = context.run(OWN, [join(root, "scripts/campaignCrash.ts"), "--cycles", cycles, "--out", out]);
  const report = readJson(out) as CrashReport | undefined;
  if (report === undefined) return failed(`the campaign of crashes ended with exit code ${status}`);
  const { verdict, cycles: done, acknowledged, lost, twice } = report;
  const figures = { cycles: done, acknowledged, lost, twice };
  return status === 0
    ? { verdict: "passed", figures, notes: [] }
    : { verdict: "failed", figures, notes: [`verdict: ${verdict}`] };
}
