import { expect, test } from "vitest";
import type { Found } from "../../../../src/proof/fuzz/campaign/campaign.ts";
import { Failures, type Shrunk } from "../../../../src/proof/fuzz/campaign/failures.ts";
import type { FuzzViolation } from "../../../../src/proof/fuzz/run/violation.ts";

const found = (iteration: number, violation: Partial<FuzzViolation>): Found =>
  ({
    iteration,
    violation: { kind: "invariant", invariant: "openInterest", height: iteration, observed: "", ...violation },
  }) as Found;

/** Each case reaches the failure by another action. */
const shrink = ({ violation, iteration }: Found): Shrunk => ({
  violation,
  transactions: iteration,
  actions: Array.from({ length: iteration }, () => "placeOrder"),
});

const differs = (iteration: number, what: string, venue: string, model: string) =>
  found(iteration, {
    kind: "model",
    invariant: "venueEqualsModel",
    observed: `after transaction ${iteration} (placeOrder): ${what}: venue ${venue}, model ${model}`,
    sides: [{ what, venue, model }],
  });

test("failures of an invariant differ by the actions of the shrunk case", () => {
  const failures = new Failures(shrink);
  expect(failures.add(found(1, {}))).toBeDefined();
  expect(failures.add(found(2, {}))).toBeDefined();
  expect(failures.add(found(1, {}))).toBeUndefined();
  expect(failures.notes.map(({ count }) => count)).toEqual([2, 1]);
});

test("failures of the model differ by the first difference, whichever actions led to it", () => {
  let shrunk = 0;
  const failures = new Failures((given) => {
    shrunk++;
    return shrink(given);
  });
  expect(failures.add(differs(1, "account 3's collateral", "100", "101"))).toBeDefined();
  expect(failures.add(differs(2, "account 7's collateral", "5", "4"))).toBeUndefined();
  expect(failures.add(differs(3, "BTC-PERP's mark", "5", "4"))).toBeDefined();
  expect(failures.add(differs(4, "ETH-PERP's mark", "6", "7"))).toBeUndefined();
  expect(failures.add(differs(5, "receipt", "applied", "rejected PRICE_OUT_OF_BAND"))).toBeDefined();
  expect(failures.add(differs(6, "receipt", "applied", "rejected INSUFFICIENT_MARGIN"))).toBeDefined();
  expect(failures.add(differs(7, "receipt", "applied", "rejected INSUFFICIENT_MARGIN"))).toBeUndefined();
  expect(failures.notes.map(({ count }) => count)).toEqual([2, 2, 1, 2]);
  // Known failures are not shrunk again.
  expect([shrunk, failures.count]).toEqual([4, 7]);
});
