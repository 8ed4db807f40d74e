import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readValues } from "../../../../../src/product/research/sweep/grid/values.ts";

const read = (text: string, kind: "number" | "whole" | "text" = "number") => readValues("axis", text, kind);

describe("the values of an axis", () => {
  test.each([
    ["48,96", ["48", "96"]],
    ["6..48:6", ["6", "12", "18", "24", "30", "36", "42", "48"]],
    ["1..5", ["1", "2", "3", "4", "5"]],
    ["0.1..0.5:0.1", ["0.1", "0.2", "0.3", "0.4", "0.5"]],
    ["-1..1:0.5", ["-1", "-0.5", "0", "0.5", "1"]],
    ["1..64*2", ["1", "2", "4", "8", "16", "32", "64"]],
    ["0.001..1*10", ["0.001", "0.01", "0.1", "1"]],
    ["1e-3,1e3", ["0.001", "1000"]],
    ["1..10:4", ["1", "5", "9"]],
    ["5..5", ["5"]],
    ["3,1..4,2", ["3", "1", "2", "4"]],
    ["1.50,1.5", ["1.5"]],
    ["0.0002/0.0005,none", ["0.0002/0.0005", "none"]],
    ["100,lognormal(20,0.5), uniform(1,9),7", ["100", "lognormal(20,0.5)", "uniform(1,9)", "7"]],
  ])("%s", (text, values) => expect(read(text)).toEqual(values));

  test("a geometric range over whole numbers is rounded, and each is there once", () => {
    expect(read("2..20*1.5", "whole")).toEqual(["2", "3", "5", "7", "10", "15"]);
    expect(read("1..4*1.1", "whole")).toEqual(["1", "2", "3", "4"]);
  });

  test("words with two points are words", () => expect(read("a..b,../x", "text")).toEqual(["a..b", "../x"]));

  test.each([
    ["", /empty value/],
    ["1,,2", /empty value/],
    ["5..1", /ends below its start.*/],
    ["0..1", undefined],
    ["0..0.5", /has no step/],
    ["1..5:0", /step that is not positive/],
    ["1..5:-1", /step that is not positive/],
    ["1..5*1", /factor that is not above 1/],
    ["0..5*2", /does not start above 0/],
    ["1..5:x", /is not a range/],
    ["1..", /is not a range/],
    ["1..1000000", /more than 10000 values/],
    ["1..9*1.0001", /more than 10000 values/],
  ])("%j is refused with its fault", (text, fault) => {
    if (fault === undefined) expect(read(text)).toEqual(["0", "1"]);
    else expect(() => read(text)).toThrow(fault);
  });

  // Method: the twin counts in whole units of the last place, as numbers.
  test("a range has every step from its start, exact, and its end only where a step meets it", () => {
    const places = fc.integer({ min: 0, max: 6 });
    const amount = fc.integer({ min: -1_000_000, max: 1_000_000 });
    fc.assert(
      fc.property(
        places,
        amount,
        fc.integer({ min: 0, max: 500 }),
        fc.integer({ min: 1, max: 900 }),
        (scale, from, steps, step) => {
          const show = (units: number) => (units / 10 ** scale).toFixed(scale);
          const over = step > 1 ? 1 : 0;
          const text = `${show(from)}..${show(from + steps * step + over)}:${show(step)}`;
          const expected = Array.from({ length: steps + 1 }, (_, at) => from + at * step);
          expect(read(text).map((value) => Math.round(Number(value) * 10 ** scale))).toEqual(expected);
          for (const value of read(text)) expect(value).toMatch(/^(0|-?(0|[1-9]\d*)(\.\d*[1-9])?)$/);
        },
      ),
    );
  });
});
