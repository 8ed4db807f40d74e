/** The margin filter (decision 0027): a yes without the exact sums is a yes with them. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { MARGIN_MODE } from "../../../../src/protocol/words.ts";
import { checkMargin, hasAmpleMargin } from "../../../../src/venue/engine/actions/checkOrder.ts";
import { DEPTH, measure, meetsInitial } from "../../../../src/venue/engine/margin/health.ts";
import { getRequiredBefore, NOT_BELOW } from "../../../../src/venue/engine/matching/keepRequired.ts";
import { canMake } from "../../../../src/venue/engine/matching/makerCheck.ts";
import { refreshMarket } from "../../../../src/venue/engine/prices/refreshMarket.ts";
import { findAccount } from "../../../../src/venue/engine/state/accounts.ts";
import { ensurePosition } from "../../../../src/venue/engine/state/positions.ts";
import type { AccountRow, MarketRow, PositionRow } from "../../../../src/venue/engine/state/schema.ts";
import type { State } from "../../../../src/venue/engine/state/state.ts";
import { computeOrderCost } from "../../../../src/venue/engine/valuation/orderCost.ts";
import { keyOf } from "../../../helpers/venue/values.ts";
import { TestVenue } from "../../../helpers/venue.ts";

const TIERS = { tier1: "0 0.1 0.05", tier2: "0.003 0.2 0.1", tier3: "0.2 0.5 0.25" };
const SMALL = { lotSize: "0.01", minSize: "0.01", tickSize: "0.0001", takerFee: "0.0005" };

/** Markets whose lots are worth few quote units: where rounding counts. Tiers of both methods, and one that scales. */
const MARKETS = {
  CONTINUOUS: { ...SMALL, ...TIERS },
  STEPPED: { ...SMALL, ...TIERS, initialMarginMethod: "stepped" },
  PLAIN: { ...SMALL, tier1: "0 0.333333 0.1" },
};
const COUNT = Object.keys(MARKETS).length;

interface Holding {
  readonly isHeld: boolean;
  readonly rests: boolean;
  readonly mark: number;
  readonly size: number;
  readonly cost: number;
  readonly buys: number;
  readonly sells: number;
  readonly buyOrderCost: number;
  readonly sellOrderCost: number;
  readonly leverage: number;
  readonly isIsolated: boolean;
  readonly funding: number;
  readonly least: number;
}

const LOTS = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 3000 }));
const SIGNED = fc.tuple(LOTS, fc.boolean()).map(([lots, isShort]) => (isShort ? 0 - lots : lots));
/** Value of a lot in quote units, from just above one whole number to just below the next. */
const MARK = fc
  .tuple(fc.integer({ min: 0, max: 30 }), fc.constantFrom(0, 1, 5_000, 9_999, 9_999, 9_999))
  .map(([whole, rest]) => Math.max(1, whole * 10_000 + rest));

const HOLDING: fc.Arbitrary<Holding> = fc.record({
  isHeld: fc.boolean(),
  rests: fc.boolean(),
  mark: MARK,
  size: SIGNED,
  cost: fc.integer({ min: -90_000, max: 90_000 }),
  buys: LOTS,
  sells: LOTS,
  buyOrderCost: fc.constantFrom(0, 0, 1, 500),
  sellOrderCost: fc.constantFrom(0, 0, 1, 500),
  leverage: fc.constantFrom(0, 0, 1, 3, 7),
  isIsolated: fc.constantFrom(false, false, false, true),
  funding: fc.constantFrom(0, 0, 1, -1, 1_999_999_999, -700_000_001),
  least: fc.constantFrom(0, 0, 150_000, 1_000_000),
});

const CASE = fc.record({
  holdings: fc.array(HOLDING, { minLength: COUNT, maxLength: COUNT }),
  market: fc.nat({ max: COUNT - 1 }),
  isNew: fc.constantFrom(false, false, false, true),
  side: fc.constantFrom(0, 1),
  lots: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 3000 })),
  price: fc.integer({ min: 1, max: 40 }),
  gone: fc.boolean(),
  crosses: fc.boolean(),
  fee: fc.integer({ min: -9, max: 9 }),
});

const venue = new TestVenue({
  markets: MARKETS,
  accounts: { alice: "1000", bob: "1000", carol: "1000", dave: "1000" },
  prices: { CONTINUOUS: "1", STEPPED: "1", PLAIN: "1" },
});
const { state } = venue;
const alice = findAccount(state, keyOf("alice"));
/** By market, an account without a position row in it. */
const newcomers = ["bob", "carol", "dave"].map((name) => findAccount(state, keyOf(name)));

/** Writes columns of an account and its markets; they need not be reachable, since both answers read nothing else. */
function write(account: AccountRow, holdings: readonly Holding[]): (PositionRow | undefined)[] {
  const { positions, markets } = state;
  return holdings.map((held, place) => {
    const market = place as MarketRow;
    markets.mark[market] = held.mark as never;
    markets.initialRate[market] = held.least as never;
    refreshMarket(state, market);
    if (account === newcomers[place]) return undefined;
    const at = ensurePosition(state, account, market);
    const size = held.isHeld ? held.size : 0;
    positions.signedLots[at] = size as never;
    positions.cost[at] = (size === 0 ? 0 : held.cost) as never;
    const [buys, sells] = held.rests ? [held.buys, held.sells] : [0, 0];
    positions.buys[at] = buys as never;
    positions.sells[at] = sells as never;
    positions.buyOrderCost[at] = (buys === 0 ? 0 : held.buyOrderCost) as never;
    positions.sellOrderCost[at] = (sells === 0 ? 0 : held.sellOrderCost) as never;
    positions.leverage[at] = held.leverage;
    positions.mode[at] = held.isIsolated ? MARGIN_MODE.isolated : MARGIN_MODE.cross;
    positions.fundingHigh[at] = 0;
    positions.fundingLow[at] = 0;
    markets.fundingHigh[market] = Math.floor(held.funding / 2 ** 32);
    markets.fundingLow[market] = held.funding - Math.floor(held.funding / 2 ** 32) * 2 ** 32;
    return at;
  });
}

/** The least collateral with which a condition that rises with collateral holds. */
function findLeast(account: AccountRow, holds: () => boolean): number {
  let [low, high] = [-1e12, 1e12];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    setCollateral(account, middle);
    if (holds()) high = middle;
    else low = middle;
  }
  return high;
}

function setCollateral(account: AccountRow, amount: number): void {
  state.accounts.collateral[account] = amount as never;
}

function isRequiredMet(venueState: State, account: AccountRow): boolean {
  const health = measure(venueState, account, DEPTH.orders);
  return !health.overflow && meetsInitial(health);
}

// Goal: at the least collateral at which the filter says yes the exact check says yes. Method: the edge is found by
// halving; there a filter that is off by a unit for any exposure, sign, tier or rounding would be seen. How far it is
// from the exact edge is counted.
test("an order that the filter passes passes the exact check, at the edge of the filter", () => {
  const gaps: number[] = [];
  let refused = 0;
  fc.assert(
    fc.property(CASE, ({ holdings, market: place, isNew, side, lots, price, gone: replaces, crosses }) => {
      const account = isNew ? newcomers[place]! : alice;
      const rows = write(account, holdings);
      const market = place as MarketRow;
      const { positions } = state;
      const at = rows[place];
      const gone = { lots: 0, orderCost: 0 };
      if (replaces && at !== undefined) {
        gone.lots = (side === 0 ? positions.buys : positions.sells)[at]!;
        gone.orderCost = (side === 0 ? positions.buyOrderCost : positions.sellOrderCost)[at]!;
      }
      const book = state.books[place]!;
      book.bestAsk = (crosses && side === 0 ? 1 : 0) as never;
      book.bestBid = (crosses && side === 1 ? 1_000_000 : 0) as never;
      const terms = { side, lots: lots as never, price: price as never, reduceOnly: false };
      const rules = state.parameters[place]!;
      const orderCost = computeOrderCost(rules, side, lots as never, price as never, state.markets.mark[market]!);
      const isAmple = () => hasAmpleMargin(state, account, market, terms, orderCost, gone.lots);
      const isExact = () => checkMargin(state, account, market, terms, orderCost, gone) === undefined;
      if (at !== undefined && positions.mode[at] !== MARGIN_MODE.cross) {
        setCollateral(account, 1e12);
        expect(isAmple()).toBe(false);
        return;
      }
      const edge = findLeast(account, isAmple);
      setCollateral(account, edge);
      expect(isExact()).toBe(true);
      // Passing, it also says that the account meets its initial margin before the order.
      expect(isRequiredMet(state, account)).toBe(true);
      gaps.push(edge - findLeast(account, () => isExact() && isRequiredMet(state, account)));
      setCollateral(account, edge - 1_000_000);
      if (!isExact()) refused++;
    }),
    { numRuns: 6000, seed: 11 },
  );
  // Neither a filter far from the edge nor cases that the exact check always passes would show anything.
  expect(gaps.filter((gap) => gap <= 2).length).toBeGreaterThan(300);
  expect(refused).toBeGreaterThan(3000);
});

test("a maker that the filter passes takes the fill by the exact sums, at the edge of the filter", () => {
  let [equal, refused] = [0, 0];
  const nothing = { lots: 0, value: 0, fee: 0 };
  fc.assert(
    fc.property(CASE, ({ holdings, market, side, lots, price, fee }) => {
      const account = alice;
      const at = write(account, holdings)[market]!;
      if (state.positions.mode[at] !== MARGIN_MODE.cross) return;
      const signed = side === 0 ? lots : 0 - lots;
      const value = signed * price * state.parameters[market]!.tickLotValue;
      // With fills before it, though nothing, the exact sums are taken.
      const isExact = () => canMake(state, at, signed, value, fee, nothing);
      for (const collateral of [
        findLeast(account, () => canMake(state, at, signed, value, fee)),
        findLeast(account, isExact),
      ]) {
        for (const off of [-3, -2, -1, 0, 1, 2, 3, 400, 9_000]) {
          setCollateral(account, collateral + off);
          const exact = isExact();
          expect(canMake(state, at, signed, value, fee)).toBe(exact);
          if (exact) equal++;
          else refused++;
        }
      }
    }),
    { numRuns: 4000, seed: 12 },
  );
  expect(equal).toBeGreaterThan(10_000);
  expect(refused).toBeGreaterThan(10_000);
});

test("an account that the filter passes meets its initial margin, at the edge of the filter", () => {
  let below = 0;
  fc.assert(
    fc.property(CASE, ({ holdings, market }) => {
      const account = alice;
      const at = write(account, holdings)[market]!;
      if (state.positions.mode[at] !== MARGIN_MODE.cross) return;
      const edge = findLeast(account, () => isRequiredMet(state, account));
      for (const off of [-5_000, -3, -2, -1, 0, 1, 2, 3, 5_000]) {
        setCollateral(account, edge + off);
        const isBelow = getRequiredBefore(state, at) !== NOT_BELOW;
        expect(isBelow).toBe(!isRequiredMet(state, account));
        if (isBelow) below++;
      }
    }),
    { numRuns: 4000, seed: 13 },
  );
  expect(below).toBeGreaterThan(3_000);
});

// Sums beyond what a number holds exactly are never answered by the filter, however large the collateral.
test("an account of sums out of range is left to the exact check", () => {
  const [at] = write(alice, fc.sample(HOLDING, { numRuns: COUNT, seed: 5 }));
  const { positions } = state;
  positions.mode[at!] = MARGIN_MODE.cross;
  positions.signedLots[at!] = 1 as never;
  positions.cost[at!] = -1_000_000 as never;
  setCollateral(alice, 9e15);
  const terms = { side: 0, lots: 1 as never, price: 1 as never, reduceOnly: false };
  expect(checkMargin(state, alice, 0 as MarketRow, terms, 0)).toMatchObject({ code: "NUMERIC_LIMIT" });
  expect(hasAmpleMargin(state, alice, 0 as MarketRow, terms, 0)).toBe(false);
});
