import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { computeNormalProbability, computeNormalQuantile } from "../../../../src/product/research/statistics/normal.ts";

describe("the standard normal distribution", () => {
  // Abramowitz and Stegun, "Handbook of Mathematical Functions", table 26.1.
  it.each([
    [0, 0.5],
    [0.5, 0.691462461274013],
    [1, 0.841344746068543],
    [1.96, 0.97500210485178],
    [3, 0.99865010196837],
  ])("has at %d the probability of the table", (x, probability) => {
    expect(computeNormalProbability(x)).toBeCloseTo(probability, 14);
    expect(computeNormalProbability(-x)).toBeCloseTo(1 - probability, 14);
  });

  it("has an inverse", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 1 - 1e-9, noNaN: true }), (probability) => {
        expect(computeNormalProbability(computeNormalQuantile(probability))).toBeCloseTo(probability, 14);
      }),
    );
  });

  it("is 0 and 1 far out", () => {
    expect(computeNormalProbability(Number.NEGATIVE_INFINITY)).toBe(0);
    expect(computeNormalProbability(40)).toBe(1);
  });
});
