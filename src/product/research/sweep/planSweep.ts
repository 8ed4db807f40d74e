import type { ParamValue } from "../../../client/strategy/params.ts";
import { hashJob, type RunJob, type RunOptions } from "../runs/job.ts";
import { type Choice, choosePoints } from "./grid/choosePoints.ts";
import { type Axis, type Point, valuesAt } from "./grid/grid.ts";

/** What all cells of a sweep share. */
export interface SweepBase {
  readonly code: string;
  readonly strategy: string;
  readonly data: string;
  /** Complete, defaults included. */
  readonly params: Readonly<Record<string, ParamValue>>;
  readonly options: RunOptions;
}

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
 * @throws {SweepError} as `choosePoints`
 */
export function planSweep(base: SweepBase, axes: readonly Axis[], choice: Choice): SweepPlan {
  const cells = choosePoints(axes, choice).map((point) => {
    const job = createJob(base, axes, point);
    return { point, job, hash: hashJob(job) };
  });
  return { axes, cells };
}

function createJob(base: SweepBase, axes: readonly Axis[], point: Point): RunJob {
  let { params, options } = base;
  for (const value of valuesAt(axes, point)) {
    params = { ...params, ...value.params };
    const parameters = { ...options.parameters, ...value.options?.parameters };
    options = { ...options, ...value.options, ...(Object.keys(parameters).length === 0 ? {} : { parameters }) };
  }
  return { ...base, params, options };
}
