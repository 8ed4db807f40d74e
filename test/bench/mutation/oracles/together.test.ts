import { expect, test } from "vitest";
import { compareOracles, renderTogether } from "../../../../bench/mutation/oracles/together.ts";

const oracle = (name: string, killed: string, survived: string) => ({
  name,
  kills: new Map([
    ...[...killed].map((key) => [key, true] as const),
    ...[...survived].map((key) => [key, false] as const),
  ]),
});

test("oracles are counted alone on what they know, and together on what all of them know", () => {
  const oracles = [oracle("search", "ab", "c"), oracle("scenarios", "ae", "bcd"), oracle("tests", "bd", "acez")];
  const { mutants, alone, shared } = compareOracles([..."abcdef"], oracles);
  expect(mutants).toBe(6);
  expect(alone.map(({ mutants: all, killed }) => [all, killed])).toEqual([
    [3, 2],
    [5, 2],
    [5, 2],
  ]);
  expect(shared.map(({ names, mutants: all, killed }) => [names.join("+"), all, killed])).toEqual([
    ["search", 3, 2],
    ["scenarios", 3, 1],
    ["tests", 3, 1],
    ["search+scenarios", 3, 2],
    ["search+tests", 3, 2],
    ["scenarios+tests", 3, 2],
    ["search+scenarios+tests", 3, 2],
  ]);
});

test("an oracle that knows none of the mutants is left out", () => {
  const together = compareOracles([..."ab"], [oracle("search", "xyz", ""), oracle("tests", "a", "b")]);
  expect(together.shared.map(({ names }) => names)).toEqual([["tests"]]);
  expect(renderTogether(together).join("\n")).toContain("| tests | 2 | 1 | 50.0 % |");
});
