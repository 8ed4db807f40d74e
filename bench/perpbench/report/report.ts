import { bugs } from "../bugs/index.ts";
import { type Attempt, METHODS, type Method } from "../job.ts";
import type { Surrounded } from "../oracles/around.ts";
import type { Explored } from "../oracles/explore.ts";
import type { ByScenarios } from "../oracles/scenarios.ts";
import type { BenchOptions } from "../plan/options.ts";
import type { Results, Tree } from "../plan/results.ts";
import { listTrials } from "../plan/stages.ts";
import type { Trial } from "../trial.ts";
import { createSearchReport, isDetected, type SearchReport } from "./searchReport.ts";

/** Number of the last bug of the benchmark; later ones were planted from the rulebook. */
const FIRST_LAST = 40;
export const GROUPS = ["first 40", "new 27"] as const;
export type Group = (typeof GROUPS)[number];

/** Result of one way to look for one bug. `cut`: the budget ended before all was tried. */
export type Verdict = "found" | "not found" | "cut" | "lost";

/** Why a bug was not found: its line never ran, its fault never showed, or no check saw it. */
export type Miss = "never reached" | "not triggered" | "not seen";

export interface Cell {
  readonly verdict: Verdict;
  readonly miss?: Miss | undefined;
  /** What saw it first. */
  readonly by?: string | undefined;
  /** Where: a file, with the start and the sequence of an exploration. */
  readonly where?: string | undefined;
  readonly path?: readonly string[] | undefined;
  /** Of an exploration: blocks of the sequence that shows it, or the depth that was explored. */
  readonly depth?: number | undefined;
  /** Of a search: seeds that found it, and seeds. */
  readonly seeds?: readonly [found: number, of: number] | undefined;
  /** Transactions of the median seed, scenarios that were run, or blocks that were tried. */
  readonly effort: number;
  readonly cpuSeconds: number;
}

export interface BugRow {
  readonly bug: number;
  readonly title: string;
  readonly group: Group;
  /** By way; a way that was not run has none. */
  readonly cells: Readonly<Partial<Record<Method, Cell>>>;
}

export interface GroupSummary {
  readonly group: Group;
  /** By way: bugs that were tried, and what became of them. A search finds a bug if every seed does that was run. */
  readonly methods: Readonly<Partial<Record<Method, Readonly<Record<Verdict | "tried" | "only", number>>>>>;
  /** Bugs that at least one way finds, of those that all ways were tried with. */
  readonly any: number;
  readonly tried: number;
}

/** What ran without a bug: each finding would be a false alarm. */
export interface CleanRuns {
  readonly scenarios: number;
  readonly transitions: number;
  readonly blocksAround: number;
  readonly scenariosAround: number;
  readonly falseAlarms: readonly string[];
}

export interface BenchReport extends SearchReport {
  readonly tree: Tree;
  /** Words after `npm run perpbench --` that run the same again. */
  readonly words: readonly string[];
  readonly ran: Pick<BenchOptions, "methods" | "model" | "depth" | "blocks" | "every" | "guidance"> & {
    readonly seeds: number;
    /** Trials of the search that have a result, and all. */
    readonly trials: readonly [run: number, of: number];
    /** Transactions of a trial, the least and the most. */
    readonly budgets: readonly [least: number, most: number];
    readonly cpuSeconds: Readonly<Partial<Record<Method, number>>>;
  };
  readonly rows: readonly BugRow[];
  readonly groups: readonly GroupSummary[];
  readonly withoutBug: CleanRuns;
}

/** The stored results of one copy, for the ways, seeds and budgets of these options. */
export function createBenchReport(results: Results, options: BenchOptions): BenchReport {
  const { methods, model, depth, blocks, every, guidance } = options;
  const found = collect(results, options);
  const minimal = results.get({ method: "minimal" })?.minimals ?? [];
  const rows = bugs.map(({ number: bug, title }): BugRow => {
    const group = bug <= FIRST_LAST ? GROUPS[0] : GROUPS[1];
    const cells: Partial<Record<Method, Cell>> = {};
    for (const method of METHODS) {
      const cell = cellOf(method, found, bug);
      if (cell !== undefined) cells[method] = cell;
    }
    return { bug, title, group, cells };
  });
  const budgets = options.bugs.map(options.budgetOf);
  const sum = (attempts: readonly Attempt[]) =>
    Math.round(attempts.reduce((all, { cpuSeconds }) => all + cpuSeconds, 0));
  return {
    tree: results.tree,
    words: options.words,
    ran: {
      ...{ methods, model, depth, blocks, every, seeds: options.seeds.length },
      ...(guidance === undefined ? {} : { guidance }),
      trials: [found.search.length, listTrials(options).length],
      budgets: [Math.min(...budgets), Math.max(...budgets)],
      cpuSeconds: Object.fromEntries(methods.map((method) => [method, sum(found[method])])),
    },
    rows,
    groups: GROUPS.map((group) => summarize(group, rows, methods)),
    withoutBug: describeClean(found),
    ...createSearchReport({ trials: found.search, minimal }),
  };
}

interface Found {
  readonly search: readonly Trial[];
  readonly scenarios: readonly ByScenarios[];
  readonly explore: readonly Explored[];
  readonly around: readonly Surrounded[];
}

function collect(results: Results, options: BenchOptions): Found {
  const { depth, blocks, every } = options;
  const numbers = [0, ...options.bugs.map(({ number }) => number)];
  const known = <Result>(result: Result | undefined): Result[] => (result === undefined ? [] : [result]);
  return {
    search: listTrials(options).flatMap((job) => known(results.get(job) as Trial | undefined)),
    scenarios: numbers.flatMap((bug) => known(results.get({ method: "scenarios", bug }) as ByScenarios | undefined)),
    explore: numbers.flatMap((bug) =>
      Array.from({ length: depth }, (_, at) => at + 1).flatMap((at) =>
        known(results.get({ method: "explore", bug, depth: at, budget: blocks }) as Explored | undefined),
      ),
    ),
    around: numbers.flatMap((bug) => {
      const budget = bug === 0 ? Number.MAX_SAFE_INTEGER : blocks;
      return known(results.get({ method: "around", bug, every, budget }) as Surrounded | undefined);
    }),
  };
}

/**
 * Whether a finding is of the bug. A search draws its cases, so its finding counts if the fault has shown. The other
 * ways run the same files without the bug: what they find with it alone is of the bug, also where a check shows it by a
 * read outside of a block, which no counter has.
 */
function isOfBug(method: Method, attempt: Attempt): boolean {
  return method === "search" ? isDetected(attempt) : attempt.finding !== undefined;
}

function cellOf(method: Method, found: Found, bug: number): Cell | undefined {
  const attempts: readonly Attempt[] = found[method].filter((attempt) => attempt.bug === bug);
  if (attempts.length === 0) return undefined;
  const cpuSeconds = Math.round(attempts.reduce((sum, one) => sum + one.cpuSeconds, 0) * 10) / 10;
  const first = attempts.find((attempt) => isOfBug(method, attempt));
  const miss = first === undefined ? missOf(attempts) : undefined;
  const common = { by: first?.finding?.invariant, cpuSeconds, miss };
  switch (method) {
    case "search": {
      const trials = attempts as readonly Trial[];
      const detected = trials.filter(isDetected).length;
      const sorted = trials.map((one) => (isDetected(one) ? one.transactions : one.budget)).sort((a, b) => a - b);
      const effort = sorted[Math.ceil(sorted.length / 2) - 1]!;
      return { verdict: verdictOf(attempts, detected > 0), ...common, seeds: [detected, trials.length], effort };
    }
    case "scenarios": {
      const { file, files } = attempts[0] as ByScenarios;
      return { verdict: verdictOf(attempts, first !== undefined), ...common, where: file, effort: files };
    }
    case "explore": {
      const explored = attempts as readonly Explored[];
      const last = explored.at(-1)!;
      const effort = explored.reduce((sum, { transitions }) => sum + transitions, 0);
      const depth = first === undefined ? last.depth : (last.path?.length ?? last.depth);
      const where =
        [last.world, last.start].filter((text) => text !== undefined && text !== "").join(", ") || undefined;
      const verdict = verdictOf(attempts, first !== undefined, last.isCut);
      return { verdict, ...common, where, path: last.path, depth, effort };
    }
    case "around": {
      const { file, before, step, blocks, isCut } = attempts[0] as Surrounded;
      const path = file === undefined ? undefined : step === undefined ? [] : [`before ${before}: ${step}`];
      const verdict = verdictOf(attempts, first !== undefined, isCut);
      return { verdict, ...common, where: file, path, effort: blocks };
    }
  }
}

function verdictOf(attempts: readonly Attempt[], isFound: boolean, isCut = false): Verdict {
  if (isFound) return "found";
  if (attempts.some(({ lost }) => lost !== undefined)) return "lost";
  return isCut ? "cut" : "not found";
}

function missOf(attempts: readonly Attempt[]): Miss {
  if (attempts.some(({ triggered }) => triggered > 0)) return "not seen";
  return attempts.some(({ reached }) => reached > 0) ? "not triggered" : "never reached";
}

/** Whether a way counts as finding a bug: of a search, every seed. */
export function isFoundBy(cell: Cell | undefined): boolean {
  return cell?.verdict === "found" && (cell.seeds === undefined || cell.seeds[0] === cell.seeds[1]);
}

function summarize(group: Group, all: readonly BugRow[], methods: readonly Method[]): GroupSummary {
  const rows = all.filter((row) => row.group === group);
  const complete = rows.filter(({ cells }) => methods.every((method) => cells[method] !== undefined));
  const summaries = methods.map((method) => {
    const tried = rows.flatMap(({ cells }) => cells[method] ?? []);
    const count = (verdict: Verdict) =>
      tried.filter((cell) => (verdict === "found" ? isFoundBy(cell) : verdict === cell.verdict)).length;
    const only = complete.filter(({ cells }) =>
      methods.every((other) => isFoundBy(cells[other]) === (other === method)),
    ).length;
    const found = count("found");
    const [cut, lost] = [count("cut"), count("lost")];
    const counts = { tried: tried.length, found, cut, lost, "not found": tried.length - found - cut - lost, only };
    return [method, counts] as const;
  });
  return {
    group,
    methods: Object.fromEntries(summaries),
    tried: complete.length,
    any: complete.filter(({ cells }) => methods.some((method) => isFoundBy(cells[method]))).length,
  };
}

function describeClean({ search, scenarios, explore, around }: Found): CleanRuns {
  const [byScenarios, worlds, surrounded] = [scenarios, explore, around].map((all) =>
    (all as readonly Attempt[]).filter(({ bug }) => bug === 0),
  ) as [ByScenarios[], Explored[], Surrounded[]];
  const alarms = [...byScenarios, ...worlds, ...surrounded, ...search.filter(({ bug }) => bug === 0)]
    .flatMap(({ finding }) => finding ?? [])
    .map(({ invariant, observed }) => `${invariant}: ${observed}`);
  // Before its fault shows, a bug has no effect on a search.
  const early = search
    .filter(({ bug, finding, triggered }) => bug !== 0 && finding !== undefined && triggered === 0)
    .map(({ bug, finding }) => `bug ${bug}, before its fault showed: ${finding!.invariant}`);
  return {
    scenarios: byScenarios[0]?.files ?? 0,
    transitions: worlds.reduce((sum, { transitions }) => sum + transitions, 0),
    blocksAround: surrounded[0]?.blocks ?? 0,
    scenariosAround: surrounded[0]?.scenarios ?? 0,
    falseAlarms: [...alarms, ...early],
  };
}
