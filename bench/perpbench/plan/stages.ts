import type { Visits } from "../job.ts";
import type { AroundJob, Surrounded } from "../oracles/around.ts";
import type { Explored, ExploreJob } from "../oracles/explore.ts";
import type { ByScenarios, ScenariosJob } from "../oracles/scenarios.ts";
import type { BenchJob } from "../runJob.ts";
import type { TrialJob } from "../trial.ts";
import type { BenchOptions } from "./options.ts";

/** Results so far, by job. */
export interface Known {
  get(job: ScenariosJob): ByScenarios | undefined;
  get(job: ExploreJob): Explored | undefined;
  get(job: AroundJob): Surrounded | undefined;
}

/** Jobs that depend only on results of earlier stages. */
export type Stage = (known: Known) => readonly BenchJob[];

/**
 * The benchmark in stages. A stopped run has something of every bug: the first seed comes before the explorations, and
 * the other seeds last.
 */
export function planStages(options: BenchOptions): Stage[] {
  const { methods, depth } = options;
  const isOn = (method: (typeof methods)[number]) => methods.includes(method);
  const trials = isOn("search") ? listTrials(options) : [];
  const seeds = [...new Set(trials.map(({ seed }) => seed))].sort((a, b) => a - b);
  const [first = [], ...others] = seeds.map((seed) => trials.filter((job) => job.seed === seed));
  return [
    () => [{ method: "minimal" }],
    () => first,
    ...(isOn("scenarios") ? scenarioStages(options) : []),
    ...(isOn("explore") ? Array.from({ length: depth }, (_, at) => exploreStages(options, at + 1)).flat() : []),
    ...(isOn("around") ? aroundStages(options) : []),
    ...others.map((jobs) => () => jobs),
  ];
}

/** All trials of the search, with those without a bug. */
export function listTrials({ bugs, seeds, clean, model, shrunkSeeds, guidance, budgetOf }: BenchOptions): TrialJob[] {
  const job = (bug: number, seed: number, budget: number): TrialJob => ({
    ...{ method: "search", bug, seed, budget, model },
    shrinks: bug !== 0 && seed <= shrunkSeeds,
    ...(guidance === undefined ? {} : { guidance }),
  });
  // A trial without a bug has the largest budget of those with one.
  const most = bugs.reduce((largest, bug) => Math.max(largest, budgetOf(bug)), 0);
  return [
    ...seeds.flatMap((seed) => bugs.map((bug) => job(bug.number, seed, budgetOf(bug)))),
    ...Array.from({ length: clean }, (_, at) => job(0, at + 1, most)),
  ];
}

function numbersOf({ bugs }: BenchOptions): number[] {
  return bugs.map(({ number }) => number);
}

function scenarioStages(options: BenchOptions): Stage[] {
  const job = (bug: number): ScenariosJob => ({ method: "scenarios", bug });
  return [
    () => [job(0)],
    (known) => {
      // A scenario that fails without a bug shows nothing about one.
      const visits = known.get(job(0))?.visits;
      return numbersOf(options).map((bug) =>
        visits === undefined ? job(bug) : { ...job(bug), files: reaching(visits, bug) },
      );
    },
  ];
}

/** Explorations to one depth: first without a bug, then with those that were not found at a smaller depth. */
function exploreStages(options: BenchOptions, depth: number): Stage[] {
  const job = (bug: number, at: number): ExploreJob => ({ method: "explore", bug, depth: at, budget: options.blocks });
  const isOpen = (known: Known, bug: number) =>
    Array.from({ length: depth - 1 }, (_, at) => known.get(job(bug, at + 1))).every(
      // A deeper exploration begins with the same blocks: one that was cut would be cut again.
      (result) => result !== undefined && result.finding === undefined && !result.isCut,
    );
  return [
    () => [job(0, depth)],
    (known) => {
      const clean = known.get(job(0, depth));
      return numbersOf(options)
        .filter((bug) => isOpen(known, bug))
        .map((bug) => {
          const worlds = filesReaching(clean, bug);
          return worlds === undefined ? job(bug, depth) : { ...job(bug, depth), worlds };
        });
    },
  ];
}

function aroundStages(options: BenchOptions): Stage[] {
  const { every, blocks } = options;
  const job = (bug: number): AroundJob => ({ method: "around", bug, every, budget: blocks });
  return [
    () => [{ ...job(0), budget: Number.MAX_SAFE_INTEGER }],
    (known) => {
      const clean = known.get({ ...job(0), budget: Number.MAX_SAFE_INTEGER });
      return numbersOf(options).map((bug) => {
        const scenarios = filesReaching(clean, bug);
        return scenarios === undefined ? job(bug) : { ...job(bug), scenarios };
      });
    },
  ];
}

/**
 * Files whose exploration without a bug reaches its lines. With the bug, the others run as they do without it.
 *
 * @returns undefined if that exploration did not end
 */
function filesReaching(
  clean: { readonly isCut: boolean; readonly finding?: unknown; readonly visits?: Visits } | undefined,
  bug: number,
): string[] | undefined {
  if (clean?.visits === undefined || clean.isCut || clean.finding !== undefined) return undefined;
  return reaching(clean.visits, bug);
}

function reaching(visits: Visits, bug: number): string[] {
  return Object.entries(visits).flatMap(([file, bugs]) => (bugs.includes(bug) ? [file] : []));
}
