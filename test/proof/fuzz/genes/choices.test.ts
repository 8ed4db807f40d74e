import fc from "fast-check";
import { expect, test } from "vitest";
import { Choices } from "../../../../src/proof/fuzz/genes/choices.ts";

const drawn = fc.array(fc.nat(65_535), { maxLength: 6 }).map((list) => new Choices(Uint16Array.from(list)));

test("choice 0 is the plainest: the first, the likelier, the nearest to zero", () => {
  const choices = new Choices(new Uint16Array(4));
  for (let count = 0; count < 20; count++) {
    expect(choices.below(7)).toBe(0);
    expect(choices.between(-3, 9)).toBe(0);
    expect(choices.between(3, 9)).toBe(3);
    expect(choices.between(-9, -3)).toBe(-3);
    expect(choices.chance(1, 3)).toBe(false);
    expect(choices.chance(2, 3)).toBe(true);
    expect(choices.pick(["plain", "odd"])).toBe("plain");
    expect(choices.below(4_294_967_296)).toBe(0);
  }
});

test("numbers are within their bounds, also after the end of the list", () => {
  fc.assert(
    fc.property(
      drawn,
      fc.integer({ min: 1, max: 2 ** 32 }),
      fc.integer(),
      fc.nat(1000),
      (choices, bound, low, width) => {
        for (let count = 0; count < 10; count++) {
          const below = choices.below(bound);
          expect(below >= 0 && below < bound && Number.isInteger(below)).toBe(true);
          const between = choices.between(low, low + width);
          expect(between >= low && between <= low + width).toBe(true);
        }
      },
    ),
  );
});

test("a clone draws the same numbers as its original, and does not advance it", () => {
  fc.assert(
    fc.property(drawn, fc.nat(8), (choices, skip) => {
      for (let count = 0; count < skip; count++) choices.next();
      const clone = choices.clone();
      const ahead = Array.from({ length: 9 }, () => clone.next());
      expect(Array.from({ length: 9 }, () => choices.next())).toEqual(ahead);
    }),
  );
});
