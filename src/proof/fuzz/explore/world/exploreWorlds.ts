import type { JobEngine } from "../../../../product/jobs/engine.ts";
import { invariants } from "../../../invariants/list.ts";
import type { Invariant } from "../../../invariants/machinery/defineInvariant.ts";
import { selectInvariants } from "../../campaign/selectInvariants.ts";
import { applyWith } from "../applyWith.ts";
import type { ExploreShared } from "../shared.ts";
import { Frontier, type FrontierOptions } from "./frontier.ts";
import type { StartReport } from "./startReport.ts";
import type { Task, TaskCounts } from "./task.ts";
import { estimateWork, workOf } from "./workEstimate.ts";
import { WORLD_KIND, type WorldDone, type WorldPart } from "./worldKind.ts";
import type { Start, World } from "./worlds.ts";

/** What the explorations of one world showed. */
export interface WorldReport {
  readonly file: string;
  readonly name: string;
  readonly starts: readonly StartReport[];
  /**
   * Transactions of the alphabet that never had their outcome: `block, transaction 2`; `block` alone if it was never
   * tried. The outcome is applied, unless the world expects a rejection.
   */
  readonly neverApplied: readonly string[];
  /** Invariants that the world is to show and that had nothing to check. */
  readonly neverMet: readonly string[];
}

/** What was done so far. */
export interface WorldProgress {
  /** Work that is done, and about how much it is in all, in blocks: a heavy check counts as several. */
  readonly done: number;
  readonly total: number;
  readonly states: number;
  readonly findings: number;
}

export interface ExploreWorldsOptions {
  /** The worlds' texts, in their order. */
  readonly shared: ExploreShared;
  readonly depthOf: (world: World) => number;
  readonly heavyEvery?: number;
  readonly onProgress?: (progress: WorldProgress) => void;
}

/**
 * Starts that are explored at the same time. While one waits for the last tasks of a level, workers do those of others.
 */
const AT_ONCE = 4;

/**
 * Explores every start of every world. The reports are the same for every engine.
 *
 * @param engine knows the kind `world`
 */
export async function exploreWorlds(
  worlds: readonly World[],
  engine: JobEngine,
  options: ExploreWorldsOptions,
): Promise<WorldReport[]> {
  const chosen = selectInvariants(invariants, options.shared.invariants);
  const text = JSON.stringify(options.shared);
  const explorations = worlds.flatMap((world, at) =>
    world.starts.map((start, place) => {
      const { heavyEvery, shared } = options;
      const apply = applyWith(shared.canary ?? undefined);
      const of = { depth: options.depthOf(world), invariants: chosen, apply, heavyEvery };
      return new Exploration(start, of, (tasks, onDone) => {
        const parts = tasks.map((task): WorldPart => ({ world: at, start: place, task }));
        return engine.run({ kind: WORLD_KIND, shared: text, parts }, { onDone });
      });
    }),
  );
  const report = () => {
    const sum = (of: (one: Exploration) => number) => explorations.reduce((total, one) => total + of(one), 0);
    const done = Math.round(sum((one) => one.done));
    const total = Math.round(sum((one) => one.total));
    options.onProgress?.({ done, total, states: sum((one) => one.states), findings: sum((one) => one.findings) });
  };
  const reports = await mapAtOnce(explorations, AT_ONCE, (one, isOver) => one.run(report, isOver));
  return worlds.map((world) => {
    const starts = reports.splice(0, world.starts.length);
    const { file, name } = world;
    const [neverApplied, neverMet] = [findNeverApplied(world, starts), findNeverMet(world, starts, chosen)];
    return { file, name, starts, neverApplied, neverMet };
  });
}

/** About how many blocks an exploration tries; a heavy check counts as several. */
export function estimateWorlds(worlds: readonly World[], depthOf: (world: World) => number): number {
  const starts = worlds.flatMap((world) => world.starts.map((start) => ({ start, depth: depthOf(world) })));
  const works = starts.map(({ start, depth }) => estimateWork([1], start.alphabet.letters.length, depth));
  return Math.round(works.reduce((sum, work) => sum + work, 0));
}

/** Does tasks, and returns the texts of their results. */
type RunTasks = (tasks: readonly Task[], onDone: (at: number) => void) => Promise<readonly string[]>;

/** The exploration of one start, with its progress. */
class Exploration {
  readonly #frontier: Frontier;
  readonly #letters: number;
  readonly #depth: number;
  readonly #runTasks: RunTasks;
  /** Work that is done, in blocks. */
  done = 0;
  /** Work in all, as far as it is known. */
  total: number;

  constructor(start: Start, options: FrontierOptions, runTasks: RunTasks) {
    this.#frontier = new Frontier(start, options);
    this.#letters = start.alphabet.letters.length;
    this.#depth = options.depth;
    this.#runTasks = runTasks;
    this.total = estimateWork([1], this.#letters, options.depth);
  }

  get states(): number {
    return this.#frontier.states;
  }

  get findings(): number {
    return this.#frontier.findings;
  }

  /** @param isOver asked before each round: the exploration ends early if its report is not needed any more */
  async run(onProgress: () => void, isOver: () => boolean): Promise<StartReport> {
    const counts: TaskCounts[] = [];
    const rounds = this.#frontier.explore();
    let round = rounds.next();
    while (round.done !== true && !isOver()) {
      const tasks = round.value;
      const works = tasks.map((task) => workOf(task, this.#letters));
      const texts = await this.#runTasks(tasks, (at) => {
        this.done += works[at]!;
        onProgress();
      });
      const all = texts.map((one) => JSON.parse(one) as WorldDone);
      for (const one of all) counts.push(one.counts);
      round = rounds.next(all.map(({ result }) => result));
      this.total = this.done + this.#estimateLeft(round.done === true ? [] : round.value);
    }
    return this.#frontier.report(counts);
  }

  /** @param tasks those of the next round: a level is expanded, or its new states are checked */
  #estimateLeft(tasks: readonly Task[]): number {
    const { statesAt, states } = this.#frontier;
    if (tasks.every(({ kind }) => kind === "expand")) return estimateWork(statesAt, this.#letters, this.#depth);
    const work = tasks.reduce((sum, task) => sum + workOf(task, this.#letters), 0);
    if (statesAt.length === this.#depth) return work;
    const fresh = states - statesAt.reduce((sum, count) => sum + count, 0);
    return work + estimateWork([...statesAt, fresh], this.#letters, this.#depth);
  }
}

/**
 * Does work on values, some at the same time.
 *
 * @throws the error of the first value that fails, in their order; work on later values ends early
 */
async function mapAtOnce<Value, Result>(
  values: readonly Value[],
  most: number,
  work: (value: Value, isOver: () => boolean) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const failures = new Map<number, unknown>();
  let next = 0;
  const feed = async () => {
    while (next < values.length && failures.size === 0) {
      const at = next++;
      try {
        results[at] = await work(values[at]!, () => [...failures.keys()].some((failed) => failed < at));
      } catch (error) {
        failures.set(at, error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, values.length) }, feed));
  const [first] = [...failures].sort(([a], [b]) => a - b);
  if (first !== undefined) throw first[1];
  return results;
}

function findNeverApplied({ explore }: World, starts: readonly StartReport[]): string[] {
  return explore.alphabet.flatMap(({ name, prices, markets, steps }, at) => {
    const counts = starts.map(({ blocks }) => blocks[at]!);
    if (counts.every(({ tried }) => tried === 0)) return [name];
    const size = prices.length + markets.length + steps.length;
    return Array.from({ length: size }, (_, index) => index)
      .filter((index) => counts.every(({ asExpected }) => (asExpected[index] ?? 0) === 0))
      .map((index) => `${name}, transaction ${index + 1}`);
  });
}

function findNeverMet({ explore }: World, starts: readonly StartReport[], chosen: readonly Invariant[]): string[] {
  const wanted = explore.shows.filter((id) => chosen.some((one) => one.id === id));
  return wanted.filter((id) => starts.every(({ met }) => (met.get(id) ?? 0) === 0));
}

/** Totals of a report, for its last lines. */
export function sumReports(reports: readonly WorldReport[]) {
  const starts = reports.flatMap((report) => report.starts);
  const sum = (of: (start: StartReport) => number) => starts.reduce((total, start) => total + of(start), 0);
  return {
    worlds: reports.length,
    starts: starts.length,
    states: sum(({ states }) => states),
    /** New states of the last depths, all of them with heavy invariants; those before, and the sampled ones of them. */
    heavyAtLast: sum(({ heavyAtLast }) => heavyAtLast),
    before: sum(({ states, heavyAtLast }) => states - 1 - heavyAtLast),
    heavyBefore: sum(({ heavyBefore }) => heavyBefore),
    transitions: sum(({ transitions }) => transitions),
    merged: sum(({ merged }) => merged),
    pairsTried: sum(({ pairsTried }) => pairsTried),
    unchanged: sum(({ unchanged }) => unchanged),
    traces: sum(({ traces }) => traces),
  };
}
