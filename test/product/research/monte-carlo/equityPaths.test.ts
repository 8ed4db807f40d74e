import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../../../src/ground/math/random.ts";
import { measurePath, shuffleTrips } from "../../../../src/product/research/monte-carlo/equityPaths.ts";

const ratios = fc.array(fc.double({ min: -0.3, max: 0.4, noNaN: true }), { minLength: 1, maxLength: 30 });

describe("round trips in another order", () => {
  it("end where the run ended, whatever the order", () => {
    fc.assert(
      fc.property(ratios, fc.integer(), (results, seed) => {
        const source = shuffleTrips(results, Random.ofSeed([seed]));
        const equity = new Float64Array(source.steps);
        const end = results.reduce((product, result) => product * (1 + result), 1);
        for (let path = 0; path < 20; path++) {
          source.draw(equity);
          expect(equity.at(-1)! / end).toBeCloseTo(1, 9);
        }
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
