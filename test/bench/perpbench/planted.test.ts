import { afterEach, expect, test } from "vitest";
import {
  enterBlock,
  isPlanted,
  leaveBlock,
  memo,
  plant,
  readCanary,
  selectBug,
  trigger,
  visited,
} from "../../../bench/perpbench/planted.ts";

afterEach(() => {
  leaveBlock();
  selectBug(0);
  visited.clear();
});

test("only the selected bug changes a value, and every bug whose line runs is noted", () => {
  selectBug(7);
  visited.clear();
  enterBlock();
  expect(plant(7, 1, () => 2)).toBe(2);
  expect(plant(8, 1, () => 2)).toBe(1);
  expect([isPlanted(7), isPlanted(9)]).toEqual([true, false]);
  expect([...visited].sort()).toEqual([7, 8, 9]);
});

test("a line counts within a block, and a trigger where the value differs; 0 and -0 do not differ", () => {
  selectBug(7);
  plant(7, 1, () => 2);
  trigger();
  expect(readCanary()).toEqual({ reached: 0, triggered: 0 });
  enterBlock();
  plant(7, 0, () => -0);
  plant(7, Number.NaN, () => Number.NaN);
  plant(7, 5, () => 5);
  expect(readCanary()).toEqual({ reached: 3, triggered: 0 });
  plant(7, 5, () => 6);
  expect(readCanary()).toEqual({ reached: 4, triggered: 1 });
  leaveBlock();
  plant(7, 5, () => 6);
  expect(readCanary()).toEqual({ reached: 4, triggered: 1 });
});

// An exploration applies blocks of many sequences in turn, some of the same height.
test("the memory of a bug ends with its block", () => {
  selectBug(37);
  enterBlock();
  memo.set("grant", 12);
  leaveBlock();
  enterBlock();
  expect(memo.has("grant")).toBe(false);
});
