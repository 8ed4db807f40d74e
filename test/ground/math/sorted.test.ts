import fc from "fast-check";
import { expect, test } from "vitest";
import { countBelow, countUpTo } from "../../../src/ground/math/sorted.ts";

test("values of a rising list are counted up to a limit, without it and with it", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -9, max: 9 })), fc.integer({ min: -10, max: 10 }), (list, limit) => {
      const rising = Float64Array.from(list).sort();
      expect(countBelow(rising, limit)).toBe(list.filter((value) => value < limit).length);
      expect(countUpTo(rising, limit)).toBe(list.filter((value) => value <= limit).length);
    }),
  );
});

test("of a list that is longer than its rows, only the rows are counted", () => {
  expect(countBelow([1, 2, 3, 0, 0], 3, 3)).toBe(2);
  expect(countBelow([1, 2, 3, 0, 0], 4, 3)).toBe(3);
});
