import { describe, expect, it } from "vitest";
import { Random } from "../../../../src/ground/math/random.ts";
import { chooseMeanBlock, drawPlaces } from "../../../../src/product/research/statistics/stationaryBootstrap.ts";

describe("the stationary bootstrap", () => {
  it("draws every place equally often, at any block length", () => {
    for (const meanBlock of [1, 5, 50]) {
      const places = new Uint32Array(400_000);
      drawPlaces(places, 10, meanBlock, Random.ofSeed([meanBlock, 2, 3, 4]));
      const counts = new Array<number>(10).fill(0);
      for (const place of places) counts[place]!++;
      for (const count of counts) expect(Math.abs(count / 40_000 - 1)).toBeLessThan(0.05);
    }
  });

  it("has blocks of the mean length", () => {
    const places = new Uint32Array(400_000);
    drawPlaces(places, 1_000, 8, Random.ofSeed([1, 2, 3, 4]));
    let blocks = 1;
    for (let i = 1; i < places.length; i++) if (places[i] !== (places[i - 1]! + 1) % 1_000) blocks++;
    // One new block of a thousand continues the old one by chance.
    expect(places.length / blocks).toBeGreaterThan(7.9);
    expect(places.length / blocks).toBeLessThan(8.15);
  });

  it("draws one place only from a sample of one", () => {
    const places = new Uint32Array(5);
    drawPlaces(places, 1, 3, Random.ofSeed([1]));
    expect([...places]).toEqual([0, 0, 0, 0, 0]);
  });

  it("takes the cube root of the sample as block length", () => {
    expect([1, 8, 9, 1_000, 1_001].map(chooseMeanBlock)).toEqual([1, 2, 3, 10, 11]);
  });
});
