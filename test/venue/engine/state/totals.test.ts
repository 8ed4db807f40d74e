import fc from "fast-check";
import { expect, test } from "vitest";
import { type Amount, LIMIT } from "../../../../src/ground/math/fixed.ts";
import { TOTAL, Totals } from "../../../../src/venue/engine/state/totals.ts";

const storable = fc.oneof(
  fc.integer({ min: -LIMIT, max: LIMIT }),
  fc.constantFrom(LIMIT, -LIMIT, LIMIT - 1, 2 ** 52, 2 ** 52 - 1, -(2 ** 52), 1, -1),
);

test("a total of amounts of any storable size is exact", () => {
  fc.assert(
    fc.property(fc.array(storable, { maxLength: 60, size: "max" }), (amounts) => {
      const totals = new Totals();
      let exact = 0n;
      for (const amount of amounts) {
        totals.add(TOTAL.insurance, amount as Amount);
        exact += BigInt(amount);
        expect(totals.get(TOTAL.insurance)).toBe(exact);
      }
      expect(totals.get(TOTAL.fees)).toBe(0n);
      const copy = totals.copy();
      totals.add(TOTAL.insurance, 1 as Amount);
      expect(copy.get(TOTAL.insurance)).toBe(exact);
      copy.set(TOTAL.fees, exact);
      expect(copy.get(TOTAL.fees)).toBe(exact);
      expect(copy.cap(TOTAL.fees)).toBe(Number(exact > BigInt(LIMIT) ? BigInt(LIMIT) : exact));
    }),
    { numRuns: 100 },
  );
});
