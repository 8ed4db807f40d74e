import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../../../src/ground/math/random.ts";
import { joinChunks, simulateChunk } from "../../../../src/product/research/monte-carlo/chunk.ts";
import { type PathSource, resampleReturns } from "../../../../src/product/research/monte-carlo/equityPaths.ts";

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
  };
}

const ratios = fc.array(fc.double({ min: -0.3, max: 0.4, noNaN: true }), { minLength: 1, maxLength: 30 });
const returns = Array.from({ length: 700 }, (_, i) => ((i % 7) - 3) / 200);
const chunkOf = (seed: number, paths: number) =>
  simulateChunk(resampleReturns(returns, 5, Random.ofSeed([seed])), paths, 0.5);

describe("a chunk of paths", () => {
  it("is measured as a plain loop measures it", () => {
    fc.assert(
      fc.property(ratios, fc.integer({ min: 1, max: 9 }), fc.integer(), (values, meanBlock, seed) => {
        const source = () => resampleReturns(values, meanBlock, Random.ofSeed([seed, 1, 2, 3]));
        const { finals, drawdowns, ruined } = simulateChunk(source(), 20, 0.7);
        expect({ finals: [...finals], drawdowns: [...drawdowns], ruined }).toEqual(simulatePlainly(source(), 20, 0.7));
      }),
      { numRuns: 50 },
    );
  });

  it("has a fan whose last step is the end, and whose quantiles rise", () => {
    const { fan, finals } = chunkOf(4, 200);
    expect(fan).toHaveLength(120);
    expect(fan.at(-1)!.step).toBe(700);
    for (const { equity } of fan) expect(equity).toEqual(equity.toSorted((a, b) => a - b));
    expect(fan.at(-1)!.equity[2]).toBeCloseTo((finals[99]! + finals[100]!) / 2, 12);
  });
});

describe("joined chunks", () => {
  it("have the paths of all, sorted, and their counts added", () => {
    const chunks = [chunkOf(1, 30), chunkOf(2, 30), chunkOf(3, 7)];
    const { finals, drawdowns, ruined } = joinChunks(chunks);
    const sortedOf = (pick: (chunk: (typeof chunks)[number]) => Float64Array) =>
      chunks.flatMap((chunk) => [...pick(chunk)]).sort((a, b) => a - b);
    expect([...finals]).toEqual(sortedOf((chunk) => chunk.finals));
    expect([...drawdowns]).toEqual(sortedOf((chunk) => chunk.drawdowns));
    expect(ruined).toBe(chunks.reduce((sum, chunk) => sum + chunk.ruined, 0));
  });

  it("have the mean fan, each chunk weighed by its paths; that of one chunk is exact", () => {
    const chunks = [chunkOf(1, 30), chunkOf(2, 10)];
    const [three, one] = chunks.map(({ fan }) => fan[50]!.equity) as [readonly number[], readonly number[]];
    const { fan } = joinChunks(chunks);
    expect(fan[50]!.step).toBe(chunks[0]!.fan[50]!.step);
    for (const [place, value] of fan[50]!.equity.entries()) {
      expect(value).toBeCloseTo((three[place]! * 3 + one[place]!) / 4, 12);
    }
    expect(joinChunks([chunks[0]!]).fan).toEqual(chunks[0]!.fan);
  });

  it("have a fan near that of all paths together", () => {
    const chunks = Array.from({ length: 10 }, (_, seed) => chunkOf(seed, 1_000));
    const { fan, finals } = joinChunks(chunks);
    const spread = finals[9_500]! - finals[500]!;
    for (const [place, share] of [0.05, 0.25, 0.5, 0.75, 0.95].entries()) {
      const exact = finals[Math.round(share * 9_999)]!;
      expect(Math.abs(fan.at(-1)!.equity[place]! - exact) / spread).toBeLessThan(0.01);
    }
  });
});
