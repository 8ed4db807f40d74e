import { expect, test } from "vitest";
import { compareOracles, renderTogether } from "../../../../bench/mutation/oracles/together.ts";

const oracle = (name: string, killed: string, survived: string) => ({
  name,
  kills: new Map([
    ...[...killed].map((key) => [key, true] as const),
    ...[...survived].map((key) => [key, false] as const),
  ]),
});

test("oracles are counted alone on what they know, and together on what all of a row know", () => {
  const oracles = [oracle("search", "ab", "c"), oracle("scenarios", "ae", "bcd"), oracle("tests", "bd", "acez")];
  const { mutants, combinations } = compareOracles([..."abcdef"], oracles);
  expect(mutants).toBe(6);
  expect(combinations.map((one) => [one.names.join("+"), one.mutants, one.alone, one.killed])).toEqual([
    ["search", 3, [2], 2],
    ["scenarios", 5, [2], 2],
    ["tests", 5, [2], 2],
    ["search+scenarios", 3, [2, 1], 2],
    ["search+tests", 3, [2, 1], 2],
    ["scenarios+tests", 5, [2, 2], 4],
    ["search+scenarios+tests", 3, [2, 1, 1], 2],
  ]);
});

test("an oracle that knows none of the mutants is left out", () => {
  const together = compareOracles([..."ab"], [oracle("search", "xyz", ""), oracle("tests", "a", "b")]);
  expect(together.combinations.map(({ names }) => names)).toEqual([["tests"]]);
  expect(renderTogether(together).join("\n")).toContain("| tests | 2 | 1 | 1 | 50.0 % |");
});
