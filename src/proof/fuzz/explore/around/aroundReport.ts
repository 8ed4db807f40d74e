import type { Scenario } from "../../../../product/scenario/compile/plan.ts";
import type { Chronicle } from "../../case/resolveCase.ts";
import type { FuzzViolation } from "../../run/violation.ts";

/** A violation after a step. Further steps with the same violation are counted. */
export interface AroundFinding {
  readonly file: string;
  /** Variant and row of the scenario; empty for its only case. */
  readonly case: string;
  /** Block of the scenario before which the step was tried; `the end` after the last. */
  readonly before: string;
  /** The step in words; undefined if the scenario itself shows the violation. */
  readonly step: string | undefined;
  readonly violation: FuzzViolation;
  /** The blocks that lead to it; undefined if the scenario continues from a stored venue. */
  readonly chronicle: Chronicle | undefined;
  /** Number of further steps with the same violation. */
  more: number;
}

/** Outcomes of the steps of one action. */
export interface Tried {
  tried: number;
  applied: number;
}

export interface AroundReport {
  readonly scenarios: number;
  readonly cases: number;
  /** Cases in which the model ran in lock step. */
  readonly withModel: number;
  /** Places between blocks at which every step was tried. */
  readonly places: number;
  /** Steps that were tried, and blocks that were applied and checked, with those after the steps. */
  readonly steps: number;
  readonly blocks: number;
  /** Blocks after which the heavy invariants were checked as well. */
  readonly sampled: number;
  readonly actions: Readonly<Record<string, Tried>>;
  /** By invariant: how often it met its subject. */
  readonly met: Readonly<Record<string, number>>;
  readonly findings: readonly AroundFinding[];
}

/** Number of places between blocks at which steps are tried. */
export function countPlaces(scenarios: readonly Scenario[]): number {
  const cases = scenarios.flatMap(({ cases: all }) => all);
  return cases.reduce((sum, { blocks }) => sum + blocks.filter(({ refused }) => !refused).length + 1, 0);
}
