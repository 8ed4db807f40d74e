import { expect, test } from "vitest";
import { countOf } from "../../../src/ground/math/counts.ts";

test("a count has its noun in the singular for one, and in the plural for all others", () => {
  expect([0, 1, 2, 1_234_567].map((count) => countOf(count, "file"))).toEqual([
    "0 files",
    "1 file",
    "2 files",
    "1,234,567 files",
  ]);
  expect([1, 2].map((count) => countOf(count, "set of rules", "sets of rules"))).toEqual([
    "1 set of rules",
    "2 sets of rules",
  ]);
  expect([999, 1_000].map((count) => countOf(count, "block"))).toEqual(["999 blocks", "1,000 blocks"]);
});
