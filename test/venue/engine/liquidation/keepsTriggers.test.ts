/** Triggers that a dirty account keeps (LIQ): while none of them is reached, it is above maintenance margin. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { NONE } from "../../../../src/ground/collections/table.ts";
import { armMarginAccount } from "../../../../src/venue/engine/liquidation/armTriggers.ts";
import { keepsTriggers } from "../../../../src/venue/engine/liquidation/keepsTriggers.ts";
import { DEPTH, isBelowMaintenance, measure } from "../../../../src/venue/engine/margin/health.ts";
import { refreshMarket } from "../../../../src/venue/engine/prices/refreshMarket.ts";
import { findAccount } from "../../../../src/venue/engine/state/accounts.ts";
import { ensurePosition } from "../../../../src/venue/engine/state/positions.ts";
import type { MarketRow, PositionRow } from "../../../../src/venue/engine/state/schema.ts";
import { keyOf } from "../../../helpers/venue/values.ts";
import { TestVenue } from "../../../helpers/venue.ts";

const SMALL = { lotSize: "0.01", minSize: "0.01", tickSize: "0.0001" };
const TIERS = { tier1: "0 0.1 0.05", tier2: "0.003 0.2 0.1", tier3: "0.2 0.5 0.25" };
const MARKETS = { A: { ...SMALL, ...TIERS }, B: { ...SMALL, ...TIERS, initialMarginMethod: "stepped" }, C: SMALL };
const COUNT = Object.keys(MARKETS).length;

const HOLDING = fc.record({
  isHeld: fc.boolean(),
  mark: fc.integer({ min: 20_000, max: 900_000 }),
  lots: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 3000 })),
  isShort: fc.boolean(),
  cost: fc.integer({ min: -90_000, max: 90_000 }),
  funding: fc.constantFrom(0, 0, 1_999_999_999, -700_000_001),
  /** What a fill changes afterwards. */
  added: fc.integer({ min: -3, max: 3 }),
});
type Holding = typeof HOLDING extends fc.Arbitrary<infer Value> ? Value : never;

const venue = new TestVenue({ markets: MARKETS, accounts: { alice: "1000" }, prices: { A: "1", B: "1", C: "1" } });
const { state } = venue;
const alice = findAccount(state, keyOf("alice"));
const { positions, markets } = state;

function setCollateral(amount: number): void {
  state.accounts.collateral[alice] = amount as never;
}

function setMark(place: number, mark: number): void {
  markets.mark[place as MarketRow] = mark as never;
  refreshMarket(state, place as MarketRow);
}

function write(holdings: readonly Holding[]): PositionRow[] {
  return holdings.map(({ isHeld, mark, lots, isShort, cost, funding }, place) => {
    const market = place as MarketRow;
    setMark(place, mark);
    const at = ensurePosition(state, alice, market);
    state.risk.disarm(positions, at);
    positions.signedLots[at] = (isHeld ? (isShort ? 0 - lots : lots) : 0) as never;
    positions.cost[at] = (isHeld ? cost : 0) as never;
    markets.fundingHigh[market] = Math.floor(funding / 2 ** 32);
    markets.fundingLow[market] = funding - Math.floor(funding / 2 ** 32) * 2 ** 32;
    return at;
  });
}

/** The least collateral with which the account keeps its triggers. */
function findEdge(): number {
  let [low, high] = [-1e12, 1e12];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    setCollateral(middle);
    if (keepsTriggers(state, alice)) high = middle;
    else low = middle;
  }
  return high;
}

// Goal: triggers are never late. Method: an armed account changes as by fills; at the least collateral at which it
// keeps its triggers, every mark moves to the last price before its trigger. That is the worst of all prices that reach
// none.
test("an account that keeps its triggers is above maintenance margin until one is reached", () => {
  let [kept, tight] = [0, 0];
  fc.assert(
    fc.property(fc.array(HOLDING, { minLength: COUNT, maxLength: COUNT }), fc.nat({ max: 3e6 }), (holdings, slack) => {
      const rows = write(holdings);
      setCollateral(0);
      const { equity, maintenance } = measure(state, alice, DEPTH.risk);
      setCollateral(maintenance - equity + slack);
      armMarginAccount(state, alice, NONE as PositionRow, measure(state, alice, DEPTH.risk));
      holdings.forEach(({ isHeld, isShort, added }, place) => {
        if (!isHeld) return;
        const lots = positions.signedLots[rows[place]!]! + added;
        if (lots !== 0 && lots < 0 === isShort) positions.signedLots[rows[place]!] = lots as never;
      });
      setCollateral(findEdge());
      if (!keepsTriggers(state, alice)) return;
      kept++;
      let isMoved = true;
      holdings.forEach(({ isHeld, isShort }, place) => {
        if (!isHeld) return;
        const trigger = positions.trigger[rows[place]!]!;
        const last = isShort ? trigger - 1 : trigger + 1;
        if (last > 0) setMark(place, last);
        else isMoved = false;
      });
      const health = measure(state, alice, DEPTH.risk);
      expect(health.overflow).toBe(false);
      expect(isBelowMaintenance(health)).toBe(false);
      if (isMoved && health.equity - health.maintenance < 60) tight++;
    }),
    { numRuns: 6000, seed: 21 },
  );
  expect(kept).toBeGreaterThan(3000);
  expect(tight).toBeGreaterThan(300);
}, 60_000);

test("an account with a flat or isolated position in a heap, or waiting in the queue, is measured", () => {
  const one = { isHeld: true, mark: 100_000, lots: 5, isShort: false, cost: 0, funding: 0, added: 0 } as const;
  const [at] = write([one, one, one]);
  setCollateral(1e9);
  expect(keepsTriggers(state, alice)).toBe(false); // not armed
  armMarginAccount(state, alice, NONE as PositionRow, measure(state, alice, DEPTH.risk));
  expect(keepsTriggers(state, alice)).toBe(true);
  state.accounts.queuedSince[alice] = 1;
  expect(keepsTriggers(state, alice)).toBe(false);
  state.accounts.queuedSince[alice] = 0;
  state.accounts.liquidation[alice] = 1;
  expect(keepsTriggers(state, alice)).toBe(false);
  state.accounts.liquidation[alice] = 0;
  positions.mode[at!] = 1;
  expect(keepsTriggers(state, alice)).toBe(false);
  positions.mode[at!] = 0;
  positions.signedLots[at!] = -5 as never; // armed as a long
  expect(keepsTriggers(state, alice)).toBe(false);
  positions.signedLots[at!] = 0 as never;
  expect(keepsTriggers(state, alice)).toBe(false);
  positions.signedLots[at!] = 5 as never;
  setMark(0, positions.trigger[at!]!);
  expect(keepsTriggers(state, alice)).toBe(false); // reached
  // Wrong heap, and none: the trigger that is left in the column is on the right side of the mark.
  positions.signedLots[at!] = -5 as never;
  setMark(0, positions.trigger[at!]! - 1);
  expect(keepsTriggers(state, alice)).toBe(false);
  state.risk.disarm(positions, at!);
  expect(keepsTriggers(state, alice)).toBe(false);
});
