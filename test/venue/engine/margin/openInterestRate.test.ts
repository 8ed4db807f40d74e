import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LIMIT, PPM } from "../../../../src/ground/math/fixed.ts";
import { computeOpenInterestRate } from "../../../../src/venue/engine/margin/openInterestRate.ts";

describe("the initial rate that scales with open interest", () => {
  // Small caps of dYdX: 20 M and 50 M, in quote units.
  const rateAt = (usd: number) => computeOpenInterestRate(100_000, usd * 1e6, 20e12, 50e12);

  test("is the base up to the lower bound and 100 % from the upper", () => {
    expect([0, 20_000_000, 50_000_000, 50_000_001].map(rateAt)).toEqual([100_000, 100_000, PPM, PPM]);
  });

  test("rises in a line between them, rounded up", () => {
    expect(rateAt(35_000_000)).toBe(550_000);
    expect(rateAt(20_000_001)).toBe(100_001);
    expect(rateAt(49_999_999)).toBe(PPM);
  });

  test("is the base where no upper bound is set", () => {
    expect(computeOpenInterestRate(25_000, LIMIT, 0, 0)).toBe(25_000);
  });

  test("is 100 % if the open notional is out of range", () => {
    expect(computeOpenInterestRate(25_000, Number.NaN, 1, 2)).toBe(PPM);
  });

  test("is the exact fraction, rounded up, for every bound", () => {
    const amount = fc.integer({ min: 0, max: LIMIT });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: PPM }), amount, amount, amount, (base, open, one, other) => {
        fc.pre(one !== other);
        const [lower, upper] = one < other ? [one, other] : [other, one];
        const clamped = BigInt(open < lower ? lower : open > upper ? upper : open);
        const over = BigInt(PPM - base) * (clamped - BigInt(lower));
        const under = BigInt(upper - lower);
        expect(computeOpenInterestRate(base, open, lower, upper)).toBe(base + Number((over + under - 1n) / under));
      }),
    );
  });
});
