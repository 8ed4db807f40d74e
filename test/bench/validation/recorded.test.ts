import { expect, test } from "vitest";
import { countDecimals, readScaled } from "../../../bench/validation/decimals.ts";
import { parseRows } from "../../../bench/validation/recorded.ts";

const read = (text: string) => [...parseRows(text, "a.csv", ["a", "c"])];

test("cells are found by the names of their columns, also where others are quoted", () => {
  expect(read('a,b,c\n1,2,3\n4,"{""x"": 1, ""y"": 2}",6\n7,,\n')).toEqual([
    { a: "1", c: "3" },
    { a: "4", c: "6" },
    { a: "7", c: "" },
  ]);
});

test("a file without a column, and a line with a cell too few, are refused with their place", () => {
  expect(() => read("a,b\n1,2\n")).toThrow("a.csv has no column c");
  expect(() => read("a,b,c\n1,2\n")).toThrow("a.csv: 2 cells for 3 columns: 1,2");
});

test("decimal text is read in a unit, to the nearest", () => {
  expect(readScaled("-0.1256", 3)).toBe(-126);
  expect(readScaled("123633.8000000001", 1)).toBe(1_236_338);
  expect(readScaled("7", 2)).toBe(700);
  expect(Object.is(readScaled("-0.0", 2), 0)).toBe(true);
  expect(() => readScaled("1e-5", 6)).toThrow('"1e-5" is not a decimal');
  expect(["0.10", "5", "5.0", "-0.125"].map(countDecimals)).toEqual([1, 0, 0, 3]);
});
