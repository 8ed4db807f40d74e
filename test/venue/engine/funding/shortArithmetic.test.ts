import fc from "fast-check";
import { expect, test } from "vitest";
import { LIMIT, type Lots } from "../../../../src/ground/math/fixed.ts";
import {
  BASE,
  highOf,
  joinIndex,
  lowOf,
  moveIndex,
  moveIndexBig,
} from "../../../../src/venue/engine/funding/cumulativeIndex.ts";
import { computeIndexDelta, computeShortIndexDelta } from "../../../../src/venue/engine/funding/indexDelta.ts";
import { computeFundingPaymentBig, computeLongPayment } from "../../../../src/venue/engine/funding/owed.ts";
import type { MarketRow, Markets } from "../../../../src/venue/engine/state/schema.ts";

const MARKET = 0 as MarketRow;
const RUNS = { numRuns: 5_000 };

/** An index of 84 bits, often at an end of its range or of its low part. */
const index = fc
  .oneof(
    fc.bigInt({ min: -(2n ** 83n), max: 2n ** 83n - 1n }),
    fc.bigInt({ min: 2n ** 83n - 2n ** 54n, max: 2n ** 83n - 1n }),
    fc.bigInt({ min: -(2n ** 83n), max: -(2n ** 83n) + 2n ** 54n }),
    fc.bigInt({ min: -(2n ** 33n), max: 2n ** 33n }),
  )
  .map((value) => ({ fundingHigh: [highOf(value)], fundingLow: [lowOf(value)] }) as unknown as Markets);

const storable = fc.oneof(
  fc.integer({ min: -LIMIT, max: LIMIT }),
  fc.constantFrom(LIMIT, -LIMIT, BASE, -BASE, 1, -1, 0),
);

function joined({ fundingHigh, fundingLow }: Markets): bigint {
  return joinIndex(fundingHigh[MARKET]!, fundingLow[MARKET]!);
}

test("a move of the index in doubles is the move in big integers, and wraps at the same place (FND-3)", () => {
  fc.assert(
    fc.property(index, storable, (before, delta) => {
      const [short, big] = [structuredClone(before), structuredClone(before)];
      moveIndex(short, MARKET, delta);
      moveIndexBig(big, MARKET, BigInt(delta));
      expect(joined(short)).toBe(joined(big));
      expect(short).toEqual(big);
    }),
    RUNS,
  );
});

test("a payment's move in doubles is that in big integers, or NaN beyond what is storable", () => {
  const size = fc.oneof(fc.integer({ min: 1, max: 2 ** 40 }), fc.constantFrom(1, 10, 1_000_000, 100_000_000));
  let short = 0;
  fc.assert(
    fc.property(
      fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
      fc.integer({ min: 0, max: LIMIT }),
      size,
      size,
      (rate, price, lotNumerator, lotDenominator) => {
        const rules = { lotNumerator, lotDenominator };
        const exact = computeIndexDelta(rules, rate, price);
        const delta = computeShortIndexDelta(rules, rate, price);
        if (Number.isNaN(delta)) return;
        short++;
        expect(BigInt(delta)).toBe(exact);
        expect(Object.is(delta, -0)).toBe(false);
      },
    ),
    RUNS,
  );
  expect(short).toBeGreaterThan(RUNS.numRuns / 10);
});

test("a payment for a move that is not storable is that of big integers wherever it is a number", () => {
  let long = 0;
  fc.assert(
    fc.property(
      fc.oneof(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.integer({ min: -(2 ** 45), max: 2 ** 45 })),
      fc.oneof(fc.integer({ min: -40_000_000, max: 40_000_000 }), fc.integer({ min: -(2 ** 52), max: 2 ** 52 })),
      fc.integer({ min: 1 - BASE, max: BASE - 1 }),
      fc.integer({ min: 0, max: 999_999_999 }),
      (lots, high, low, remainder) => {
        const payment = computeLongPayment(lots as Lots, high, low, remainder);
        if (!(Math.abs(payment) <= LIMIT)) return;
        long++;
        const move = BigInt(high) * BigInt(BASE) + BigInt(low);
        expect(BigInt(payment)).toBe(computeFundingPaymentBig(lots as Lots, move, remainder));
      },
    ),
    RUNS,
  );
  expect(long).toBeGreaterThan(RUNS.numRuns / 10);
});
