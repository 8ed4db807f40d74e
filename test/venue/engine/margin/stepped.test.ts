/** Parts of an order in a market with stepped tiers (MRG-4). */
import fc from "fast-check";
import { expect, test } from "vitest";
import { TestVenue } from "../../../helpers/venue.ts";

const MARK = 100;
const BOUNDS = [1_000, 2_500, 5_000] as const;
const RATES = [0.1, 0.2, 0.4, 0.5] as const;

const TIERS = {
  initialMarginMethod: "stepped",
  ...{ tier1: "0 0.1 0.05", tier2: "1000 0.2 0.1", tier3: "2500 0.4 0.2", tier4: "5000 0.5 0.25" },
  ...{ lotSize: "1", minSize: "1", priceBand: "0.9", tickSize: "1" },
};

/** Initial margin of lots at the mark, USD: whole numbers, so that nothing is rounded. */
function initialOf(lots: number): number {
  const notional = Math.abs(lots) * MARK;
  const tier = BOUNDS.filter((bound) => notional > bound).length;
  return Math.round(notional * RATES[tier]!);
}

interface Case {
  readonly size: number;
  readonly spare: number;
  readonly lots: number;
  readonly price: number;
  readonly isolated: boolean;
}

/** Whether equity covers initial margin after every part of a sale at its price. */
function coversEveryPart({ size, spare, lots, price, isolated }: Case): boolean {
  const equity = initialOf(size) + (isolated ? 0 : spare);
  for (let part = 0; part <= lots; part++) {
    // An isolated position that turns is given margin of its own from cross.
    if (isolated && part > size) break;
    if (equity - part * Math.max(0, MARK - price) < initialOf(size - part)) return false;
  }
  return true;
}

function isAccepted({ size, spare, lots, price, isolated }: Case, reduceOnly: boolean): boolean {
  const v = new TestVenue({
    markets: { TEST: TIERS },
    accounts: { alice: String(initialOf(size) + spare), bob: "1000000" },
    prices: { TEST: String(MARK) },
  });
  if (isolated) v.do(v.mode("alice", "isolated"));
  v.do(v.sell("bob", String(size), String(MARK)), v.buy("alice", String(size), String(MARK)));
  v.do(v.buy("bob", String(lots), String(price)));
  const outcome = v.try(v.sell("alice", String(lots), String(price), { reduceOnly }));
  expect(["applied", "INSUFFICIENT_MARGIN"]).toContain(outcome);
  return outcome === "applied";
}

const CASES = fc.record({
  size: fc.integer({ min: 2, max: 80 }),
  spare: fc.constantFrom(0, 0, 1, 17, 200),
  lots: fc.integer({ min: 1, max: 80 }),
  price: fc.integer({ min: 40, max: 100 }),
});

// Goal: an order is accepted if and only if no part of it leaves the account below its initial margin. Method: all
// parts, one by one.
test("an order that reduces is accepted where every part leaves initial margin covered", () => {
  const met = { both: 0, whole: 0 };
  fc.assert(
    fc.property(CASES, fc.boolean(), fc.boolean(), (drawn, isolated, reduceOnly) => {
      const terms = { ...drawn, lots: Math.min(drawn.lots, drawn.size), isolated };
      const expected = coversEveryPart(terms);
      expect(isAccepted(terms, reduceOnly)).toBe(expected);
      if (expected) met.both++;
      else if (
        initialOf(terms.size) + (isolated ? 0 : terms.spare) - terms.lots * (MARK - terms.price) >=
        initialOf(terms.size - terms.lots)
      )
        met.whole++;
    }),
    { numRuns: 250, seed: 4 },
  );
  // Neither answer alone would show anything, and some orders pass whole and fail in part.
  expect(met.both).toBeGreaterThan(20);
  expect(met.whole).toBeGreaterThan(5);
});

test("an order that turns a cross position is accepted where every part leaves initial margin covered", () => {
  fc.assert(
    fc.property(CASES, ({ size, spare, lots, price }) => {
      const terms = { size, spare, lots: size + lots, price, isolated: false };
      const resting = initialOf(size - terms.lots) + terms.lots * Math.max(0, MARK - price) <= initialOf(size) + spare;
      expect(isAccepted(terms, false)).toBe(resting && coversEveryPart(terms));
    }),
    { numRuns: 150, seed: 4 },
  );
});
