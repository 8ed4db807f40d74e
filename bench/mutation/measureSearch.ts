/**
 * Measures the search: first, campaigns run without a change on the venue alone, to find the cases in which each mutant
 * would make a difference. Then each mutant is tried with some of those, checked as in a search with the model, until
 * one finds it; last come the scenario files of earlier failures. Results are kept.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { findScenarioFiles } from "../../src/product/scenario/run/findFiles.ts";
import { appendLine, readLines, runJobs } from "../lib/jobs.ts";
import type { QueuePlace } from "../lib/queueJobs.ts";
import { readCommit } from "../lib/readCommit.ts";
import { ROOT } from "../perpbench/buildCopy.ts";
import { chooseCases, chooseFiles, chooseLooks, isScenario, joinReached } from "./chooseCases.ts";
import { orderByLot } from "./drawMutants.ts";
import type { GrowJob, Grown } from "./grow.ts";
import { openSearchCopy } from "./openSearchCopy.ts";
import { compareWithSearch, scoreMissed } from "./oracles/missed.ts";
import { createExplainer, createMutationReport, type Explained, type MutationReport } from "./report.ts";
import { renderMutationReport } from "./reportText.ts";
import { runKills } from "./runKills.ts";
import type { SearchDraw } from "./searchDraw.ts";
import type { AnyDone, AnyJob, KillJob, Looked, LookJob, Tried } from "./worker.ts";

export interface SearchOptions extends SearchDraw {
  /** Transactions of each campaign. */
  readonly grow: number;
  /** Cases that are run without a mutant in every mode. */
  readonly looks: number;
  /** The least number of cases and transactions for one mutant. */
  readonly cases: number;
  readonly transactions: number;
  readonly only: string;
  readonly carry: boolean;
  readonly workers: number;
  readonly patience: number;
  readonly report: boolean;
  /** Where mutants are tried by workers. Default: processes of this machine. */
  readonly queue?: QueuePlace | undefined;
  /** File with the kept results. */
  readonly results: string;
  /** Path of the evidence, without its extension. */
  readonly out: string;
}

export async function measureSearch(values: SearchOptions): Promise<void> {
  const { seed } = values;
  const copy = openSearchCopy(values);
  const { version, mutants, total, keys, missed, cases: folder } = copy;
  /** The campaigns: as a user runs them, the first one with the cases that every change is tried with. */
  const growMost = values.grow;
  const campaigns: GrowJob[] = (["smoke", "swarm", "nightly", "smoke"] as const).map((profile, at) => ({
    kind: "grow",
    number: seed + at,
    profile,
    transactions: growMost,
    folder,
    ...(at === 0 ? { from: join(ROOT, "test", "corpus") } : {}),
  }));

  type Kept = AnyDone & { readonly version: string; readonly grow: number; readonly key?: string } & {
    /** Commit of the clone; earlier lines have none. */
    readonly commit?: string;
  };
  const grown = new Map<number, Grown>();
  const looked = new Map<string, Looked>();
  const tried = new Map<number, Tried>();
  const numberOf = new Map([...mutants].map(([number, { key }]) => [key, number]));
  let carried = 0;
  // Commits that change nothing of the copy have the same results. The first is where they were made.
  let commit: string | undefined;
  for (const line of readLines<Kept>(values.results)) {
    const isOurs = line.version === version && line.grow === growMost;
    if (isOurs) commit ??= line.commit;
    if (line.kind === "grow" && isOurs) grown.set(line.number, line);
    if (line.kind === "look" && isOurs) looked.set(line.name, line);
    if (line.kind !== "kill") continue;
    const mutant = numberOf.get(line.key!);
    if (mutant === undefined || tried.get(mutant)?.finding !== undefined) continue;
    if (!isOurs && (!values.carry || line.finding === undefined)) continue;
    if (!isOurs) carried++;
    tried.set(mutant, { ...line, mutant });
  }
  commit ??= readCommit(ROOT, ["src", "scenarios", "bench/mutation", "package.json"]);
  const explained = JSON.parse(readFileSync(join(import.meta.dirname, "explained.json"), "utf8")) as Explained;
  const explain = createExplainer(explained);
  /** From the last report. */
  const survivedBefore = new Set(
    existsSync(`${values.out}.json`)
      ? (JSON.parse(readFileSync(`${values.out}.json`, "utf8")) as MutationReport).survivors.map(({ key }) => key)
      : [],
  );
  const keep = (done: AnyDone, key?: string) =>
    appendLine(values.results, { ...done, version, commit, grow: growMost, key });

  const common = {
    workers: values.workers,
    patience: values.patience,
  };
  const run = <Job extends AnyJob, Done extends AnyDone>(
    jobs: readonly Job[],
    onDone: (done: Done) => void,
    onLost: (job: Job, why: string) => Done,
  ) => runJobs<Job, Done>({ ...common, worker: copy.worker, jobs, lost: onLost, onDone });
  const fail =
    (what: string) =>
    (_: unknown, why: string): never => {
      throw new Error(`${what} ended: ${why}`);
    };

  if (!values.report) {
    console.log(`copy ${version}: ${mutants.size} of ${total} mutants, ${carried} killed before`);
    await run<GrowJob, Grown>(
      campaigns.filter(({ number }) => !grown.has(number)),
      (done) => {
        grown.set(done.number, done);
        keep(done);
        console.log(`campaign ${done.number}: ${done.cases} cases, at most ${done.mostTurns} loop turns a block`);
      },
      fail("a campaign"),
    );
    const files = findScenarioFiles([join(copy.folder, "scenarios", "regressions")]).files.map((file) =>
      relative(copy.folder, file).split(sep).join("/"),
    );
    const names = [...chooseLooks([...grown.values()], values.looks), ...files];
    await run<LookJob, Looked>(
      names.filter((name) => !looked.has(name)).map((name) => ({ kind: "look", name, folder })),
      (done) => {
        looked.set(done.name, done);
        keep(done);
        const { finding, name, transactions, mostTurns } = done;
        const what = isScenario(name) ? name : `case ${name} of ${transactions}`;
        console.log(`${what}: ${finding?.invariant ?? "clean"}, ${mostTurns} turns`);
      },
      fail("a case without a mutant"),
    );
  }

  const all = [...grown.values()].sort((a, b) => a.number - b.number);
  // In an order that does not depend on the workers.
  const looks = [...looked.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const reached = joinReached(all);
  const budget = {
    cases: values.cases,
    transactions: values.transactions,
    most: 2 * values.cases,
  };
  const loaded = new Set(all.flatMap((one) => one.loaded));

  if (!values.report) {
    const casesOf = (mutant: number) => chooseCases(reached.get(mutant), mutant, looks, budget, loaded.has(mutant));
    // Survivors of fewer cases are tried with the rest.
    const metBy = (mutant: number) => tried.get(mutant)?.cases ?? 0;
    const isOpen = ([mutant, { key }]: readonly [number, { readonly key: string }]) =>
      key.includes(values.only) &&
      (!tried.has(mutant) || (tried.get(mutant)!.finding === undefined && casesOf(mutant).length > metBy(mutant)));
    // Earlier survivors take longest and matter most; mutants explained as equivalent come last.
    const rankOf = (mutant: number) => {
      const { key } = mutants.get(mutant)!;
      return explain(key)?.equivalent === true ? 2 : survivedBefore.has(key) ? 0 : 1;
    };
    // In the order of a lot, the results of a run that was stopped are those of a fair sample.
    const lots = new Map(orderByLot(mutants, seed).map((mutant, place) => [mutant, place]));
    const open = [...mutants]
      .filter(isOpen)
      .map(([mutant]) => mutant)
      .sort((a, b) => rankOf(a) - rankOf(b) || lots.get(a)! - lots.get(b)!);
    const jobs = open.map((mutant): KillJob => {
      const cases = casesOf(mutant).slice(metBy(mutant));
      const isLoaded = loaded.has(mutant);
      return { kind: "kill", mutant, cases, folder, files: chooseFiles(mutant, looks, isLoaded), isLoaded };
    });
    let tries = mutants.size - open.length;
    await runKills({
      ...common,
      copy,
      jobs,
      queue: values.queue,
      onDone(last) {
        const before = tried.get(last.mutant);
        const transactions = (before?.transactions ?? 0) + last.transactions;
        const done = { ...last, cases: metBy(last.mutant) + last.cases, transactions };
        tried.set(done.mutant, done);
        const { key } = mutants.get(done.mutant)!;
        keep(done, key);
        const what = done.finding === undefined ? "SURVIVED" : `found by ${done.finding.invariant}`;
        const alarms = done.falseAlarms.length === 0 ? "" : `; without it, too: ${done.falseAlarms.join(", ")}`;
        console.log(`${++tries}/${mutants.size} ${key}: ${what}, ${done.cases} cases, ${done.seconds} s${alarms}`);
      },
    });
  }

  const grownIn = { cases: sum(all, "cases"), transactions: sum(all, "transactions") };
  const report = createMutationReport({
    version,
    commit,
    seed,
    keys,
    mutants,
    grown: grownIn,
    reached,
    looked: looks,
    loaded,
    tried,
    carried,
    explained,
  });
  mkdirSync(join(values.out, ".."), { recursive: true });
  const isEquivalent = (key: string) => explain(key)?.equivalent === true;
  const together = missed && {
    oracles: missed.oracles,
    score: scoreMissed(missed, report, isEquivalent),
    ...(values.triedBy.length > 0 ? { table: compareWithSearch(missed, report, isEquivalent) } : {}),
  };
  writeFileSync(`${values.out}.json`, `${JSON.stringify({ ...report, together }, undefined, 2)}\n`);
  const text = renderMutationReport(report, together);
  writeFileSync(`${values.out}.md`, text);
  console.log(text.split("\n## Survivors")[0]);
}

function sum<Name extends string>(list: readonly Readonly<Record<Name, number>>[], name: Name): number {
  return list.reduce((total, one) => total + one[name], 0);
}
