import { expect, test } from "vitest";
import { estimateWork, workOf } from "../../../../../src/proof/fuzz/explore/world/workEstimate.ts";

/** Blocks that a state takes of an alphabet of ten. */
const BLOCKS = 9.5;

test("nothing is left after the last level", () => {
  expect(estimateWork([1, 10, 100], 10, 2)).toBe(0);
});

test("one more level costs its blocks, and the heavy checks of each state that they lead to", () => {
  // A hundred states take their blocks, and lead to ten times as many states.
  expect(estimateWork([1, 10, 100], 10, 3)).toBeCloseTo(100 * BLOCKS + 1_000 * 5);
});

test("levels before the last one grow as the levels so far did, with one heavy check of 16 states", () => {
  const first = 100 * BLOCKS + (1_000 * 5) / 16;
  expect(estimateWork([1, 10, 100], 10, 4)).toBeCloseTo(first + 1_000 * BLOCKS + 10_000 * 5);
});

test("before a level is done, half of the blocks are taken to lead to a new state", () => {
  expect(estimateWork([1], 10, 1)).toBeCloseTo(BLOCKS + (BLOCKS / 2) * 5);
});

test("a start without a new state has nothing left, and no estimate is below nothing", () => {
  expect(estimateWork([4, 0], 10, 5)).toBe(0);
  expect(estimateWork([1], 0, 3)).toBe(0);
});

test("an expansion costs the blocks that are tried, a heavy check five blocks, a pair eight", () => {
  const states = Array.from({ length: 100 }, () => ({ letters: [], key: "" }));
  const at = { place: 0, turn: 0 };
  expect(workOf({ kind: "expand", ...at, states }, 10)).toBeCloseTo(100 * BLOCKS);
  expect(workOf({ kind: "check", ...at, states: states.map(() => []) }, 10)).toBe(500);
  const pairs = [[], []].map((letters) => [letters, letters] as const);
  expect(workOf({ kind: "compare", pairs }, 10)).toBe(16);
});
