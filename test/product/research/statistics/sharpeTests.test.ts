import { describe, expect, it } from "vitest";
import { Random } from "../../../../src/ground/math/random.ts";
import {
  computeDailySharpe,
  computeDeflatedSharpe,
  computeExpectedBestSharpe,
  computeProbabilisticSharpe,
  computeProbabilityAbove,
} from "../../../../src/product/research/statistics/sharpeTests.ts";

/** Twelve uniform draws less six: near enough to a normal value for these tests. */
function drawReturns(random: Random, days: number, mean: number): number[] {
  return Array.from({ length: days }, () => {
    let sum = -6;
    for (let i = 0; i < 12; i++) sum += random.fraction();
    return mean + 0.02 * sum;
  });
}

describe("the deflated Sharpe ratio", () => {
  // The numerical example of Bailey and López de Prado (2014): annual 2.5 over 1,250 days, skewness -3, kurtosis 10,
  // 100 trials whose annual Sharpe ratios have a variance of 1/2.
  const sample = { count: 1_250, skewness: -3, kurtosis: 10, sharpe: 2.5 / Math.sqrt(250) };

  it("is the one that its authors compute for 100 trials", () => {
    const benchmark = computeExpectedBestSharpe(0.5 / 250, 100);
    expect(benchmark).toBeCloseTo(0.1132, 4);
    expect(computeProbabilityAbove(sample, benchmark)).toBeCloseTo(0.9004, 4);
  });

  it("is the one that its authors compute for 46 trials", () => {
    expect(computeProbabilityAbove(sample, computeExpectedBestSharpe(0.5 / 250, 46))).toBeCloseTo(0.9505, 4);
  });

  it("asks for more with more trials, and for nothing with a single one", () => {
    const benchmarks = [1, 2, 10, 100, 10_000].map((trials) => computeExpectedBestSharpe(0.01, trials));
    expect(benchmarks[0]).toBe(0);
    expect(benchmarks).toEqual(benchmarks.toSorted((a, b) => a - b));
  });

  it("counts only trials that have a Sharpe ratio", () => {
    const random = Random.ofSeed([3, 1, 4, 1]);
    const trials = [0, 1, 2].map(() => drawReturns(random, 200, 0.001));
    const idle = new Array<number>(200).fill(0);
    expect(computeDeflatedSharpe(trials[0]!, [...trials, idle])).toEqual(computeDeflatedSharpe(trials[0]!, trials));
    expect(computeDeflatedSharpe(idle, [...trials, idle])).toBeUndefined();
  });
});

describe("the probabilistic Sharpe ratio", () => {
  it("is a half at the sample's own Sharpe ratio, and falls as the benchmark rises", () => {
    const returns = drawReturns(Random.ofSeed([1, 2, 3, 4]), 300, 0.002);
    const { sharpe } = computeDailySharpe(returns)!;
    expect(computeProbabilisticSharpe(returns, sharpe)).toBeCloseTo(0.5, 12);
    const falling = [-0.1, 0, 0.1, 0.2].map((benchmark) => computeProbabilisticSharpe(returns, benchmark)!);
    expect(falling).toEqual(falling.toSorted((a, b) => b - a));
  });

  it("is above 95 % in about one sample of twenty without skill", () => {
    const random = Random.ofSeed([9, 8, 7, 6]);
    let above = 0;
    for (let sample = 0; sample < 2_000; sample++) {
      if (computeProbabilisticSharpe(drawReturns(random, 60, 0))! > 0.95) above++;
    }
    expect(above / 2_000).toBeGreaterThan(0.035);
    expect(above / 2_000).toBeLessThan(0.065);
  });

  it("does not exist for fewer than 14 days or equal returns", () => {
    expect(computeProbabilisticSharpe([0.1, -0.1])).toBeUndefined();
    expect(computeProbabilisticSharpe(new Array<number>(30).fill(0.01))).toBeUndefined();
  });
});
