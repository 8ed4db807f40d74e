import { formatCount } from "../../../../ground/math/counts.ts";
import { SweepError } from "../errors.ts";
import { drawDistinct } from "./draw.ts";
import { type Axis, countPoints, type Point, pointAt, valuesAt } from "./grid.ts";
import type { Condition, WhereValue } from "./where.ts";

/** Cells that a sweep has at most. */
export const CELLS_MOST = 100_000;
/** Points of a grid that are tried against conditions, at most. */
const TRIES_MOST = 2_000_000;

/** Which points of a grid become cells. */
export interface Choice {
  readonly conditions: readonly Condition[];
  /** Values that every point has, by name; the axes' values are added. */
  readonly fixed: ReadonlyMap<string, WhereValue>;
  /** How many points are drawn; all of them by default. */
  readonly random?: number;
  readonly seed: string;
  /** Which points may be cells at all; any by default. */
  readonly isChosen?: (point: Point) => boolean;
}

/**
 * The points of a grid that meet all conditions, in the order of the grid.
 *
 * @throws {SweepError} GRID_EMPTY, GRID_TOO_LARGE, WHERE_INVALID
 */
export function choosePoints(axes: readonly Axis[], { conditions, fixed, random, seed, isChosen }: Choice): Point[] {
  const count = countPoints(axes);
  if (axes.length === 0 || count === 0) throw new SweepError("GRID_EMPTY", "the grid has no axis", EMPTY_PLACE);
  const isDrawn = random !== undefined && random < count;
  const isFree = conditions.length === 0 && isChosen === undefined;
  const most = isDrawn ? Number.MAX_SAFE_INTEGER : isFree ? CELLS_MOST : TRIES_MOST;
  if (count > most) throw tooLarge(axes, count);
  const meets = (index: number) => {
    if (isChosen !== undefined && !isChosen(pointAt(axes, index))) return false;
    if (conditions.length === 0) return true;
    const named = new Map(fixed);
    for (const [at, { value, params }] of valuesAt(axes, pointAt(axes, index)).entries()) {
      const { name, of } = axes[at]!;
      named.set(name, value);
      // Whatever form an axis has, the parameter that it varies has no other value.
      for (const own of Object.keys(params ?? {})) {
        if (of !== undefined) named.set(`${own}@${of}`, value);
        if (fixed.has(own)) named.set(own, value);
      }
    }
    return conditions.every((condition) => condition(named));
  };
  const indices = isDrawn ? draw(count, random, seed, meets) : filter(count, meets);
  if (indices.length === 0) {
    const none =
      count === 1 ? "the grid's only point does not meet" : `none of the grid's ${describeCount(count)} points meets`;
    throw new SweepError("GRID_EMPTY", `${none} the conditions`, {
      place: "--where",
      hint: "loosen a condition, or widen an axis",
    });
  }
  if (indices.length > CELLS_MOST) throw tooLarge(axes, indices.length);
  return indices.map((index) => pointAt(axes, index));
}

const EMPTY_PLACE = { place: "--grid", hint: "add an axis, for example --grid fast=6..48:6 slow=48,96" };

function filter(count: number, meets: (index: number) => boolean): number[] {
  const kept: number[] = [];
  for (let index = 0; index < count; index++) if (meets(index)) kept.push(index);
  return kept;
}

/** In the order of the grid. Fewer than asked for if the tries end. */
function draw(count: number, wanted: number, seed: string, meets: (index: number) => boolean): number[] {
  const kept: number[] = [];
  let tries = 0;
  for (const index of drawDistinct(count, seed)) {
    if (meets(index)) kept.push(index);
    if (kept.length === wanted || ++tries === TRIES_MOST) break;
  }
  return kept.sort((a, b) => a - b);
}

function tooLarge(axes: readonly Axis[], count: number): SweepError {
  const sizes = axes.map(({ name, values }) => `${name} ${values.length}`).join(", ");
  return new SweepError(
    "GRID_TOO_LARGE",
    `the grid has ${describeCount(count)} points (${sizes}), at most ${describeCount(CELLS_MOST)} are run`,
    { place: "--grid", hint: "take larger steps, or draw some of the points: --random 500" },
  );
}

function describeCount(count: number): string {
  return Number.isFinite(count) ? formatCount(count) : "more than 9e15";
}
