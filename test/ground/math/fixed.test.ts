import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  bigDivCeil,
  bigDivFloor,
  compareProducts,
  differenceOfProducts,
  divCeil,
  divFloor,
  gcd,
  isStorable,
  LIMIT,
  mulDivCeil,
  mulDivFloor,
  mulDivTrunc,
  mulMod,
} from "../../../src/ground/math/fixed.ts";

const SAFE = Number.MAX_SAFE_INTEGER;

/** Safe integers of both signs, crowded where doubles go wrong: around powers of two, at the limit, at small values. */
const hostile: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }),
  fc.integer({ min: -SAFE, max: SAFE }),
  fc.integer({ min: -LIMIT, max: LIMIT }),
  fc
    .record({
      power: fc.integer({ min: 1, max: 53 }),
      off: fc.integer({ min: -4, max: 4 }),
      sign: fc.constantFrom(1, -1),
    })
    .map(({ power, off, sign }) => sign * Math.min(SAFE, 2 ** power + off)),
  fc
    .record({ off: fc.integer({ min: 0, max: 9 }), sign: fc.constantFrom(1, -1) })
    .map(({ off, sign }) => sign * (LIMIT - off)),
  fc.constantFrom(1e6, 1e8, 1e9, 1e10, 1e15, 134_217_727, 134_217_729, 94_906_265, 94_906_267, SAFE, -SAFE),
);
const positive = hostile.map((value) => Math.max(1, Math.abs(value)));

/** a, b, d whose quotient lies within a few units of a multiple, and of the limit. */
const nearMultiple = fc
  .record({ q: hostile, d: positive, off: fc.integer({ min: -3, max: 3 }), b: positive })
  .map(({ q, d, off, b }) => {
    const product = BigInt(q) * BigInt(d) + BigInt(off);
    const a = Number(product / BigInt(b));
    return Number.isSafeInteger(a) ? { a, b, d } : { a: q, b: d, d: b };
  });
const triple = fc.oneof(fc.record({ a: hostile, b: hostile, d: positive }), nearMultiple);

const exactFloor = (a: number, b: number, d: number) => bigDivFloor(BigInt(a) * BigInt(b), BigInt(d));
const exactCeil = (a: number, b: number, d: number) => bigDivCeil(BigInt(a) * BigInt(b), BigInt(d));
const capped = (value: bigint) => (value <= BigInt(LIMIT) && value >= -BigInt(LIMIT) ? Number(value) : Number.NaN);

const runs = { numRuns: 3000 };

describe("products divided are those of bigint, or NaN beyond the limit", () => {
  const expectSame = (got: number, exact: bigint) => {
    expect(got).toBe(capped(exact));
  };

  test("rounded down", () => {
    fc.assert(
      fc.property(triple, ({ a, b, d }) => expectSame(mulDivFloor(a, b, d), exactFloor(a, b, d))),
      runs,
    );
  });

  test("rounded up", () => {
    fc.assert(
      fc.property(triple, ({ a, b, d }) => expectSame(mulDivCeil(a, b, d), exactCeil(a, b, d))),
      runs,
    );
  });

  test("rounded toward zero", () => {
    fc.assert(
      fc.property(triple, ({ a, b, d }) => {
        expectSame(mulDivTrunc(a, b, d), (BigInt(a) * BigInt(b)) / BigInt(d));
      }),
      runs,
    );
  });

  // The limit is below 2^53 because a quotient estimated one too high must remain distinguishable from the true one:
  // here the double quotient is 2^53, the true one 2^53 - 1.
  test("at the limit and one beyond it", () => {
    expect(mulDivFloor(2_147_483_647, 2_147_483_649, 512)).toBeNaN();
    expect(mulDivFloor(2_147_483_647, 2_147_483_649, 513)).toBe(Number((2n ** 62n - 1n) / 513n));
    expect(mulDivFloor(LIMIT, LIMIT, LIMIT)).toBe(LIMIT);
    expect(mulDivFloor(LIMIT, LIMIT, LIMIT - 1)).toBeNaN();
    expect(mulDivCeil(LIMIT, -LIMIT, LIMIT)).toBe(-LIMIT);
    // A divisor of 1, and products that a double still holds.
    for (const divide of [mulDivFloor, mulDivCeil, mulDivTrunc]) {
      expect(divide(LIMIT, 1, 1)).toBe(LIMIT);
      expect(divide(LIMIT + 1, 1, 1)).toBeNaN();
      expect(divide(3, -3e15 - 1, 1)).toBeNaN();
      expect(divide(LIMIT + 1, 1, 2)).toBe(divide === mulDivCeil ? LIMIT / 2 + 1 : LIMIT / 2);
    }
  });

  test("the remainder", () => {
    fc.assert(
      fc.property(triple, ({ a, b, d }) => {
        const exact = exactFloor(a, b, d);
        fc.pre(Number.isNaN(capped(exact)) === false && d <= LIMIT);
        expect(mulMod(a, b, d)).toBe(Number(BigInt(a) * BigInt(b) - exact * BigInt(d)));
      }),
      runs,
    );
  });
});

test("zero is never negative zero", () => {
  for (const value of [
    mulDivFloor(-0, 5, 3),
    mulDivFloor(0, -5, 3),
    mulDivCeil(0, 5, 3),
    mulDivCeil(-1, 1, 3),
    mulDivTrunc(-1, 1, 3),
    divFloor(-0, 7),
    divCeil(-3, 7),
    differenceOfProducts(2, 3, 3, 2),
  ]) {
    expect(Object.is(value, 0)).toBe(true);
  }
});

test("a difference of products that is a safe integer is exact", () => {
  const pair = fc.record({ a: hostile, b: hostile, rest: fc.integer({ min: -LIMIT, max: LIMIT }), d: positive });
  fc.assert(
    fc.property(pair, ({ a, b, rest, d }) => {
      // c such that c * d lies within reach of a * b.
      const c = Number((BigInt(a) * BigInt(b) - BigInt(rest)) / BigInt(d));
      const exact = BigInt(a) * BigInt(b) - BigInt(c) * BigInt(d);
      fc.pre(Number.isSafeInteger(c) && exact <= BigInt(SAFE) && exact >= -BigInt(SAFE));
      expect(differenceOfProducts(a, b, c, d)).toBe(Number(exact));
    }),
    runs,
  );
});

test("products are compared with the sign of the exact difference", () => {
  const close = fc.record({ a: hostile, b: hostile, off: fc.integer({ min: -2, max: 2 }) }).map(({ a, b, off }) => ({
    a,
    b,
    c: b,
    d: Math.max(-SAFE, Math.min(SAFE, a + off)),
  }));
  const any = fc.record({ a: hostile, b: hostile, c: hostile, d: hostile });
  fc.assert(
    fc.property(fc.oneof(any, close), ({ a, b, c, d }) => {
      const exact = BigInt(a) * BigInt(b) - BigInt(c) * BigInt(d);
      expect(Math.sign(compareProducts(a, b, c, d)) + 0).toBe(exact > 0n ? 1 : exact < 0n ? -1 : 0);
    }),
    runs,
  );
});

test("single divisions round as their names say, for both signs", () => {
  fc.assert(
    fc.property(hostile, positive, (a, d) => {
      expect(divFloor(a, d)).toBe(Number(bigDivFloor(BigInt(a), BigInt(d))));
      expect(divCeil(a, d)).toBe(Number(bigDivCeil(BigInt(a), BigInt(d))));
    }),
    runs,
  );
});

test("big divisions round as their names say, for both signs", () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.bigInt({ min: 1n, max: 1n << 80n }), (a, b) => {
      const floor = bigDivFloor(a, b);
      const ceil = bigDivCeil(a, b);
      expect(floor * b <= a && (floor + 1n) * b > a).toBe(true);
      expect(ceil * b >= a && (ceil - 1n) * b < a).toBe(true);
    }),
  );
});

test("storable is a whole number up to the limit, of either sign", () => {
  expect([0, 1, -1, LIMIT, -LIMIT].map(isStorable)).toEqual([true, true, true, true, true]);
  expect([0.5, LIMIT + 1, -LIMIT - 1, Number.NaN, Infinity, -Infinity].map(isStorable)).toEqual(Array(6).fill(false));
});

describe("greatest common divisor", () => {
  test.each([
    [12, 18, 6],
    [18, 12, 6],
    [7, 13, 1],
    [5, 5, 5],
    [1_000_000, 25_000, 25_000],
    [9_007_199_254_740_991, 6_361, 6_361],
  ])("of %d and %d is %d", (a, b, divisor) => expect(gcd(a, b)).toBe(divisor));

  test("of 0 and a number is the number", () => {
    expect([gcd(0, 7), gcd(7, 0), gcd(0, 0)]).toEqual([7, 7, 0]);
  });
});
