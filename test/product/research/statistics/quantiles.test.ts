import { describe, expect, it } from "vitest";
import { computeQuantile, computeShare } from "../../../../src/product/research/statistics/quantiles.ts";

describe("quantiles", () => {
  it("are linear between neighbours, as NumPy has them", () => {
    expect([0, 0.25, 0.5, 0.75, 1].map((share) => computeQuantile([1, 2, 4, 8], share))).toEqual([1, 1.75, 3, 5, 8]);
    expect(computeQuantile([7], 0.3)).toBe(7);
  });
});

describe("a share of draws", () => {
  // Wilson's interval for 10 of 100, as statsmodels.stats.proportion.proportion_confint(10, 100, method="wilson") has
  // it.
  it("has Wilson's interval", () => {
    const { share, low, high } = computeShare(10, 100);
    expect(share).toBe(0.1);
    expect(low).toBeCloseTo(0.05522914, 7);
    expect(high).toBeCloseTo(0.17436566, 7);
  });

  it("is no certainty where it never, or always, happened", () => {
    expect(computeShare(0, 50)).toMatchObject({ share: 0, low: 0 });
    expect(computeShare(0, 50).high).toBeGreaterThan(0.05);
    expect(computeShare(50, 50)).toMatchObject({ share: 1, high: 1 });
  });
});
