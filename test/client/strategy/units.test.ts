import fc from "fast-check";
import { expect, test } from "vitest";
import { fromSteps, roundToStep, toSteps } from "../../../src/client/strategy/units.ts";

/** A grid as markets have it: a step of few digits and a number of steps that the book holds. */
const arbitraryPlace = fc
  .record({
    stepE8: fc.constantFrom(1, 5, 1_000, 100_000, 2_500_000, 1e7, 5e7, 1e8, 25e8),
    steps: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  })
  .filter(({ stepE8, steps }) => stepE8 * steps <= 2 ** 51);

test("a value on the grid becomes exactly its step again", () => {
  fc.assert(
    fc.property(arbitraryPlace, ({ stepE8, steps }) => {
      expect(toSteps(fromSteps(steps, stepE8), stepE8, "price")).toBe(steps);
    }),
    { numRuns: 2_000 },
  );
});

test("a value is the double that its decimal text reads as", () => {
  fc.assert(
    fc.property(arbitraryPlace, ({ stepE8, steps }) => {
      const digits = String(stepE8 * steps).padStart(9, "0");
      expect(fromSteps(steps, stepE8)).toBe(Number(`${digits.slice(0, -8)}.${digits.slice(-8)}`));
    }),
    { numRuns: 2_000 },
  );
});

test("rounding gives the neighbour on the grid on the requested side", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(1_000, 100_000, 1e7, 1e8),
      fc.double({ min: 2, max: 1e6, noNaN: true }),
      (stepE8, value) => {
        const step = stepE8 / 1e8;
        const down = roundToStep(value, stepE8, "down");
        const up = roundToStep(value, stepE8, "up");
        // Noise that is forgiven, and values that doubles of this size cannot distinguish.
        const slack = Math.max(step * 2e-6, value * Number.EPSILON * 2);
        expect(down).toBeLessThanOrEqual(value + slack);
        expect(up).toBeGreaterThanOrEqual(value - slack);
        expect(up - down).toBeLessThanOrEqual(step + slack);
        for (const rounded of [down, up]) toSteps(rounded, stepE8, "price");
      },
    ),
  );
});

test("noise in the last digits is not a step", () => {
  expect(toSteps(0.1 + 0.2, 1e7, "size")).toBe(3);
  expect(roundToStep(0.3 - 1e-16, 1e7, "down")).toBe(0.3);
});

test("between two steps, not positive, or no number: refused", () => {
  for (const value of [0.15, 0, -0.1, Number.NaN, Number.POSITIVE_INFINITY, 1e300]) {
    expect(() => toSteps(value, 1e7, "size"), String(value)).toThrow(
      expect.objectContaining({ code: "ORDER_INVALID", place: "size" }),
    );
  }
});
