import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readWhere, type WhereValue } from "../../../../../src/product/research/sweep/grid/where.ts";

const values = new Map<string, WhereValue>([
  ["fast", 12],
  ["slow", 48],
  ["share", 0.5],
  ["side", "long"],
  ["short", true],
  ["run.leverage", 3],
]);
const meets = (text: string) => readWhere(text, [...values.keys()])(values);

describe("a condition", () => {
  test.each([
    ["fast < slow", true],
    ["fast*4 >= slow", true],
    ["fast * 4 > slow", false],
    ["slow - fast = 36 and share == 0.5", true],
    ["not (fast < slow)", false],
    ["!short || run.leverage <= 3", true],
    ["side = 'long'", true],
    ['side != "short"', true],
    ["short", true],
    ["short = false", false],
    ["-fast < 0", true],
    ["1 - 2 - 3 = -4", true],
    ["8 / 4 / 2 = 1", true],
    ["1 + 2 * 3 = 7", true],
    ["7 % 4 = 3", true],
    ["true or false and false", true],
    ["slow / 0 > 1e9", true],
  ])("%s is %s", (text, met) => expect(meets(text)).toBe(met));

  test.each([
    ["fats < slow", /character 1: there is no "fats"/],
    ["fast <", /ends here, but a name or a value is/],
    ["fast < slow < 3", /two comparisons in a row/],
    ["(fast < slow", /but "\)" is/],
    ["fast slow", /"slow" is not expected/],
    ["fast", /is 12, not true or false/],
    ["fast < side", /compares a number with a word/],
    ["side < 'z'", /needs numbers/],
    ["fast and slow", /needs conditions/],
    ["process.exit(1)", /there is no "process.exit"/],
    ["fast; slow", /";" is not part of a condition/],
    ["", /ends here/],
    ["(".repeat(500), /nested too deeply/],
    ["1".repeat(2_000), /longer than 1000 characters/],
  ])("%j is refused", (text, fault) => expect(() => meets(text)).toThrow(fault));

  // Method: the same arithmetic by JavaScript, whose precedence of these signs is the same.
  test("of whole numbers means what it means in arithmetic", () => {
    const sign = fc.constantFrom("+", "-", "*");
    const sum = fc
      .array(fc.tuple(fc.integer({ min: 0, max: 99 }), sign), { minLength: 1, maxLength: 8 })
      .map((parts) => `${parts.map(([value, by]) => `${value} ${by} `).join("")}1`);
    fc.assert(
      fc.property(sum, sum, fc.constantFrom("<", "<=", ">", ">="), (left, right, by) => {
        const met = new Function(`return ${left} ${by} ${right}`)() as boolean;
        expect(meets(`${left} ${by} ${right}`)).toBe(met);
      }),
    );
  });

  test("of any text is read or refused with a place, and nothing else", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (text) => {
        try {
          expect(typeof meets(text)).toBe("boolean");
        } catch (error) {
          expect(error).toMatchObject({ code: "WHERE_INVALID", place: "--where" });
        }
      }),
    );
  });
});
