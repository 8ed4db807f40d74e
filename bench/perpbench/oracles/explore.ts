/** The worlds of `scenarios/worlds`, explored with one bug to one depth, with the invariants and the model. */
import { join } from "node:path";
import { compileScenario } from "../../../src/product/scenario/compile/compileScenario.ts";
import { exploreStart } from "../../../src/proof/fuzz/explore/world/exploreStart.ts";
import type { StartReport, WorldFinding } from "../../../src/proof/fuzz/explore/world/startReport.ts";
import { openWorlds, type Start } from "../../../src/proof/fuzz/explore/world/worlds.ts";
import { runCase } from "../../../src/proof/fuzz/run/runCase.ts";
import type { Attempt, Visits } from "../job.ts";
import { visited } from "../planted.ts";
import type { Finding } from "../search.ts";
import { describeThrown, Enough, measure } from "./measure.ts";
import { listScenarios, SCENARIOS } from "./scenarios.ts";

export interface ExploreJob {
  readonly method: "explore";
  readonly bug: number;
  /** Blocks of a sequence at most. At depth 1 the blocks that lead to the starts are checked, too. */
  readonly depth: number;
  /** Blocks to try at most; the exploration ends before a further one. */
  readonly budget: number;
  /** Files under `scenarios`. Default: all worlds. */
  readonly worlds?: readonly string[];
}

export interface Explored extends Attempt {
  readonly method: "explore";
  readonly depth: number;
  readonly budget: number;
  /** Blocks of the alphabets that were tried, and states up to the key. */
  readonly transitions: number;
  readonly states: number;
  /** Worlds that were explored, the last one perhaps in part. */
  readonly worlds: number;
  /** True if the budget ended the exploration: what is not found might be in the rest. */
  readonly isCut: boolean;
  /** World and start of the finding, and the blocks of the alphabet that show it; none if the start itself does. */
  readonly world?: string | undefined;
  readonly start?: string | undefined;
  readonly path?: readonly string[] | undefined;
  /** Without a bug: the lines that each world reaches. */
  readonly visits?: Visits;
}

/** Every block and every sweep is checked before an exploration begins. */
const WATCHED = { sweepEvery: 1, heavyEvery: 1 } as const;

interface Found {
  readonly finding: Finding;
  readonly start?: string;
  readonly path: readonly string[];
}

/** Explores worlds until a finding, or to the end. */
export function runExplore(job: ExploreJob): Explored {
  const { bug, depth, budget } = job;
  const worlds = job.worlds ?? listScenarios("worlds");
  return measure(bug, () => {
    const explorer = new BugExplorer(depth, budget);
    const visits: Record<string, readonly number[]> = {};
    let found: Found | undefined;
    let opened = 0;
    for (const world of worlds) {
      visited.clear();
      opened++;
      found = explorer.explore(world);
      visits[world] = [...visited].sort((a, b) => a - b);
      if (found !== undefined || explorer.isCut) break;
    }
    const { transitions, states, isCut } = explorer;
    const shown = { method: "explore", depth, budget, transitions, states, worlds: opened, isCut } as const;
    const where = found === undefined ? {} : { ...found, world: worlds[opened - 1] };
    return bug === 0 ? { ...shown, ...where, visits } : { ...shown, ...where };
  });
}

class BugExplorer {
  readonly #depth: number;
  readonly #budget: number;
  transitions = 0;
  states = 0;
  isCut = false;

  constructor(depth: number, budget: number) {
    this.#depth = depth;
    this.#budget = budget;
  }

  /** Explores every start of a world until a finding. */
  explore(world: string): Found | undefined {
    let starts: readonly Start[];
    try {
      starts = openWorlds([compileScenario(join(SCENARIOS, world))], true)[0]!.starts;
    } catch (error) {
      return { finding: thrown(error), path: [] };
    }
    for (const start of starts) {
      const found = (this.#depth === 1 ? this.#checkStart(start) : undefined) ?? this.#exploreStart(start);
      if (found !== undefined || this.isCut) return found;
    }
    return undefined;
  }

  /** Checks the blocks that lead to a start, which an exploration takes as they are. */
  #checkStart({ name, plan, blocks, crashes }: Start): Found | undefined {
    const chronicle = { genesis: plan.genesis, blocks, crashes };
    const { violation } = runCase(chronicle, { oracles: { watch: WATCHED, model: true } });
    return violation === undefined ? undefined : { finding: cut(violation), start: name, path: [] };
  }

  #exploreStart(start: Start): Found | undefined {
    let found: WorldFinding | undefined;
    let [transitions, states] = [0, 0];
    let report: StartReport | undefined;
    try {
      report = exploreStart(start, {
        depth: this.#depth,
        onProgress: (tried, seen) => {
          [transitions, states] = [tried, seen];
          if (this.transitions + tried < this.#budget) return;
          this.isCut = true;
          throw new Enough();
        },
        onFinding: (first) => {
          found = first;
          throw new Enough();
        },
      });
    } catch (error) {
      if (!(error instanceof Enough)) return { finding: thrown(error), start: start.name, path: [] };
    } finally {
      this.transitions += report?.transitions ?? transitions;
      this.states += report?.states ?? states;
    }
    if (found !== undefined) return { finding: cut(found.violation), start: start.name, path: found.path };
    const [unequal] = report?.unequal ?? [];
    if (unequal === undefined) return undefined;
    const observed = `after ${unequal.after}: ${unequal.difference}`;
    const finding: Finding = { kind: "unequal", invariant: "equalStatesHaveEqualFutures", height: 0, observed };
    return { finding, start: start.name, path: [...unequal.second, unequal.after] };
  }
}

/** A finding without long texts. */
export function cut({ kind, invariant, height, observed }: Finding): Finding {
  return { kind, invariant, height, observed: observed.slice(0, 300) };
}

/** An error that ends the whole command. */
export function thrown(error: unknown): Finding {
  return { kind: "throw", invariant: "nothingThrows", height: 0, observed: describeThrown(error) };
}
