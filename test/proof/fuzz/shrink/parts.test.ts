import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deleteChunks, deletePairs } from "../../../../src/proof/fuzz/shrink/deleteChunks.ts";
import { plainness, rounder } from "../../../../src/proof/fuzz/shrink/rounder.ts";
import { signatureOf } from "../../../../src/proof/fuzz/shrink/signature.ts";

/** Deletes the elements that a test does not need. */
function reduce(list: readonly number[], needs: (list: readonly number[]) => boolean, by = deleteChunks) {
  let kept = list;
  let tries = 0;
  by(
    () => kept,
    (shorter: readonly number[]) => {
      tries++;
      if (!needs(shorter)) return false;
      kept = shorter;
      return true;
    },
    () => false,
  );
  return { kept, tries };
}

describe("deleting chunks", () => {
  test("leaves exactly the needed elements, at any position", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), fc.array(fc.nat(399), { maxLength: 8 }), (length, wanted) => {
        const list = Array.from({ length }, (_, at) => at);
        const needed = [...new Set(wanted.map((at) => at % length))].sort((a, b) => a - b);
        const { kept } = reduce(list, (shorter) => needed.every((at) => shorter.includes(at)));
        expect(kept).toEqual(needed);
      }),
    );
  });

  test("takes few tries for a few needed elements of many", () => {
    const { tries } = reduce(
      Array.from({ length: 50_000 }, (_, at) => at),
      (shorter) => [7, 20_000, 49_000].every((at) => shorter.includes(at)),
    );
    expect(tries).toBeLessThan(150);
  });

  test("by pairs finds two elements that only need each other", () => {
    const isBalanced = (list: readonly number[]) => list.includes(1) === list.includes(6) && list.includes(3);
    const list = [0, 1, 2, 3, 4, 5, 6, 7].filter((at) => [1, 3, 6].includes(at));
    expect(reduce(list, isBalanced).kept).toEqual([1, 3, 6]);
    expect(reduce(list, isBalanced, deletePairs as never).kept).toEqual([3]);
  });
});

describe("rounder numbers", () => {
  test("are plainer, plainest first, of the same sign, and end", () => {
    fc.assert(
      fc.property(fc.integer({ min: -(10 ** 15), max: 10 ** 15 }), fc.constantFrom(6, 8, 9), (value, decimals) => {
        const found = rounder(value, decimals);
        const measures = found.map((number) => plainness(Math.abs(number), decimals));
        expect(measures).toEqual([...measures].sort((a, b) => a - b));
        for (const number of found) {
          expect(Math.sign(number)).toBe(Math.sign(value));
          expect(plainness(Math.abs(number), decimals)).toBeLessThan(plainness(Math.abs(value), decimals));
        }
      }),
    );
  });

  test("of 98.21 are 1, 100, 90 and so on", () => {
    expect(rounder(9_821_000_000, 8).slice(0, 4)).toEqual([100_000_000, 10_000_000_000, 9_000_000_000, 9_800_000_000]);
    expect(rounder(100_000_000, 8)).toEqual([]);
    expect(rounder(0, 8)).toEqual([]);
  });
});

describe("two failures are the same", () => {
  const failure = { invariant: "openInterest", height: 3, observed: "BTC-PERP: long 5, short 5, stored 3" };

  test("whatever the numbers, the market and the place are", () => {
    const other = { invariant: "openInterest", height: 900, index: 4, observed: "M2: long 12, short 0, stored 0" };
    expect(signatureOf(other)).toBe(signatureOf(failure));
  });

  test("only if their invariant, kind and message are", () => {
    expect(signatureOf({ ...failure, invariant: "conservation" })).not.toBe(signatureOf(failure));
    expect(signatureOf({ ...failure, kind: "model" })).not.toBe(signatureOf(failure));
    expect(signatureOf({ ...failure, observed: "BTC-PERP: dust 5" })).not.toBe(signatureOf(failure));
    expect(signatureOf({ ...failure, entity: "account 3" })).not.toBe(signatureOf({ ...failure, entity: "order 3" }));
  });
});
