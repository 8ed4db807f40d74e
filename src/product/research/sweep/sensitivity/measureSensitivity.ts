import type { Axis, Point } from "../grid/grid.ts";
import type { MetricKey } from "../metricKey.ts";
import { findBest, metricValue } from "../rankCells.ts";
import type { CellState, SweepCell } from "../sweepCell.ts";

/** A sensitivity of a sweep: its axes, and the place of the run's own value on each. */
export interface SensitivityAxis {
  /** Place among the axes of the sweep. */
  readonly at: number;
  /** Place of the value that the run assumes. */
  readonly base: number;
}

/** How the result of a run changes with one assumption at a time. */
export interface Sensitivity {
  /** The run whose assumptions are varied: the best with all of its own. */
  readonly base: SweepCell;
  readonly axes: readonly AxisSensitivity[];
}

export interface AxisSensitivity {
  readonly name: string;
  readonly values: readonly ValueSensitivity[];
}

export interface ValueSensitivity {
  readonly text: string;
  readonly isBase: boolean;
  readonly state: CellState;
  /** Of the metric that ranks; null where it has none. */
  readonly value: number | null;
  /** Less that of the run. */
  readonly change: number | null;
  /** As a fraction of the deposit. */
  readonly totalReturn: number | null;
  readonly maxDrawdown: number | null;
}

/** True for a point in which at most one assumption differs from the run's own. */
export function isAroundBase(axes: readonly SensitivityAxis[], point: Point): boolean {
  let others = 0;
  for (const { at, base } of axes) if (point[at] !== base) others++;
  return others <= 1;
}

/** Cells with all of their own assumptions: those that a ranking is of. All cells without a sensitivity. */
export function listContenders<Cell extends { readonly point: Point }>(sweep: {
  readonly cells: readonly Cell[];
  readonly around: readonly SensitivityAxis[];
}): readonly Cell[] {
  const { cells, around } = sweep;
  return around.length === 0 ? cells : cells.filter(({ point }) => around.every(({ at, base }) => point[at] === base));
}

/**
 * The sensitivities of the best run among those with all of their own assumptions.
 *
 * @returns undefined without such axes, or where no such run has a value
 */
export function measureSensitivity(
  axes: readonly Axis[],
  cells: readonly SweepCell[],
  around: readonly SensitivityAxis[],
  metric: MetricKey,
): Sensitivity | undefined {
  if (around.length === 0) return undefined;
  const base = findBest(listContenders({ cells, around }), metric);
  if (base === undefined) return undefined;
  const number = (cell: SweepCell, id: MetricKey) => metricValue(cell, id) ?? null;
  const from = number(base, metric)!;
  const byPoint = new Map(cells.map((cell) => [cell.point.join(), cell]));
  return {
    base,
    axes: around.map(({ at, base: place }): AxisSensitivity => {
      const { name, values } = axes[at]!;
      return {
        name: name.replace(/^run\./, ""),
        values: values.flatMap(({ text }, index): ValueSensitivity[] => {
          const cell = byPoint.get(base.point.with(at, index).join());
          if (cell === undefined) return [];
          const value = number(cell, metric);
          return [
            {
              text,
              isBase: index === place,
              state: cell.state,
              value,
              change: value === null ? null : value - from,
              totalReturn: number(cell, "totalReturn"),
              maxDrawdown: number(cell, "maxDrawdown"),
            },
          ];
        }),
      };
    }),
  };
}

/** The least and the greatest value of an axis; undefined where no run has a value. */
export function findSpan({ values }: AxisSensitivity): { readonly least: number; readonly most: number } | undefined {
  const numbers = values.flatMap(({ value }) => value ?? []);
  return numbers.length === 0 ? undefined : { least: Math.min(...numbers), most: Math.max(...numbers) };
}

/** Axes from the one that changes the result most. */
export function sortByEffect(axes: readonly AxisSensitivity[]): AxisSensitivity[] {
  const widthOf = (axis: AxisSensitivity) => {
    const span = findSpan(axis);
    return span === undefined ? -1 : span.most - span.least;
  };
  return [...axes].sort((a, b) => widthOf(b) - widthOf(a));
}
