import fc from "fast-check";
import { expect, test } from "vitest";
import { formatExact, splitExact, toNearest } from "../../../../src/product/market-data/scan/exactDecimal.ts";

/** Decimal text with its digits, up to the range of a series. */
const arbitraryText = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 9_000_000_000_000_000n }), fc.stringMatching(/^[0-9]{0,15}$/))
  .filter(([, whole]) => whole < 9_000_000_000_000_000n)
  .map(([negative, whole, places]) => ({ negative, whole, places }));

/** The same text without what does not count: the plain twin of `formatExact`. */
function canonical(negative: boolean, whole: bigint, places: string): string {
  const fraction = places.replace(/0+$/, "");
  const text = fraction === "" ? `${whole}` : `${whole}.${fraction}`;
  return negative && text !== "0" ? `-${text}` : text;
}

test("every decimal in range is kept exactly in two parts that are safe integers of its sign", () => {
  fc.assert(
    fc.property(arbitraryText, ({ negative, whole, places }) => {
      const digits = BigInt(`${whole}${places}`);
      const value = splitExact(negative ? -digits : digits, places.length);
      if (value === "range") throw new Error("in range");
      expect(value.isCut).toBe(false);
      for (const part of [value.whole, value.fraction]) {
        expect(Number.isSafeInteger(part)).toBe(true);
        expect(Object.is(part, -0)).toBe(false);
        if (part !== 0) expect(part < 0).toBe(negative);
      }
      const text = canonical(negative, whole, places);
      expect(formatExact(value)).toBe(text);
      expect(toNearest(value)).toBe(Number(text) + 0);
    }),
    { numRuns: 2000 },
  );
});

test("digits finer than 1e-15 are cut toward zero and reported; values beyond 9e15 have no parts", () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
      fc.integer({ min: -20, max: 40 }),
      (digits, places) => {
        const value = splitExact(digits, places);
        const scale = 10n ** BigInt(Math.abs(places - 15));
        const units = places <= 15 ? digits * scale : digits / scale;
        const most = 9n * 10n ** 15n;
        const whole = units / 10n ** 15n;
        if (whole > most || whole < -most) expect(value).toBe("range");
        else {
          if (value === "range") throw new Error("in range");
          expect(BigInt(value.whole) * 10n ** 15n + BigInt(value.fraction)).toBe(units);
          expect(value.isCut).toBe(places > 15 && units * scale !== digits);
        }
      },
    ),
  );
});
