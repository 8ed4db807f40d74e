import fc from "fast-check";
import { expect, test } from "vitest";
import { formatHouseSteps, isHouseSteps, parseHouseSteps } from "../../../src/product/scenario/sugar/houseSteps.ts";

const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex.slice(2), "hex"));
const whole = fc.nat({ max: 2 ** 31 - 1 });
const side = fc.constantFrom("buy", "sell");
const step = fc.oneof(
  fc
    .tuple(fc.constantFrom("quote", "rest", "print", "level", "ahead"), side, whole, whole)
    .map(([word, way, lots, ticks]) => `${word} ${way} ${lots} @ ${ticks}`),
  side.map((way) => `clear ${way}`),
  whole.map((ticks) => `last ${ticks}`),
);

test("steps of a house are the same bytes and the same words, there and back", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), (steps) => {
      const text = steps.join(", ");
      expect(isHouseSteps(text)).toBe(true);
      expect(formatHouseSteps(bytesOf(parseHouseSteps(text)))).toBe(text);
    }),
  );
});

test("a print is four doubles: its kind, price, size and side", () => {
  const bytes = bytesOf(parseHouseSteps("print sell 7 @ 900"));
  expect([...new Float64Array(bytes.buffer)]).toEqual([3, 900, 7, 1]);
});

test("a level and what is taken ahead have the kinds 5 and 6", () => {
  const bytes = bytesOf(parseHouseSteps("level buy 40 @ 899, ahead sell 3 @ 901"));
  expect([...new Float64Array(bytes.buffer)]).toEqual([5, 899, 40, 0, 6, 901, 3, 1]);
});

// The engine refuses a step without a price, also where its kind uses none (ACC-1).
test("a side is cleared with a price that the engine accepts", () => {
  const bytes = bytesOf(parseHouseSteps("clear sell"));
  expect([...new Float64Array(bytes.buffer)]).toEqual([2, 1, 0, 1]);
});

test("bytes that no words produce have no words", () => {
  expect(formatHouseSteps(new Uint8Array())).toBeUndefined();
  expect(formatHouseSteps(new Uint8Array(31))).toBeUndefined();
  const bytesFrom = (...values: number[]) => new Uint8Array(Float64Array.from(values).buffer);
  for (const values of [
    [9, 1, 1, 0],
    [0, 1.5, 1, 0],
    [0, -1, 1, 0],
    [0, 1, 1, 2],
    [2, 5, 0, 0],
    [4, 5, 1, 0],
    [0, Number.NaN, 1, 0],
  ])
    expect(formatHouseSteps(bytesFrom(...values)), `${values}`).toBeUndefined();
});

test.each(["", "quote buy 5", "quote buy 5 @ 1,print sell 1 @ 1", "clear", "last 1.5", "hello"])(
  "%j names no steps",
  (text) => expect(isHouseSteps(text)).toBe(false),
);
