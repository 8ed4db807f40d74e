import { expect, test } from "vitest";
import type { Axis } from "../../../../../src/product/research/sweep/grid/grid.ts";
import {
  findSpan,
  isAroundBase,
  listContenders,
  measureSensitivity,
  sortByEffect,
} from "../../../../../src/product/research/sweep/sensitivity/measureSensitivity.ts";
import type { SweepCell } from "../../../../../src/product/research/sweep/sweepCell.ts";

const axis = (name: string, ...values: number[]): Axis => ({
  name,
  values: values.map((value) => ({ text: `${value}`, value })),
});
const axes = [axis("fast", 2, 4), axis("latency", 0, 100), axis("run.fees", 1, 2, 3)];
const around = [
  { at: 1, base: 1 },
  { at: 2, base: 0 },
];

const cellOf = (point: readonly number[], sharpe: number | null, state: SweepCell["state"] = "traded"): SweepCell =>
  ({ point, state, hash: point.join(), record: { metrics: { sharpe, totalReturn: 0.5 }, error: null } }) as never;

const cells = [
  cellOf([0, 0, 0], 9),
  cellOf([0, 1, 0], 1),
  cellOf([0, 1, 1], 0),
  cellOf([0, 1, 2], -1),
  cellOf([1, 0, 0], 2.5),
  cellOf([1, 1, 0], 2),
  cellOf([1, 1, 1], null, "failed"),
  cellOf([1, 1, 2], -3, "liquidated"),
];

test("points have at most one assumption that is not the run's", () => {
  expect(isAroundBase(around, [0, 1, 0])).toBe(true);
  expect(isAroundBase(around, [1, 0, 0])).toBe(true);
  expect(isAroundBase(around, [0, 1, 2])).toBe(true);
  expect(isAroundBase(around, [0, 0, 1])).toBe(false);
});

test("the run is the best of those with all of their own assumptions, never one that was helped by a changed one", () => {
  expect(listContenders({ cells, around }).map(({ hash }) => hash)).toEqual(["0,1,0", "1,1,0"]);
  expect(listContenders({ cells, around: [] })).toBe(cells);
  expect(measureSensitivity(axes, cells, around, "sharpe")!.base.hash).toBe("1,1,0");
});

test("each value has its change from the run, without a value none, and the widest assumption is first", () => {
  const found = measureSensitivity(axes, cells, around, "sharpe")!;
  expect(found.axes.map(({ name }) => name)).toEqual(["latency", "fees"]);
  expect(found.axes[0]!.values.map(({ text, isBase, value, change }) => [text, isBase, value, change])).toEqual([
    ["0", false, 2.5, 0.5],
    ["100", true, 2, 0],
  ]);
  expect(found.axes[1]!.values.map(({ change, state }) => [change, state])).toEqual([
    [0, "traded"],
    [null, "failed"],
    [-5, "liquidated"],
  ]);
  expect(findSpan(found.axes[1]!)).toEqual({ least: -3, most: 2 });
  expect(sortByEffect(found.axes).map(({ name }) => name)).toEqual(["fees", "latency"]);
});

test("without such axes, or without a run that has a value, there is none", () => {
  expect(measureSensitivity(axes, cells, [], "sharpe")).toBeUndefined();
  const none = cells.map(({ point }) => cellOf(point, null));
  expect(measureSensitivity(axes, none, around, "sharpe")).toBeUndefined();
});
