import type { Axis, Point } from "../sweep/grid/grid.ts";
import type { Drift, WindowResult } from "./model.ts";

/** How each axis that has more than one value moved from window to window, in the order of the grid. */
export function describeDrift(
  axes: readonly Axis[],
  points: readonly Point[],
  windows: readonly WindowResult[],
): Drift[] {
  return axes.flatMap(({ name: axis, values: offers }, at) => {
    const offered = offers.length;
    if (offered < 2) return [];
    const values = windows.map(({ chosen }) => (chosen === null ? null : offers[points[chosen]![at]!]!.text));
    const held = values.filter((value) => value !== null);
    const changes = held.filter((value, place) => place > 0 && value !== held[place - 1]).length;
    return [{ axis, values, changes, distinct: new Set(held).size, offered }];
  });
}
