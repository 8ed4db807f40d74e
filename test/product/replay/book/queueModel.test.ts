import { expect, test } from "vitest";
import { computeLog, readQueueModel } from "../../../../src/product/replay/book/queueModel.ts";

const split = (name: string, lots: number, front: number, back: number) =>
  readQueueModel(name)!.takeAhead(lots, front, back);

// Of a decrease of 10, with 30 lots before the order and 10 behind it.
test.each([
  ["behind", 0],
  // 10 x 30 / 40
  ["proportional", 7],
  ["power(1)", 7],
  // 10 x 900 / 1,000
  ["power(2)", 9],
  // 10 x 27,000 / 28,000
  ["power(3)", 9],
  // 10 x ln 31 / (ln 31 + ln 11) = 10 x 3.434 / 5.832
  ["log", 5],
] as const)("%s takes %i lots of ten from before the order, rounded down", (name, lots) => {
  expect(split(name, 10, 30, 10)).toBe(lots);
});

test.each(["behind", "proportional", "power(2)", "log"])("%s takes what is there, and no more", (name) => {
  expect(split(name, 10, 30, 0)).toBe(10);
  expect(split(name, 10, 0, 30)).toBe(0);
  expect(split(name, 10, 4, 0)).toBe(4);
  expect(split(name, 10, 4, 2)).toBe(4);
  for (let lots = 1; lots <= 40; lots++) {
    const ahead = split(name, lots, 17, 23);
    expect(ahead).toBeGreaterThanOrEqual(Math.max(0, lots - 23));
    expect(ahead).toBeLessThanOrEqual(Math.min(17, lots));
  }
});

test("sizes of any length are split exactly", () => {
  const most = 2 ** 42;
  expect(split("proportional", most, most, most)).toBe(most / 2);
  expect(split("power(9)", most, most, 1)).toBe(most - 1);
});

test("logarithms are those of the formula", () => {
  for (const value of [1, 1.5, 2, 3, 11, 31, 1_000, 2 ** 42, 2 ** 42 + 1]) {
    expect(Math.abs(computeLog(value) - Math.log(value))).toBeLessThan(1e-13 * (1 + Math.log(value)));
  }
});

test.each(["", "front", "power", "power(0)", "power(10)", "power(1.5)", "Behind"])("%j is no model", (name) => {
  expect(readQueueModel(name)).toBeUndefined();
});
