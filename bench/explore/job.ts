import { compileScenario } from "../../src/product/scenario/compile/compileScenario.ts";
import { exploreStart } from "../../src/proof/fuzz/explore/world/exploreStart.ts";
import { openWorlds } from "../../src/proof/fuzz/explore/world/worlds.ts";

/** One start of a world. */
export interface ExploreJob {
  /** Path of the scenario from the root of the project. */
  readonly world: string;
  /** Place of the start in the world. */
  readonly place: number;
  readonly depth: number;
}

/** What its exploration showed. */
export interface ExploreRow extends ExploreJob {
  readonly start: string;
  /** New states at each depth, the start itself first. */
  readonly statesAt: readonly number[];
  readonly states: number;
  /** New states with heavy invariants: those of the last depth, and the sampled ones of the depths before. */
  readonly heavyAtLast: number;
  readonly heavyBefore: number;
  readonly transitions: number;
  readonly merged: number;
  readonly unchanged: number;
  readonly traces: number;
  readonly pairsTried: number;
  /** Violations, and merged pairs with different futures, in words. */
  readonly broken: readonly string[];
  /** Invariants that had nothing to check. */
  readonly unmet: readonly string[];
  /** CPU seconds of all threads, the start of the program not counted. */
  readonly seconds: number;
  /** Those of the heavy invariants. */
  readonly heavySeconds: number;
}

/** Explores one start with all invariants and the model. */
export function exploreJob({ world, place, depth }: ExploreJob): ExploreRow {
  const start = openWorlds([compileScenario(world)], true)[0]!.starts[place]!;
  let heavy = 0;
  const before = process.cpuUsage();
  const report = exploreStart(start, {
    depth,
    runHeavy(check) {
      const begun = process.cpuUsage();
      const found = check();
      heavy += sumOf(process.cpuUsage(begun));
      return found;
    },
  });
  const seconds = sumOf(process.cpuUsage(before));
  const {
    statesAt,
    states,
    heavyAtLast,
    heavyBefore,
    transitions,
    merged,
    unchanged,
    traces,
    pairsTried,
    findings,
    unequal,
    met,
  } = report;
  const broken = [
    ...findings.map(({ violation, path }) => `${violation.invariant} after ${path.join(" > ")}`),
    ...unequal.map(({ after, difference }) => `${difference} after ${after}`),
  ];
  const unmet = [...met].filter(([, count]) => count === 0).map(([id]) => id);
  return {
    ...{ world, place, depth, start: report.start, statesAt, states, heavyAtLast, heavyBefore, transitions },
    ...{ merged, unchanged, traces, pairsTried, broken, unmet },
    ...{ seconds: Math.round(seconds * 10) / 10, heavySeconds: Math.round(heavy * 10) / 10 },
  };
}

function sumOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1e6;
}
