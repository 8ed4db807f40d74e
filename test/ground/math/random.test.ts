import fc from "fast-check";
import { expect, test } from "vitest";
import { Random } from "../../../src/ground/math/random.ts";

/** xoshiro128** written down again, in bigint and straight from its definition. */
function* reference(words: readonly number[]): Generator<number> {
  const mask = 0xffff_ffffn;
  const s = words.map((word) => BigInt(word) & mask);
  const rotate = (x: bigint, k: bigint) => ((x << k) | (x >> (32n - k))) & mask;
  for (;;) {
    yield Number((rotate((s[1]! * 5n) & mask, 7n) * 9n) & mask);
    const t = (s[1]! << 9n) & mask;
    s[2]! ^= s[0]!;
    s[3]! ^= s[1]!;
    s[1]! ^= s[2]!;
    s[0]! ^= s[3]!;
    s[2]! ^= t;
    s[3] = rotate(s[3]!, 11n);
  }
}

const words = fc.array(fc.integer(), { minLength: 4, maxLength: 4 });

test("draws are those of the definition", () => {
  fc.assert(
    fc.property(words, (seed) => {
      fc.pre(seed.some((word) => word !== 0));
      const random = new Random(seed);
      const expected = reference(seed);
      for (let draw = 0; draw < 50; draw++) expect(random.int32() >>> 0).toBe(expected.next().value);
    }),
    { numRuns: 60 },
  );
});

// The first outputs for the state 1, 2, 3, 4, which other implementations of the generator print too.
test("the first draws from 1, 2, 3, 4 are the published ones", () => {
  const random = new Random([1, 2, 3, 4]);
  const draws = Array.from({ length: 5 }, () => random.int32() >>> 0);
  expect(draws).toEqual([11520, 0, 5927040, 70819200, 2031721883]);
});

test("a seed of zeros does not stay at zero", () => {
  const random = new Random([0, 0, 0, 0]);
  expect(new Set(Array.from({ length: 20 }, () => random.int32())).size).toBeGreaterThan(15);
});

test("a saved state continues with the same draws", () => {
  fc.assert(
    fc.property(words, fc.nat(40), (seed, skipped) => {
      const random = new Random(seed);
      for (let draw = 0; draw < skipped; draw++) random.int32();
      const saved = Array.from(random.state);
      const clone = random.clone();
      const after = Array.from({ length: 20 }, () => random.int32());
      expect(Array.from({ length: 20 }, () => clone.int32())).toEqual(after);
      random.state.set(saved);
      expect(Array.from({ length: 20 }, () => random.int32())).toEqual(after);
    }),
  );
});

test("draws below a bound stay below it", () => {
  const bound = fc.oneof(
    fc.integer({ min: 1, max: 50 }),
    fc.integer({ min: 1, max: 2 ** 32 }),
    fc.constant(2 ** 32),
    fc.integer({ min: 1, max: 2 ** 53 - 1 }),
  );
  fc.assert(
    fc.property(words, bound, fc.integer(), (seed, most, low) => {
      const random = new Random(seed);
      for (let draw = 0; draw < 20; draw++) {
        const value = random.below(most);
        expect(Number.isInteger(value) && value >= 0 && value < most).toBe(true);
        const between = random.between(low, low + 5);
        expect(between >= low && between <= low + 5).toBe(true);
      }
      expect(random.below(1)).toBe(0);
    }),
  );
});

// Goal: no value below a bound is likelier than another. Method: a bound of 3 * 2^30 is where cutting off with a
// remainder would give values below 2^30 twice the weight of the others; a fair draw puts a third of them there.
test("draws below a bound that does not divide 2^32 are fair", () => {
  const random = new Random([7, 11, 13, 17]);
  const draws = 30_000;
  let low = 0;
  for (let draw = 0; draw < draws; draw++) if (random.below(3 * 2 ** 30) < 2 ** 30) low++;
  // Six standard deviations of a third: 6 * sqrt(n * 1/3 * 2/3).
  expect(Math.abs(low - draws / 3)).toBeLessThan(6 * 82);
});

test("draws below a bound of more than 2^32 are fair", () => {
  const random = new Random([7, 11, 13, 17]);
  const draws = 30_000;
  let low = 0;
  for (let draw = 0; draw < draws; draw++) if (random.below(3 * 2 ** 51) < 2 ** 51) low++;
  expect(Math.abs(low - draws / 3)).toBeLessThan(6 * 82);
});

test("chance, fraction and pick keep to their ranges", () => {
  const random = new Random([1, 2, 3, 4]);
  let hits = 0;
  for (let draw = 0; draw < 4000; draw++) {
    if (random.chance(1, 4)) hits++;
    const fraction = random.fraction();
    expect(fraction >= 0 && fraction < 1).toBe(true);
    expect(["a", "b", "c"]).toContain(random.pick(["a", "b", "c"]));
  }
  expect(hits).toBeGreaterThan(800);
  expect(hits).toBeLessThan(1200);
  expect(random.chance(0, 5)).toBe(false);
  expect(random.chance(5, 5)).toBe(true);
});
