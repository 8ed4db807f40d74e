import fc from "fast-check";
import { expect, test } from "vitest";
import { ExactSum } from "../../../src/product/report/recording/exactSum.ts";

const LIMIT = 9e15;
const value = fc.oneof(
  fc.integer({ min: -1_000, max: 1_000 }),
  fc.maxSafeInteger().map((whole) => Math.max(-LIMIT, Math.min(LIMIT, whole))),
  fc.constantFrom(LIMIT, -LIMIT, LIMIT - 1, 1, -1),
);

test("a sum is that of big integers, however far it goes", () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 60 }), (values) => {
      const sum = new ExactSum();
      for (const one of values) sum.add(one);
      expect(sum.value).toBe(values.reduce((total, one) => total + BigInt(one), 0n));
    }),
  );
});

test("a cleared sum begins again at zero", () => {
  const sum = new ExactSum();
  for (const one of [LIMIT, LIMIT, 5]) sum.add(one);
  expect(sum.value).toBe(18_000_000_000_000_005n);
  sum.clear();
  sum.add(-7);
  expect(sum.value).toBe(-7n);
});
