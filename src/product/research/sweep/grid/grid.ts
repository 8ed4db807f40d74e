import type { ParamValue } from "../../../../client/strategy/params.ts";
import type { AccountOptions } from "../../../backtest/strategyOptions.ts";
import type { RunOptions } from "../../runs/job.ts";

/** A value of an axis, and what it changes in a run. */
export interface AxisValue {
  /** As it is shown, and typed again. */
  readonly text: string;
  /** As conditions compare it. */
  readonly value: ParamValue;
  readonly params?: Readonly<Record<string, ParamValue>>;
  readonly options?: RunOptions;
  /** Settings of several accounts at once, each its own, by the name of the strategy. */
  readonly each?: Readonly<Record<string, AccountOptions>>;
}

/** A direction of the grid. */
export interface Axis {
  /** Name of a parameter or an option, with `param.`, `run.` or `set.` where it was given so. */
  readonly name: string;
  /** Name of the strategy that it is for; undefined: of every strategy of the run, or of the venue. */
  readonly of?: string;
  readonly values: readonly AxisValue[];
}

/** A point of the grid: the place of its value on each axis. */
export type Point = readonly number[];

/** Points of a grid, the product of its axes' sizes; `Infinity` beyond 2^53. */
export function countPoints(axes: readonly Axis[]): number {
  const count = axes.reduce((product, { values }) => product * values.length, 1);
  return count <= Number.MAX_SAFE_INTEGER ? count : Number.POSITIVE_INFINITY;
}

/** The point of an index from 0; the last axis changes first. */
export function pointAt(axes: readonly Axis[], index: number): Point {
  const point: number[] = [];
  let rest = index;
  for (const { values } of axes.toReversed()) {
    point.push(rest % values.length);
    rest = Math.floor(rest / values.length);
  }
  return point.reverse();
}

/** The values at a point, in the order of the axes. */
export function valuesAt(axes: readonly Axis[], point: Point): AxisValue[] {
  return axes.map(({ values }, at) => values[point[at]!]!);
}
