import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../../../src/ground/math/random.ts";
import {
  measurePath,
  type PathSource,
  resampleReturns,
  shuffleTrips,
  simulatePaths,
} from "../../../../src/product/research/monte-carlo/equityPaths.ts";

/** The same paths, each measured in the plainest way. */
function simulatePlainly(source: PathSource, paths: number, ruinAt: number) {
  const all = Array.from({ length: paths }, () => {
    const equity = new Float64Array(source.steps);
    source.draw(equity);
    return [1, ...equity];
  });
  const fall = (path: number[]) =>
    Math.max(
      ...path.map((value, i) => (Math.max(...path.slice(0, i + 1)) - value) / Math.max(...path.slice(0, i + 1))),
    );
  return {
    finals: all.map((path) => path.at(-1)!).sort((a, b) => a - b),
    drawdowns: all.map(fall).sort((a, b) => a - b),
    ruined: all.filter((path) => path.some((value) => value <= ruinAt)).length,
    lost: all.filter((path) => path.at(-1)! < 1).length,
  };
}

const ratios = fc.array(fc.double({ min: -0.3, max: 0.4, noNaN: true }), { minLength: 1, maxLength: 30 });

describe("simulated paths", () => {
  it("are measured as a plain loop measures them", () => {
    fc.assert(
      fc.property(ratios, fc.integer({ min: 1, max: 9 }), fc.integer(), (returns, meanBlock, seed) => {
        const random = () => Random.ofSeed([seed, 1, 2, 3]);
        const { finals, drawdowns, ruined, lost } = simulatePaths(
          resampleReturns(returns, meanBlock, random()),
          20,
          0.7,
        );
        expect({ finals: [...finals], drawdowns: [...drawdowns], ruined, lost }).toEqual(
          simulatePlainly(resampleReturns(returns, meanBlock, random()), 20, 0.7),
        );
      }),
      { numRuns: 50 },
    );
  });

  it("have a fan whose last step is the end, and whose quantiles rise", () => {
    const returns = Array.from({ length: 700 }, (_, i) => ((i % 7) - 3) / 200);
    const { fan, finals } = simulatePaths(resampleReturns(returns, 5, Random.ofSeed([4])), 200, 0.5);
    expect(fan).toHaveLength(120);
    expect(fan.at(-1)!.step).toBe(700);
    for (const { equity } of fan) expect(equity).toEqual(equity.toSorted((a, b) => a - b));
    expect(fan.at(-1)!.equity[2]).toBeCloseTo((finals[99]! + finals[100]!) / 2, 12);
  });
});

describe("round trips in another order", () => {
  it("end where the run ended, whatever the order", () => {
    fc.assert(
      fc.property(ratios, fc.integer(), (results, seed) => {
        const { finals } = simulatePaths(shuffleTrips(results, Random.ofSeed([seed])), 20, 0);
        const end = results.reduce((product, result) => product * (1 + result), 1);
        for (const final of finals) expect(final / end).toBeCloseTo(1, 9);
      }),
    );
  });

  it("come in every order equally often", () => {
    const source = shuffleTrips([1, 2, 4], Random.ofSeed([1, 1]));
    const counts = new Map<string, number>();
    const equity = new Float64Array(3);
    for (let path = 0; path < 12_000; path++) {
      source.draw(equity);
      const key = [...equity].join();
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    expect(counts.size).toBe(6);
    for (const count of counts.values()) expect(Math.abs(count / 2_000 - 1)).toBeLessThan(0.1);
  });
});

describe("a path", () => {
  it("falls from its start if it never gains", () => {
    expect(measurePath([0.9, 0.8, 0.85])).toEqual({ drawdown: expect.closeTo(0.2, 12), lowest: 0.8 });
  });

  it("has no drawdown while it rises", () => {
    expect(measurePath([1.1, 1.2])).toEqual({ drawdown: 0, lowest: 1 });
    expect(measurePath([])).toEqual({ drawdown: 0, lowest: 1 });
  });
});
