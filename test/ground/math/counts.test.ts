import { expect, test } from "vitest";
import { countOf, formatCount, groupDigits } from "../../../src/ground/math/counts.ts";

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

test("a whole number has a comma before every third digit from its end, and no fraction", () => {
  expect([0, 12, 999, 1_000, 12_345, 1_234_567, -1_234, -999].map((count) => formatCount(count))).toEqual([
    "0",
    "12",
    "999",
    "1,000",
    "12,345",
    "1,234,567",
    "-1,234",
    "-999",
  ]);
  expect([1_234.9, -1_234.9, 0.5].map((count) => formatCount(count))).toEqual(["1,234", "-1,234", "0"]);
  expect(["1234567", "12345678901234567890"].map(groupDigits)).toEqual(["1,234,567", "12,345,678,901,234,567,890"]);
});
