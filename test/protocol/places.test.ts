import { expect, expectTypeOf, test } from "vitest";
import { placesOf } from "../../src/protocol/places.ts";

test("each word of a list has its place, as a number and as a type", () => {
  const side = placesOf(["buy", "sell"]);
  expect(side).toEqual({ buy: 0, sell: 1 });
  expectTypeOf(side).toEqualTypeOf<{ readonly buy: 0; readonly sell: 1 }>();
  expect(placesOf([])).toEqual({});
});
