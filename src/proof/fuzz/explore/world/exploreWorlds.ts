import { type ExploreOptions, exploreStart } from "./exploreStart.ts";
import type { StartReport } from "./startReport.ts";
import type { World } from "./worlds.ts";

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

/** Explores every start of every world, in their order. */
export function exploreWorlds(
  worlds: readonly World[],
  { depthOf, ...options }: Omit<ExploreOptions, "depth"> & { readonly depthOf: (world: World) => number },
): WorldReport[] {
  let [transitions, states, findings] = [0, 0, 0];
  return worlds.map((world) => {
    const starts = world.starts.map((start) => {
      const report = exploreStart(start, {
        ...options,
        depth: depthOf(world),
        onProgress: (tried, seen, found) => options.onProgress?.(transitions + tried, states + seen, findings + found),
      });
      transitions += report.transitions;
      states += report.states;
      findings += report.findings.length;
      return report;
    });
    const { file, name } = world;
    return {
      file,
      name,
      starts,
      neverApplied: findNeverApplied(world, starts),
      neverMet: findNeverMet(world, starts, options),
    };
  });
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

function findNeverMet(
  { explore }: World,
  starts: readonly StartReport[],
  { invariants }: Pick<ExploreOptions, "invariants">,
): string[] {
  const wanted = explore.shows.filter((id) => invariants === undefined || invariants.some((one) => one.id === id));
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
