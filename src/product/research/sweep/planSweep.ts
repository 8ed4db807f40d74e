import type { AccountOptions, StrategyOptions } from "../../backtest/strategyOptions.ts";
import { hashJob, type RunJob, type RunOptions, splitOptions } from "../runs/job.ts";
import { type Choice, choosePoints } from "./grid/choosePoints.ts";
import { type Axis, type AxisValue, type Point, valuesAt } from "./grid/grid.ts";

/** A point of the grid with the run that is made there. */
export interface PlannedCell {
  readonly point: Point;
  readonly job: RunJob;
  /** `hashJob` of the job. */
  readonly hash: string;
}

/** The runs of a sweep. */
export interface SweepPlan {
  readonly axes: readonly Axis[];
  readonly cells: readonly PlannedCell[];
}

/**
 * Makes the jobs of a grid, in its order.
 *
 * @param base the run that each point changes
 * @throws {SweepError} as `choosePoints`
 */
export function planSweep(base: RunJob, axes: readonly Axis[], choice: Choice): SweepPlan {
  const cells = choosePoints(axes, choice).map((point) => {
    const job = createJob(base, axes, point);
    return { point, job, hash: hashJob(job) };
  });
  return { axes, cells };
}

function createJob(base: RunJob, axes: readonly Axis[], point: Point): RunJob {
  let job = base;
  for (const [at, value] of valuesAt(axes, point).entries()) job = changeRun(job, value, axes[at]!.of);
  return job;
}

/** A strategy of a run as far as an axis changes it. */
type Changed = AccountOptions & Pick<StrategyOptions, "name" | "params">;

/**
 * A run with a value of an axis.
 *
 * @param of name of the only strategy that changes; undefined for every strategy of the run
 */
export function changeRun<One extends Changed, Run extends { strategies: readonly One[]; options: RunOptions }>(
  run: Run,
  { params, options = {}, each = {} }: AxisValue,
  of: string | undefined,
): Run {
  const { ofAccounts, ofVenue } = splitOptions(options);
  const ofAll = of === undefined ? options : ofVenue;
  const parameters = { ...run.options.parameters, ...options.parameters };
  const strategies = run.strategies.map((one): One => {
    if (of !== undefined && one.name !== of) return one;
    // What holds for all is an option of the run, over those that a strategy has of its own.
    const changed = of === undefined ? leaveOut(one, Object.keys(ofAccounts)) : { ...one, ...ofAccounts };
    const own = { ...changed, ...each[one.name ?? ""] };
    return params === undefined ? own : { ...own, params: { ...one.params, ...params } };
  });
  const withParameters = Object.keys(parameters).length === 0 ? {} : { parameters };
  return { ...run, strategies, options: { ...run.options, ...ofAll, ...withParameters } };
}

function leaveOut<One extends object>(one: One, names: readonly string[]): One {
  return Object.fromEntries(Object.entries(one).filter(([name]) => !names.includes(name))) as One;
}
