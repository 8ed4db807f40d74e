import { describe, expect, it } from "vitest";
import { Random } from "../../../../src/ground/math/random.ts";
import { checkReality } from "../../../../src/product/research/statistics/realityCheck.ts";
import { chooseMeanBlock, drawPlaces } from "../../../../src/product/research/statistics/stationaryBootstrap.ts";

function drawSeries(random: Random, days: number, mean: number): number[] {
  return Array.from({ length: days }, () => mean + (random.fraction() - 0.5) * 0.04);
}

function computePlainly(returns: readonly (readonly number[])[], random: Random, resamples: number): number {
  const days = returns[0]!.length;
  const means = returns.map((series) => series.reduce((sum, value) => sum + value, 0) / days);
  const places = new Uint32Array(days);
  let atLeast = 1;
  for (let resample = 0; resample < resamples; resample++) {
    drawPlaces(places, days, chooseMeanBlock(days), random);
    const sums = returns.map((series, k) => {
      let sum = 0;
      for (let day = 0; day < days; day++) {
        sum += (series[day]! - means[k]!) * places.filter((place) => place === day).length;
      }
      return sum;
    });
    if (Math.max(...sums) >= Math.max(...means) * days) atLeast++;
  }
  return atLeast / (resamples + 1);
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

  // The days of a resample are summed in their order: any other order, or a day left out, may change the last bits.
  it("compares the same sums as a plain loop over all days, for any number of strategies", () => {
    const random = Random.ofSeed([8, 8, 8, 8]);
    for (let count = 1; count <= 9; count++) {
      for (const days of [1, 2, 40]) {
        const strategies = Array.from({ length: count }, () => drawSeries(random, days, 0.001));
        const { pValue } = checkReality(strategies, Random.ofSeed([count, 0, 0, 1]), 200)!;
        expect(pValue).toBe(computePlainly(strategies, Random.ofSeed([count, 0, 0, 1]), 200));
      }
    }
  });

  it("has no answer without strategies", () => {
    expect(checkReality([], Random.ofSeed([1]), 10)).toBeUndefined();
    expect(checkReality([[]], Random.ofSeed([1]), 10)).toBeUndefined();
  });
});
