import { expect, test } from "vitest";
import { computeClampedPrice } from "../../../src/proof/model/prices/clampedPrice.ts";
import { computeBasis, computeMedianMark } from "../../../src/proof/model/prices/markTarget.ts";
import { computeWeightedMedian } from "../../../src/proof/model/prices/weightedMedian.ts";

const usd = (value: number) => BigInt(Math.round(value * 1e8));

// The worked examples of docs/spec/prices.md, and the cases of its scenarios.
test.each([
  { from: 60_000, to: 63_000, reached: 60_600 },
  { from: 60_600, to: 60_000, reached: 60_000 },
  { from: 60_000, to: 1, reached: 59_400 },
])("a price moves from $from toward $to and reaches $reached in a block", ({ from, to, reached }) => {
  expect(computeClampedPrice(usd(from), usd(to), 10_000n)).toBe(usd(reached));
});

test("bounds of the clamp are rounded inwards, and a step of 1e-8 is always allowed", () => {
  expect(computeClampedPrice(199n, 300n, 10_000n)).toBe(200n);
  expect(computeClampedPrice(199n, 1n, 10_000n)).toBe(198n);
  expect(computeClampedPrice(250n, 300n, 10_000n)).toBe(252n);
  expect(computeClampedPrice(250n, 1n, 10_000n)).toBe(248n);
  expect(computeClampedPrice(1n, 1_000n, 10_000n)).toBe(2n);
});

test("the median mark of two is the nearer to the index, of three the middle one", () => {
  const book = { index: usd(100), bid: usd(103), ask: usd(105), last: usd(104), reported: undefined };
  const basis = computeBasis(0n, book, 150_000n, 150_000n);
  expect(basis).toBe(usd(2));
  expect(computeMedianMark(book, basis)).toBe(usd(102));
  expect(computeMedianMark({ ...book, reported: usd(103.5) }, basis)).toBe(usd(103.5));
});

test("a missing price is replaced by the index", () => {
  const bare = { index: usd(100), bid: undefined, ask: undefined, last: usd(1100), reported: undefined };
  expect(computeMedianMark(bare, computeBasis(0n, bare, 1_000n, 150_000n))).toBe(usd(100));
});

test.each([
  { weights: [1, 1, 1], median: 100 },
  { weights: [1, 1, 3], median: 130 },
  { weights: [2, 1, 1], median: 99 },
  { weights: [1, 0, 1], median: 99 },
])("the weighted median with weights $weights is $median", ({ weights, median }) => {
  const values = [99n, 100n, 130n].map((value, place) => ({ value, weight: BigInt(weights[place] ?? 0) }));
  expect(computeWeightedMedian(values.toReversed())).toBe(BigInt(median));
});

test("sources without weight have no median", () => {
  expect(computeWeightedMedian([{ value: 1n, weight: 0n }])).toBeUndefined();
});
