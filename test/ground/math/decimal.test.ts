import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DecimalError, formatDecimal, parseDecimal, scanDecimal } from "../../../src/ground/math/decimal.ts";
import { LIMIT } from "../../../src/ground/math/fixed.ts";

/** The rule of NUM-5 as one regular expression: what the scanner must agree with. */
const CANONICAL = /^-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/;

const decimals = fc.integer({ min: 0, max: 12 });
const storable = fc.oneof(fc.integer({ min: -LIMIT, max: LIMIT }), fc.integer({ min: -1000, max: 1000 }));

test("a formatted number reads back as the same number", () => {
  fc.assert(
    fc.property(storable, decimals, (value, places) => {
      const text = formatDecimal(value, places);
      expect(text).toMatch(CANONICAL);
      expect(parseDecimal(text, places)).toBe(value + 0);
    }),
    { numRuns: 1500 },
  );
});

test("numbers of any size are formatted as their digits", () => {
  fc.assert(
    fc.property(fc.bigInt(), decimals, (value, places) => {
      const [whole = "0", fraction = ""] = formatDecimal(value, places).split(".");
      expect(BigInt(`${whole.replace("-", "")}${fraction.padEnd(places, "0")}`)).toBe(value < 0n ? -value : value);
      expect(whole.startsWith("-")).toBe(value < 0n);
    }),
  );
});

// Goal: reading accepts exactly the canonical texts that fit, with the exact value. Method: texts near the grammar,
// read by an independent definition: the regular expression and bigint.
test("reading agrees with the grammar and with bigint on texts of digits, points and signs", () => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom("0", "1", "9", ".", "-", "+", "e", " "), maxLength: 12 }),
    fc
      .record({ whole: fc.bigInt({ min: 0n, max: 10n ** 18n }), fraction: fc.bigInt({ min: 0n, max: 10n ** 9n }) })
      .map(({ whole, fraction }) => `${whole}.${fraction}`),
    fc.string({ maxLength: 8 }),
  );
  fc.assert(
    fc.property(text, decimals, (given, places) => {
      const [, whole = "", fraction = ""] = /^-?([0-9]*)\.?([0-9]*)$/.exec(given) ?? [];
      const read = scanDecimal(given, places);
      if (!CANONICAL.test(given) || /^-0$/.test(given)) {
        expect(read).toBe("malformed");
      } else if (fraction.length > places) {
        expect(read).toBe("precision");
      } else {
        const value = BigInt(whole + fraction.padEnd(places, "0")) * (given.startsWith("-") ? -1n : 1n);
        if (value > BigInt(LIMIT) || value < -BigInt(LIMIT)) expect(read).toBe("range");
        else expect(read).toBe(Number(value));
      }
    }),
    { numRuns: 4000 },
  );
});

describe("the limit is the last value that is read", () => {
  test.each([
    ["90000000", 8, LIMIT],
    ["-90000000", 8, -LIMIT],
    ["9000000000", 6, LIMIT],
    ["89999999.99999999", 8, LIMIT - 1],
  ])("%s with %i decimals", (text, places, value) => {
    expect(parseDecimal(text, places)).toBe(value);
  });

  test.each([
    ["90000000.00000001", 8],
    ["9000000000000001", 0],
    ["-9000000000000001", 0],
    [`1${"0".repeat(400)}`, 8],
  ])("%s with %i decimals is out of range", (text, places) => {
    expect(scanDecimal(text, places)).toBe("range");
  });
});

test.each([
  ["", "malformed"],
  ["-", "malformed"],
  [".5", "malformed"],
  ["1.", "malformed"],
  ["1.0", "malformed"],
  ["01", "malformed"],
  ["-0", "malformed"],
  ["-0.0", "malformed"],
  ["+1", "malformed"],
  ["1e3", "malformed"],
  ["١", "malformed"],
  ["1 ", "malformed"],
  ["1,5", "malformed"],
  ["NaN", "malformed"],
  ["0.123456789", "precision"],
  ["-0.000000001", "precision"],
  // A digit too many is reported before a number too large.
  ["99999999999.123456789", "precision"],
  ["99999999999", "range"],
])("%j is refused as %s", (text, fault) => {
  expect(scanDecimal(text, 8)).toBe(fault);
  let thrown: unknown;
  try {
    parseDecimal(text, 8);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(DecimalError);
  expect((thrown as DecimalError).fault).toBe(fault);
});
