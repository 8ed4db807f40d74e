import { describe, expect, it } from "vitest";
import { Random } from "../../../../src/ground/math/random.ts";
import { checkReality } from "../../../../src/product/research/statistics/realityCheck.ts";

function drawSeries(random: Random, days: number, mean: number): number[] {
  return Array.from({ length: days }, () => mean + (random.fraction() - 0.5) * 0.04);
}

describe("White's reality check", () => {
  it("calls the best of 50 strategies without skill significant in about one case of twenty", () => {
    const random = Random.ofSeed([5, 5, 5, 5]);
    let significant = 0;
    for (let sample = 0; sample < 300; sample++) {
      const strategies = Array.from({ length: 50 }, () => drawSeries(random, 60, 0));
      if (checkReality(strategies, random, 99)!.pValue <= 0.05) significant++;
    }
    expect(significant).toBeLessThan(30);
    expect(significant).toBeGreaterThan(3);
  });

  it("finds one strategy with skill among 50", () => {
    const random = Random.ofSeed([6, 6, 6, 6]);
    const strategies = Array.from({ length: 49 }, () => drawSeries(random, 250, 0));
    expect(checkReality([...strategies, drawSeries(random, 250, 0.004)], random, 499)!.pValue).toBeLessThan(0.01);
  });

  it("does not call a strategy significant that was the only one and lost", () => {
    const random = Random.ofSeed([7, 7, 7, 7]);
    expect(checkReality([drawSeries(random, 250, -0.002)], random, 199)!.pValue).toBeGreaterThan(0.5);
  });

  it("gives the same p-value for the same seed", () => {
    const strategies = [1, 2, 3].map((seed) => drawSeries(Random.ofSeed([seed, 0, 0, 1]), 100, 0.001));
    const check = () => checkReality(strategies, Random.ofSeed([1, 0, 0, 0]), 199);
    expect(check()).toEqual(check());
    expect(check()).toMatchObject({ strategies: 3, days: 100, resamples: 199, meanBlock: 5 });
  });

  it("has no answer without strategies", () => {
    expect(checkReality([], Random.ofSeed([1]), 10)).toBeUndefined();
    expect(checkReality([[]], Random.ofSeed([1]), 10)).toBeUndefined();
  });
});
