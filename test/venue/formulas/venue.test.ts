import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NONE } from "../../../src/ground/collections/table.ts";
import { formatDecimal, parseDecimal } from "../../../src/ground/math/decimal.ts";
import { LIMIT } from "../../../src/ground/math/fixed.ts";
import { BALANCE_CAUSES, INSURANCE_CAUSES } from "../../../src/protocol/events.ts";
import { FUNDING_METHOD, ROLE, SIDE } from "../../../src/protocol/words.ts";
import { readEvents } from "../../../src/venue/engine/events/readEvents.ts";
import { getUnsettledFunding } from "../../../src/venue/engine/funding/owed.ts";
import { getImpactPrice, getPremium } from "../../../src/venue/engine/funding/premium.ts";
import { getFillableLimit } from "../../../src/venue/engine/liquidation/bookOrder.ts";
import { openMarginAccount } from "../../../src/venue/engine/liquidation/liquidatedAccount.ts";
import { rankOpposite } from "../../../src/venue/engine/liquidation/ranking.ts";
import { getReserve } from "../../../src/venue/engine/liquidation/reserve.ts";
import {
  computeFree,
  DEPTH,
  isBelowMaintenance,
  measureMarginAccount,
} from "../../../src/venue/engine/margin/health.ts";
import { forkState } from "../../../src/venue/engine/state/forkState.ts";
import type { Health } from "../../../src/venue/engine/state/health.ts";
import { getCollateral, marginAccountOf } from "../../../src/venue/engine/state/marginAccount.ts";
import type { AccountRow, MarketRow, PositionRow } from "../../../src/venue/engine/state/schema.ts";
import type { State } from "../../../src/venue/engine/state/state.ts";
import { type AccountPosition, computeAccount } from "../../../src/venue/formulas/account.ts";
import { computeGreatestFundingRate, computePremiumFromPrices } from "../../../src/venue/formulas/funding.ts";
import { computeBankruptcyPrices } from "../../../src/venue/formulas/liquidation.ts";
import {
  computeBankruptcyPriceOfPart,
  computeFillablePrice,
  computeLiquidationFill,
} from "../../../src/venue/formulas/liquidationFill.ts";
import { computeGreatestLeverage, computeMargin } from "../../../src/venue/formulas/margin.ts";
import { checkGrid, readMarket, roundPriceToGrid, roundSizeToGrid } from "../../../src/venue/formulas/market.ts";
import { computePositionAfterFill } from "../../../src/venue/formulas/position.ts";
import { computeDeleveragingOrder } from "../../../src/venue/formulas/ranking.ts";
import { runFlow } from "../../helpers/flows.ts";
import { TestVenue } from "../../helpers/venue.ts";

// Goal: a formula gives what the venue does, to the unit. Method: generated flows; after blocks each formula is asked
// what the venue itself works out, or has just done. What a text cannot hold is left out.
const amount = (value: number | bigint) => formatDecimal(value, 6);
const price = (value: number | bigint) => formatDecimal(value, 8);
const units = (text: string) => BigInt(parseDecimal(text, 6));

const sizeText = ({ parameters }: State, market: number, lots: number) =>
  formatDecimal(BigInt(lots) * BigInt(parameters[market]!.lotSize), 8);
const fitsText = ({ parameters }: State, market: number, lots: number) =>
  Math.abs(lots) * parameters[market]!.lotSize <= LIMIT;

function livePositions({ positions }: State): PositionRow[] {
  const rows = Array.from({ length: positions.rows.high }, (_, row) => row as PositionRow);
  return rows.filter((row) => positions.rows.isLive(row));
}

/** Margin accounts with a position or an order, by account and isolated position. */
function listMarginAccounts(state: State): { account: AccountRow; isolated: PositionRow; rows: PositionRow[] }[] {
  const found = new Map<string, { account: AccountRow; isolated: PositionRow; rows: PositionRow[] }>();
  for (const row of livePositions(state)) {
    const account = state.positions.account[row]!;
    const isolated = marginAccountOf(state, row);
    const key = `${account} ${isolated}`;
    const marginAccount = found.get(key) ?? { account, isolated, rows: [] };
    found.set(key, marginAccount);
    marginAccount.rows.push(row);
  }
  return [...found.values()];
}

function describePosition(state: State, at: PositionRow, withOrders: boolean): AccountPosition {
  const { positions, markets, parameters } = state;
  const market = positions.market[at]!;
  const rules = parameters[market]!;
  const leverage = positions.leverage[at]!;
  const orders = {
    buys: sizeText(state, market, positions.buys[at]!),
    sells: sizeText(state, market, positions.sells[at]!),
    buyOrderCost: amount(positions.buyOrderCost[at]!),
    sellOrderCost: amount(positions.sellOrderCost[at]!),
  };
  return {
    market: rules,
    size: sizeText(state, market, positions.signedLots[at]!),
    cost: amount(positions.cost[at]!),
    mark: price(markets.mark[market]!),
    unsettledFunding: amount(positions.signedLots[at]! === 0 ? 0 : getUnsettledFunding(state, at)),
    leverage: leverage <= rules.leverageMax ? leverage : 0,
    leastRate: formatDecimal(markets.initialRate[market]!, 6),
    ...(withOrders ? orders : {}),
  };
}

const isPlain = (state: State, rows: readonly PositionRow[], health: Health) =>
  !health.overflow &&
  rows.every((row) => {
    const market = state.positions.market[row]!;
    const reach = Math.abs(state.positions.signedLots[row]!) + state.positions.buys[row]! + state.positions.sells[row]!;
    return state.markets.mark[market]! !== 0 && fitsText(state, market, reach);
  });

function overFlows(runs: number, blocks: number, look: (state: State) => void): void {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (seed) => {
      runFlow(seed, blocks, (state) => look(state));
    }),
    { numRuns: runs },
  );
}

test("equity, margin, free collateral and liquidatability of a margin account are the venue's", () => {
  const met = { cross: 0, isolated: 0, below: 0 };
  overFlows(14, 60, (state) => {
    const { positions } = state;
    for (const { account, isolated, rows } of listMarginAccounts(state)) {
      const health = measureMarginAccount(state, account, isolated);
      // What resting orders of isolated positions reserve from cross is no position of the account's cross margin.
      if (!isPlain(state, rows, health) || health.hasIsolated) continue;
      const crossed = isolated === NONE;
      const computed = computeAccount({
        collateral: amount(getCollateral(state, account, isolated)),
        positions: rows.map((row) => describePosition(state, row, crossed)),
      });
      expect(computed).toMatchObject({
        equity: amount(health.equity),
        notional: amount(health.notional),
        positionInitial: amount(health.positionInitial),
        initial: amount(health.initial),
        maintenance: amount(health.maintenance),
        free: amount(computeFree(getCollateral(state, account, isolated), health)),
        isLiquidatable: isBelowMaintenance(health),
      });
      if (!rows.some((row) => positions.signedLots[row] !== 0)) continue;
      if (crossed) met.cross++;
      else met.isolated++;
      if (computed.isLiquidatable) met.below++;
    }
  });
  expect(Math.min(met.cross, met.isolated)).toBeGreaterThan(50);
  expect(met.below).toBeGreaterThan(3);
});

test("fillable prices and bankruptcy values, also of parts, equal those that a liquidation step fixes", () => {
  const met = { parts: 0, conceding: 0, short: 0 };
  const compare = (state: State) => {
    for (const { account, isolated, rows } of listMarginAccounts(state)) {
      const open = rows.filter((row) => state.positions.signedLots[row] !== 0);
      if (open.length === 0 || state.accounts.role[account] === ROLE.house) continue;
      if (!isPlain(state, rows, measureMarginAccount(state, account, isolated))) continue;
      const fork = forkState(state);
      const marginAccount = openMarginAccount(fork, { account, isolated, reserve: 0 }, 1);
      const health = measureMarginAccount(fork, account, isolated, DEPTH.risk);
      const held = marginAccount.positions.map(({ market, signedLots }) => ({
        market: fork.parameters[market]!,
        size: sizeText(fork, market, signedLots),
        mark: price(fork.markets.mark[market as MarketRow]!),
      }));
      const zeros = computeBankruptcyPrices(amount(health.equity), held);
      marginAccount.positions.forEach((part, place) => {
        const { market, size, mark } = held[place]!;
        met.parts++;
        if (part.signedLots < 0) met.short++;
        if (health.equity < health.maintenance) met.conceding++;
        expect(units(zeros[place]!.value)).toBe(part.bankruptcy.total);
        const fillable = computeFillablePrice(market, {
          size,
          mark,
          equity: amount(health.equity),
          maintenance: amount(health.maintenance),
        });
        expect(fillable).toBe(price(BigInt(getFillableLimit(fork, marginAccount, part)) * BigInt(market.tickSize)));
        const [first, rest] = [
          Math.ceil(part.bankruptcy.lots / 3),
          part.bankruptcy.lots - Math.ceil(part.bankruptcy.lots / 3),
        ];
        let closed = 0;
        for (const lots of [first, rest].filter((count) => count > 0)) {
          const slice = computeBankruptcyPriceOfPart(market, {
            size,
            value: zeros[place]!.value,
            part: sizeText(fork, part.market, lots),
            closed: sizeText(fork, part.market, closed),
          });
          expect(units(slice.value)).toBe(part.bankruptcy.peek(lots));
          part.bankruptcy.take(lots);
          closed += lots;
        }
      });
    }
  };
  const isLacking = () => Object.values(met).some((count) => count <= 5);
  overFlows(6, 50, compare);
  // Few accounts are below maintenance margin after a block: further flows until there were several of them.
  for (let seed = 1; seed <= 60 && isLacking(); seed++) runFlow(seed, 60, compare);
  expect(isLacking(), JSON.stringify(met)).toBe(false);
});

test("the order of deleveraging is the venue's, by every policy", () => {
  let ranked = 0;
  for (const liquidationPolicy of ["perplab", "dydx", "binance"] as const) {
    overFlows(3, 50, (state) => {
      const { positions, accounts, markets, height } = state;
      const kept = state.parameters.slice();
      state.parameters.forEach((rules, market) => {
        const policy = readMarket({ liquidationPolicy }).liquidationPolicy;
        state.parameters[market] = { ...rules, liquidationPolicy: policy };
      });
      const sides = new Set<string>();
      for (const row of livePositions(state)) {
        const market = positions.market[row]!;
        const key = `${market} ${positions.signedLots[row]! > 0}`;
        if (positions.signedLots[row] === 0 || markets.mark[market] === 0 || sides.has(key)) continue;
        sides.add(key);
        const others = rankOpposite(state, row);
        const inAnyOrder = [...others].sort((a, b) => a - b);
        const healths = inAnyOrder.map((at) => {
          const account = positions.account[at]!;
          const { equity, overflow } = measureMarginAccount(state, account, marginAccountOf(state, at), DEPTH.risk);
          return overflow || !fitsText(state, market, positions.signedLots[at]!)
            ? undefined
            : equity - getReserve(state, account);
        });
        if (healths.includes(undefined)) continue;
        const holders = inAnyOrder.map((at, place) => ({
          account: positions.account[at]! as number,
          size: sizeText(state, market, positions.signedLots[at]!),
          cost: amount(positions.cost[at]!),
          equity: amount(healths[place]!),
          house: accounts.role[positions.account[at]!] === ROLE.house,
        }));
        const order = computeDeleveragingOrder(state.parameters[market]!, holders, {
          mark: price(markets.mark[market]!),
          accounts: accounts.rows.high,
          height,
        });
        expect(order.map((place) => inAnyOrder[place])).toEqual(others);
        if (others.length > 1) ranked++;
      }
      state.parameters.splice(0, kept.length, ...kept);
    });
  }
  expect(ranked).toBeGreaterThan(50);
});

test("premiums of two prices are the venue's samples, and no interval pays more than the greatest rate", () => {
  const met = { premiums: 0, rates: 0 };
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (seed) => {
      runFlow(seed, 60, (state, _block, result) => {
        for (let market = 0 as MarketRow; market < state.markets.rows.high; market++) {
          const index = state.markets.index[market]!;
          if (index === 0) continue;
          const [bid, ask] = [getImpactPrice(state, market, SIDE.buy), getImpactPrice(state, market, SIDE.sell)];
          const premium = computePremiumFromPrices({
            index: price(index),
            ...(bid === 0 ? {} : { impactBid: price(bid) }),
            ...(ask === 0 ? {} : { impactAsk: price(ask) }),
          });
          expect(premium).toBe(formatDecimal(getPremium(state, market), 9));
          if (premium !== "0") met.premiums++;
        }
        const due = new Map<number, number>();
        for (const event of readEvents(result.events, result.from, result.to)) {
          if (event.kind === "premiumsCleared") due.set(event.market, event.due);
          if (event.kind !== "fundingAccrued" || event.due !== 0) continue;
          const rules = state.parameters[event.market]!;
          // An interval that ended in this block, with nothing due from earlier ones.
          if (rules.fundingMethod === FUNDING_METHOD.reported || due.get(event.market) !== event.rate) continue;
          met.rates++;
        }
      });
    }),
    { numRuns: 8 },
  );
  expect(Math.min(met.premiums, met.rates)).toBeGreaterThan(5);
});

test("the greatest rate is reached by a vast premium, and never passed", () => {
  for (const fundingMethod of ["hyperliquid", "dydx", "binance8h", "continuous"] as const) {
    for (const texts of [{}, { fundingCap: "0.0001" }, { fundingInterval: "600000" }, { fundingCapMargin: "0.01" }]) {
      const v = new TestVenue({
        markets: {
          TEST: {
            ...{ markMethod: "oracle", fundingMethod, impactNotional: "1", fundingPaymentMax: "9", unsafe: "1" },
            fundingBound: "0.5",
            ...texts,
          },
        },
        accounts: { bob: "100000" },
        genesis: { timeMs: 8 * 3_600_000 },
      });
      v.do(v.price("10000"));
      // A bid above the index: the premium is as high as the band lets it be.
      v.do(v.buy("bob", "1", "11900"));
      const greatest = parseDecimal(computeGreatestFundingRate(v.state.parameters[0]!), 9);
      let largest = 0;
      for (let block = 0; block < 90; block++) {
        const story = v.runAt(v.state.timeMs + 59_000, v.price("10000"));
        for (const { due } of story.of("premiumsCleared")) largest = Math.max(largest, due);
        for (const { rate } of story.of("fundingAccrued")) largest = Math.max(largest, rate);
      }
      expect(largest).toBeLessThanOrEqual(greatest);
      // Continuous funding pays for a block at a time.
      const longest = fundingMethod === "continuous" ? 59_000 : v.state.parameters[0]!.fundingInterval;
      const bound = parseDecimal(computeGreatestFundingRate(v.state.parameters[0]!, longest), 9);
      expect(bound - largest).toBeLessThanOrEqual(bound / 100 + 1);
    }
  }
});

describe("a liquidation fill", () => {
  // Goal: fee and cover of each fill are what the fund gains and pays. Method: one position, closed by several makers
  // at a recorded mark on either side of its bankruptcy price.
  test("pays the fund and is paid by it as the formula says", () => {
    const met = { fees: 0, covers: 0, short: 0 };
    fc.assert(
      fc.property(
        fc.integer({ min: 5, max: 400 }),
        fc.boolean(),
        fc.integer({ min: 0, max: 20_000 }),
        fc.integer({ min: 60, max: 120 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
        (lots, long, rate, move, makers) => {
          const v = new TestVenue({
            markets: {
              TEST: {
                lotSize: "0.000001",
                minSize: "0.000001",
                maxSize: "1000",
                positionLimit: "1000",
                liquidationFee: formatDecimal(rate, 6),
                insuranceSlippage: "0.02",
              },
            },
            accounts: { alice: amount(100 * lots), bob: "1000", carol: "1000" },
            insurance: "1000",
            prices: { TEST: "1000" },
          });
          const [open, close] = long ? (["buy", "sell"] as const) : (["sell", "buy"] as const);
          const lotsText = (count: number) => formatDecimal(count, 6);
          v.do(v[close]("bob", lotsText(lots), "1000"), v[open]("alice", lotsText(lots), "1000"));
          const mark = long ? 1000 - move : 1000 + move;
          v.do(
            ...makers.map((part, place) =>
              v[open](
                "carol",
                lotsText(Math.max(1, Math.floor((lots * part) / 10))),
                String(long ? mark - place : mark + place),
              ),
            ),
          );
          const story = v.do(v.price(String(mark)));
          const rules = v.state.parameters[0]!;
          const size = lotsText(long ? lots : -lots);
          const started = story.of("liquidationStarted");
          if (started.length === 0) return;
          const { value } = computeBankruptcyPrices(amount(started[0]!.equity), [
            { market: rules, size, mark: String(mark) },
          ])[0]!;
          let closed = 0;
          let delta = 0n;
          for (const fill of story.of("fill")) {
            const computed = computeLiquidationFill(rules, {
              size,
              value,
              part: lotsText(fill.size),
              closed: lotsText(closed),
              price: price(fill.price * rules.tickSize),
              // Before the fund steps in, an order ends at the bankruptcy price: it never needs it.
              insured: true,
            });
            expect(units(computed.value)).toBe(BigInt(fill.value));
            closed += fill.size;
            delta += units(computed.fundDelta);
            if (computed.fee !== "0") met.fees++;
            if (computed.cover !== "0") met.covers++;
            if (!long) met.short++;
          }
          const moved = story
            .of("insuranceChanged")
            .filter(({ cause }) => ["liquidationFee", "cover"].includes(INSURANCE_CAUSES[cause]!));
          expect(moved.reduce((sum, event) => sum + BigInt(event.delta), 0n)).toBe(delta);
          const fees = story.of("balanceChanged").filter(({ cause }) => BALANCE_CAUSES[cause] === "liquidationFee");
          expect(fees.length).toBe(moved.filter(({ delta: by }) => by > 0).length);
        },
      ),
      { numRuns: 150 },
    );
    for (const count of Object.values(met)) expect(count).toBeGreaterThan(20);
  });
});

// Takeovers, deleveraging and settlement close at values that are no order price.
test("a position after a fill of any value is the venue's", () => {
  let closes = 0;
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (seed) => {
      const known = new Map<string, { size: number; cost: number }>();
      runFlow(seed, 80, (state, _block, result) => {
        for (const event of readEvents(result.events, result.from, result.to)) {
          if (event.kind !== "positionChanged") continue;
          const { account, market, size, cost, realized } = event;
          const before = known.get(`${account} ${market}`) ?? { size: 0, cost: 0 };
          known.set(`${account} ${market}`, { size, cost });
          const lots = size - before.size;
          if (lots === 0 || !fitsText(state, market, Math.max(Math.abs(lots), Math.abs(before.size)))) continue;
          // cost after = cost before + value + realized (POS-2).
          const after = computePositionAfterFill(
            state.parameters[market]!,
            { size: sizeText(state, market, before.size), cost: amount(before.cost) },
            { size: sizeText(state, market, lots), value: amount(cost - before.cost - realized) },
          );
          expect(after).toMatchObject({
            size: sizeText(state, market, size),
            cost: amount(cost),
            realizedPnl: amount(realized),
          });
          closes++;
        }
      });
    }),
    { numRuns: 10 },
  );
  expect(closes).toBeGreaterThan(200);
});

test("the greatest leverage has an effect, and one more has none", () => {
  const markets = ["linear", "binance", "dydx", "hyperliquid", "thin"].map((name) => readMarket({}, name as never));
  fc.assert(
    fc.property(
      fc.constantFrom(...markets),
      fc.integer({ min: 1, max: 5_000_000 }),
      fc.integer({ min: 0, max: 1_000_000 }),
      (market, lots, least) => {
        const lotStep = market.lotSize;
        const position = {
          size: formatDecimal(BigInt(lots) * BigInt(lotStep), 8),
          mark: "60000",
          leastRate: formatDecimal(least, 6),
        };
        const greatest = computeGreatestLeverage(market, position);
        expect(greatest).toBeLessThanOrEqual(Math.max(1, market.leverageMax));
        const initial = (leverage: number) => units(computeMargin(market, { ...position, leverage }).initial);
        // Notional over the greatest is at least what tier and open interest ask for; over one more it is less.
        const notional = units(computeMargin(market, position).notional);
        if (greatest > 0) expect(notional / BigInt(greatest)).toBeGreaterThanOrEqual(initial(0));
        expect(notional / BigInt(greatest + 1)).toBeLessThan(initial(0));
        if (greatest < market.leverageMax) expect(initial(greatest + 1)).toBe(initial(0));
      },
    ),
  );
});

test("prices and sizes round to the grid, and lie on it then", () => {
  const market = readMarket({ tickSize: "0.3", lotSize: "0.001", minSize: "0.001", minNotional: "0" });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 ** 12 }), fc.boolean(), (step, negative) => {
      const text = price(step);
      const [low, high] = [roundPriceToGrid(market, text, "down"), roundPriceToGrid(market, text, "up")];
      expect(parseDecimal(low, 8)).toBeLessThanOrEqual(step);
      expect(parseDecimal(high, 8)).toBeGreaterThanOrEqual(step);
      expect(parseDecimal(high, 8) - parseDecimal(low, 8)).toBe(low === text ? 0 : 30_000_000);
      expect(checkGrid(market, { price: high, size: "1" })).toBeUndefined();
      const signed = negative ? `-${text}` : text;
      const [down, up] = [roundSizeToGrid(market, signed, "down"), roundSizeToGrid(market, signed, "up")];
      const [small, large] = [Math.abs(parseDecimal(down, 8)), Math.abs(parseDecimal(up, 8))];
      expect([small <= step, large >= step, large - small]).toEqual([true, true, small === step ? 0 : 100_000]);
      if (small !== 0) expect(parseDecimal(down, 8) < 0).toBe(negative);
    }),
  );
});
