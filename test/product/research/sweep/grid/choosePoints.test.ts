import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { choosePoints } from "../../../../../src/product/research/sweep/grid/choosePoints.ts";
import { drawDistinct } from "../../../../../src/product/research/sweep/grid/draw.ts";
import { type Axis, countPoints, pointAt } from "../../../../../src/product/research/sweep/grid/grid.ts";
import { readWhere } from "../../../../../src/product/research/sweep/grid/where.ts";

const axis = (name: string, size: number): Axis => ({
  name,
  values: Array.from({ length: size }, (_, value) => ({ text: `${value}`, value })),
});
const all = { conditions: [], fixed: new Map(), seed: "1" };

describe("the points of a grid", () => {
  test("are all combinations, the last axis first", () => {
    const points = choosePoints([axis("a", 2), axis("b", 3)], all);
    expect(points).toEqual([
      [0, 0],
      [0, 1],
      [0, 2],
      [1, 0],
      [1, 1],
      [1, 2],
    ]);
  });

  test("meet the conditions, in the order of the grid", () => {
    const conditions = [readWhere("a < b", ["a", "b"]), readWhere("b - a = gap", ["a", "b", "gap"])];
    const fixed = new Map([["gap", 2]]);
    expect(choosePoints([axis("a", 4), axis("b", 4)], { ...all, conditions, fixed })).toEqual([
      [0, 2],
      [1, 3],
    ]);
  });

  test("that are drawn are distinct points of the grid that meet the conditions, the same for a seed", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 200 }),
        fc.string(),
        (a, b, random, seed) => {
          const axes = [axis("a", a), axis("b", b)];
          const conditions = [readWhere("a <= b", ["a", "b"])];
          const full = choosePoints(axes, { ...all, conditions });
          const drawn = choosePoints(axes, { ...all, conditions, random, seed });
          expect(choosePoints(axes, { ...all, conditions, random, seed })).toEqual(drawn);
          const places = drawn.map((point) => full.findIndex((one) => one.join() === point.join()));
          expect(places).not.toContain(-1);
          expect(places).toEqual([...new Set(places)].sort((x, y) => x - y));
          expect(drawn).toHaveLength(Math.min(random, full.length));
        },
      ),
    );
  });

  test("of another seed are others", () => {
    const draw = (seed: string) => choosePoints([axis("a", 100), axis("b", 100)], { ...all, random: 20, seed });
    expect(draw("1")).not.toEqual(draw("2"));
  });

  test("of a grid that is too large to list can be drawn", () => {
    const axes = [axis("a", 9_999), axis("b", 9_999), axis("c", 9_999)];
    expect(new Set(choosePoints(axes, { ...all, random: 500 }).map(String)).size).toBe(500);
  });

  test.each([
    ["no axis", () => choosePoints([], all), /GRID_EMPTY|no axis/],
    [
      "too many points",
      () => choosePoints([axis("a", 1_000), axis("b", 1_000)], all),
      /1,000,000 points \(a 1000, b 1000\)/,
    ],
    [
      "no point that meets the conditions",
      () => choosePoints([axis("a", 3)], { ...all, conditions: [readWhere("a > 9", ["a"])] }),
      /none of the grid/,
    ],
    [
      "more points than there are numbers",
      () =>
        choosePoints(
          Array.from({ length: 9 }, (_, at) => axis(`a${at}`, 9_999)),
          { ...all, random: 5 },
        ),
      /more than 9e15/,
    ],
  ])("%s is refused", (_name, choose, fault) => expect(choose).toThrow(fault));
});

test("an index is the point that counts up to it", () => {
  const axes = [axis("a", 3), axis("b", 1), axis("c", 4)];
  expect(countPoints(axes)).toBe(12);
  const listed = [0, 1, 2].flatMap((a) => [0, 1, 2, 3].map((c) => [a, 0, c]));
  expect(Array.from({ length: 12 }, (_, index) => pointAt(axes, index))).toEqual(listed);
});

// Method: all 6 orders of 3 numbers over many seeds; each is expected 1,000 times, with a deviation of 29.
test("every order of a draw is equally likely, and a longer draw begins with the shorter", () => {
  const counts = new Map<string, number>();
  for (let seed = 0; seed < 6_000; seed++) {
    const order = [...drawDistinct(3, `${seed}`)].join("");
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  expect([...counts.keys()].sort()).toEqual(["012", "021", "102", "120", "201", "210"]);
  for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  expect([...drawDistinct(50, "x")].sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, at) => at));
});

test("conditions know the parameter of one of several strategies by its full name, and by its own where only one has it", () => {
  const of = (name: string, owner: string): Axis => ({
    name,
    of: owner,
    values: [1, 2, 3].map((value) => ({ text: `${value}`, value, params: { [name.split("@")[0]!]: value } })),
  });
  const axes = [of("fast@bold", "bold"), of("every", "turns")];
  const fixed = new Map(Object.entries({ "fast@bold": 0, "fast@calm": 2, every: 0, "every@turns": 0 }));
  const choose = (text: string) => {
    const conditions = [readWhere(text, [...fixed.keys()])];
    return choosePoints(axes, { ...all, conditions, fixed }).map((point) => point.map((at) => at + 1));
  };
  expect(choose("fast@bold < fast@calm and every@turns = 3")).toEqual([[1, 3]]);
  expect(choose("fast@bold + every = 6")).toEqual([[3, 3]]);
  // A dash belongs to the name of a strategy.
  expect(() => readWhere("fast@bold-1 > 0", ["fast@bold"])).toThrow('there is no "fast@bold-1"');
});
