import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatDecimal } from "../../../../src/ground/math/decimal.ts";
import { type Amount, LIMIT, type Lots, type PriceE8 } from "../../../../src/ground/math/fixed.ts";
import { isParameterFault } from "../../../../src/protocol/parameterFault.ts";
import type { MarketParameters } from "../../../../src/protocol/parameters.ts";
import { readMarketParameters } from "../../../../src/protocol/readParameters.ts";
import { computeFree, measure } from "../../../../src/venue/engine/margin/health.ts";
import { getLiquidationPrice } from "../../../../src/venue/engine/margin/liquidationPrice.ts";
import { forkState } from "../../../../src/venue/engine/state/forkState.ts";
import type { PositionRow } from "../../../../src/venue/engine/state/schema.ts";
import {
  computeInitial,
  computeInitialBig,
  computeMaintenance,
  computeMaintenanceBig,
  computeMarkedValue,
  computeMarkedValueBig,
  computeNotional,
  computeNotionalBig,
} from "../../../../src/venue/engine/valuation/notional.ts";
import { TestVenue, type VenueOptions } from "../../../helpers/venue.ts";
import {
  type ExactTier,
  exactHealth,
  exactInitial,
  exactMaintenance,
  exactNotional,
  exactValue,
} from "../../../reference/exactMargin.ts";

function rules(texts: Record<string, string>): MarketParameters {
  const read = readMarketParameters("linear", { markMethod: "reported", ...texts });
  if (isParameterFault(read)) throw new Error(`${read.parameter}: ${read.reason}`);
  return read;
}

const exactTiers = (parameters: MarketParameters): ExactTier[] =>
  parameters.tiers.map(({ from, initialRate, maintenanceRate }) => ({
    from: BigInt(from),
    initial: BigInt(initialRate),
    maintenance: BigInt(maintenanceRate),
  }));

const shapes = [
  rules({}),
  rules({
    tickSize: "0.01",
    lotSize: "0.0001",
    tier1: "0 0.02 0.01",
    tier2: "1000 0.04 0.02",
    tier3: "50000.5 0.1 0.05",
  }),
  rules({ tickSize: "0.1", lotSize: "0.003", tier1: "0 0.333333 0.111111", tier2: "77.777777 0.5 0.25" }),
  rules({ tickSize: "0.00000001", lotSize: "100", positionLimit: "90000000", tier2: "" }),
  rules({ tickSize: "1", lotSize: "1000", positionLimit: "90000000", tier2: "" }),
];

// Goal: the short paths, the paths over Dekker products and the wide ones are one function. Method: any size and price
// up to where a result is storable, against plain bigint; beyond it NaN, and the wide function exact.
test("value, notional and margins are exact, or NaN if out of range", () => {
  const shape = fc.constantFrom(...shapes);
  const lots = fc.oneof(fc.integer({ min: -10_000, max: 10_000 }), fc.integer({ min: -LIMIT, max: LIMIT }));
  const price = fc.oneof(
    fc.integer({ min: 1, max: 1e13 }),
    fc.integer({ min: 1, max: 200 }),
    fc.integer({ min: 1, max: LIMIT }),
  );
  const leverage = fc.integer({ min: 0, max: 40 });
  const storable = (value: bigint) => (value <= BigInt(LIMIT) && value >= -BigInt(LIMIT) ? Number(value) : Number.NaN);
  fc.assert(
    fc.property(shape, lots, price, leverage, (parameters, size, at, chosen) => {
      fc.pre(at * parameters.lotNumerator <= LIMIT);
      const base = BigInt(size) * BigInt(parameters.lotSize);
      const notional = exactNotional(base, BigInt(at));
      const value = exactValue(base, BigInt(at));
      const tiers = exactTiers(parameters);
      expect(computeNotional(parameters, size as Lots, at as PriceE8)).toBe(storable(notional));
      expect(computeMarkedValue(parameters, size as Lots, at as PriceE8) + 0).toBe(storable(value));
      expect(computeNotionalBig(parameters, size as Lots, at as PriceE8)).toBe(notional);
      expect(computeMarkedValueBig(parameters, size as Lots, at as PriceE8)).toBe(value);
      expect(computeMaintenanceBig(parameters, notional)).toBe(exactMaintenance(notional, tiers));
      expect(computeInitialBig(parameters, notional, chosen)).toBe(exactInitial(notional, tiers, BigInt(chosen)));
      if (notional > BigInt(LIMIT)) return;
      const amount = Number(notional) as Amount;
      expect(computeMaintenance(parameters, amount)).toBe(Number(exactMaintenance(notional, tiers)));
      expect(computeInitial(parameters, amount, chosen)).toBe(Number(exactInitial(notional, tiers, BigInt(chosen))));
    }),
    { numRuns: 2000 },
  );
});

describe("tiers (MRG-1)", () => {
  const usd = (amount: number) => (amount * 1e6) as Amount;

  test("the reference market deducts 1.875 M above 150 M", () => {
    const linear = rules({});
    expect(linear.tiers[1]!.maintenanceDeduction).toBe(1_875_000e6);
    expect(computeMaintenance(linear, usd(250e6))).toBe(4_375_000e6);
    expect(computeInitial(linear, usd(250e6), 0)).toBe(8_750_000e6);
  });

  test("margins are continuous at every bound, and never fall as notional grows", () => {
    for (const parameters of shapes) {
      for (const { from } of parameters.tiers.slice(1)) {
        const around = [-2, -1, 0, 1, 2].map((off) => (from + off) as Amount);
        for (const compute of [computeMaintenance, (p: MarketParameters, n: Amount) => computeInitial(p, n, 0)]) {
          const steps = around.map((notional) => compute(parameters, notional));
          for (let at = 1; at < steps.length; at++) {
            expect(steps[at]! - steps[at - 1]!).toBeGreaterThanOrEqual(0);
            expect(steps[at]! - steps[at - 1]!).toBeLessThanOrEqual(2);
          }
        }
      }
    }
  });

  test("a chosen leverage below the tier's needs more margin, and none needs less", () => {
    const linear = rules({});
    expect(computeInitial(linear, usd(1000), 10)).toBe(usd(100));
    expect(computeInitial(linear, usd(1000), 40)).toBe(usd(25));
    // At 250 M the tier asks for 8.75 M, which is more than a fortieth.
    expect(computeInitial(linear, usd(250e6), 40)).toBe(usd(8.75e6));
  });
});

describe("open orders (MRG-3)", () => {
  const open = (options: VenueOptions = {}) =>
    new TestVenue({ accounts: { alice: "10000", bob: "100000" }, prices: { TEST: "100" }, ...options });

  test("reserve the worse side, not the sum", () => {
    const v = open();
    v.do(v.buy("alice", "10", "100"), v.sell("alice", "6", "101"));
    expect(v.health("alice").initial).toBe(100e6);
    v.do(v.sell("bob", "8", "100"));
    // Long 8 with buys of 2 and sells of 6: |10| on one side, |2| on the other.
    expect(v.health("alice").initial).toBe(100e6);
    v.do(v.sell("alice", "20", "101"));
    expect(v.health("alice").initial).toBe(180e6);
  });

  test("reserve their immediate loss against the mark, fixed when they enter", () => {
    const v = open();
    const id = v.place(v.buy("alice", "10", "110"));
    expect(v.health("alice").initial).toBe(100e6 + 100e6);
    v.do(v.price("105"));
    expect(v.health("alice").initial).toBe(105e6 + 100e6);
    // A smaller order keeps its part of the charge.
    v.do(v.amend("alice", id, { size: "3" }));
    expect(v.health("alice").initial).toBe(31.5e6 + 30e6);
    v.do(v.cancel("alice", id));
    expect(v.health("alice").initial).toBe(0);
  });
});

// Goal: what the engine keeps incrementally is what the rules say from scratch. Method: random trading in three markets
// of different shapes, then every account against the exact twin; marks that pass what is storable included.
test("health of accounts in several markets equals an exact computation, also out of range", () => {
  const markets = {
    A: { tickSize: "0.01", lotSize: "0.001", minSize: "0.001", tier2: "5000 0.2 0.1" },
    B: { tickSize: "1", lotSize: "0.0003", minSize: "0.0003", positionLimit: "1" },
    C: { tickSize: "0.5", lotSize: "2", minSize: "2" },
  };
  const step = fc.record({
    market: fc.constantFrom("A", "B", "C"),
    who: fc.constantFrom("alice", "bob"),
    buys: fc.boolean(),
    lots: fc.integer({ min: 1, max: 400 }),
    off: fc.integer({ min: -6, max: 6 }),
    leverage: fc.integer({ min: 0, max: 10 }),
  });
  const pasts = fc.record({
    steps: fc.array(step, { minLength: 3, maxLength: 14 }),
    marks: fc.tuple(
      fc.integer({ min: 1, max: 1e12 }),
      fc.integer({ min: 1, max: 1e12 }),
      fc.integer({ min: 1, max: 1e12 }),
    ),
    funding: fc.integer({ min: -900_000, max: 900_000 }),
    huge: fc.boolean(),
  });
  let overflow = 0;
  fc.assert(
    fc.property(pasts, ({ steps, marks, funding, huge }) => {
      const v = new TestVenue({
        markets,
        accounts: { alice: "1000000", bob: "1000000" },
        prices: { A: "100", B: "50000", C: "7" },
      });
      const mid = { A: 10_000, B: 50_000, C: 14 };
      for (const { market, who, buys, lots, off, leverage } of steps) {
        const { tickSize, lotSize } = v.state.parameters[v.marketRow(market)]!;
        const size = formatDecimal(lots * lotSize, 8);
        const at = formatDecimal(
          (mid[market as keyof typeof mid] + (market === "C" ? Math.sign(off) : off)) * tickSize,
          8,
        );
        v.run(v.order(who, buys ? "buy" : "sell", size, at, { market }));
        if (leverage > 0) v.run(v.leverage(who, leverage, market));
      }
      v.do(v.price("100", { market: "A", funding: formatDecimal(funding, 9) }));
      // Marks as they come, put in from outside: the risk pass is not asked.
      const state = forkState(v.state);
      const names = ["A", "B", "C"];
      names.forEach((name, place) => {
        const most = state.parameters[v.marketRow(name)]!.priceMost;
        const mark = huge ? most : Math.min(most, marks[place]!);
        const row = v.marketRow(name);
        const parameters = state.parameters[row]!;
        state.markets.mark[row] = mark as PriceE8;
        const scaled = mark * parameters.lotNumerator;
        state.markets.lotWhole[row] = Math.floor(scaled / parameters.lotDenominator);
        state.markets.lotRest[row] = scaled % parameters.lotDenominator;
      });
      if (huge) {
        // Sizes that no venue would let grow, so that sums pass what is storable.
        for (let at = 0; at < state.positions.rows.high; at++) {
          const row = at as PositionRow;
          state.positions.signedLots[row] = (state.positions.signedLots[row]! * 1e8) as Lots;
        }
      }
      for (const name of ["alice", "bob"]) {
        const collateral = state.accounts.collateral[v.row(name)]!;
        const holdings = names.flatMap((market) => {
          const at = v.positionRow(name, market);
          if (at === -1) return [];
          const { positions, markets: columns } = state;
          const row = v.marketRow(market);
          const parameters = state.parameters[row]!;
          const lot = BigInt(parameters.lotSize);
          const move =
            BigInt(columns.fundingHigh[row]!) * 2n ** 32n +
            BigInt(columns.fundingLow[row]!) -
            BigInt(positions.fundingHigh[at]!) * 2n ** 32n -
            BigInt(positions.fundingLow[at]!);
          const owed = BigInt(positions.signedLots[at]!) * move - BigInt(positions.fundingRemainder[at]!);
          return [
            {
              size: BigInt(positions.signedLots[at]!) * lot,
              mark: BigInt(columns.mark[row]!),
              cost: BigInt(positions.cost[at]!),
              funding: owed > 0n ? (owed + 999_999_999n) / 1_000_000_000n : owed / 1_000_000_000n,
              leverage: BigInt(positions.leverage[at]!),
              buys: BigInt(positions.buys[at]!) * lot,
              sells: BigInt(positions.sells[at]!) * lot,
              buyOrderCost: BigInt(positions.buyOrderCost[at]!),
              sellOrderCost: BigInt(positions.sellOrderCost[at]!),
              tiers: exactTiers(parameters),
            },
          ];
        });
        const exact = exactHealth(BigInt(collateral), holdings);
        const health = measure(state, v.row(name));
        if (health.overflow) overflow++;
        const measured = health.overflow
          ? [health.bigEquity, health.bigMaintenance, health.bigPositionInitial, health.bigInitial, health.bigNotional]
          : [health.equity, health.maintenance, health.positionInitial, health.initial, health.notional].map(BigInt);
        expect(measured).toEqual([
          exact.equity,
          exact.maintenance,
          exact.positionInitial,
          exact.initial,
          exact.notional,
        ]);
        const free = computeFree(collateral, health);
        if (!health.overflow) expect(BigInt(free)).toBe(exact.free);
        else expect(free <= 0 || BigInt(free) === exact.free).toBe(true);
      }
    }),
    { numRuns: 50, seed: 20_250_924 },
  );
  expect(overflow).toBeGreaterThan(5);
});

describe("liquidation price (MRG-6)", () => {
  const text = (price: number | undefined) => (price === undefined ? "none" : formatDecimal(price, 8));
  const priceOf = (v: TestVenue, who: string, market?: string) =>
    getLiquidationPrice(v.state, v.positionRow(who, market));

  // The formula has no rounding; maintenance margin is rounded up to a quote unit, which is worth 1e-6 / size in price.
  const expectNear = (price: number | undefined, formula: number) => {
    expect(Math.abs(price! / 1e8 - formula)).toBeLessThan(1e-6);
  };

  test("a short of 3 at 3,000 with 1,000 at 5 %: 3,174.60", () => {
    const v = new TestVenue({ accounts: { alice: "1000", bob: "100000" }, prices: { TEST: "3000" } });
    v.do(v.buy("bob", "3", "3000"), v.sell("alice", "3", "3000"));
    // 10,000 / 3.15 = 3174.603174603...
    expectNear(priceOf(v, "alice"), 10_000 / 3.15);
  });

  test("cross: a short of 1.5 at 3,000 next to 1,000 at 1.75 at 10 %, with 1,000: 3,380.95", () => {
    const v = new TestVenue({
      markets: {
        ETH: { lotSize: "0.1", minSize: "0.1" },
        STRK: { tickSize: "0.01", tier1: "0 0.2 0.1" },
      },
      accounts: { alice: "1000", bob: "100000" },
      prices: { ETH: "3000", STRK: "1.75" },
    });
    const strk = { market: "STRK" };
    v.do(v.buy("bob", "1.5", "3000"), v.sell("alice", "1.5", "3000"));
    v.do(v.sell("bob", "1000", "1.75", strk), v.buy("alice", "1000", "1.75", strk));
    // (1000 + 4500 - 175) / 1.575 = 3380.952380952...
    expectNear(priceOf(v, "alice", "ETH"), 5325 / 1.575);
  });

  test("a long of 1.5 at 2,500 with 375 at 2 %: 2,295.918", () => {
    const v = new TestVenue({
      markets: { TEST: { lotSize: "0.1", minSize: "0.1", tier1: "0 0.04 0.02" } },
      accounts: { alice: "375", bob: "100000" },
      prices: { TEST: "2500" },
    });
    v.do(v.sell("bob", "1.5", "2500"), v.buy("alice", "1.5", "2500"));
    // 3375 / 1.47 = 2295.91836734...
    expectNear(priceOf(v, "alice"), 3375 / 1.47);
  });

  test("in the second tier: 2,500 at 100,000 with 8 M of equity: 98,512.82", () => {
    const v = new TestVenue({
      markets: {
        TEST: {
          preset: "linear",
          markMethod: "reported",
          fundingMethod: "reported",
          takerFee: "0",
          makerFee: "0",
          maxSize: "5000",
          positionLimit: "5000",
        },
      },
      accounts: { alice: "9000000", bob: "100000000" },
      prices: { TEST: "100000" },
    });
    v.do(v.sell("bob", "2500", "100000"), v.buy("alice", "2500", "100000"));
    // With 8 M: 2,500 p - 250 M + 8 M = 62.5 p - 1.875 M, so p = 240.125 M / 2437.5.
    const state = forkState(v.state);
    state.accounts.collateral[v.row("alice")] = 8e12 as Amount;
    expectNear(getLiquidationPrice(state, v.positionRow("alice")), 240_125_000 / 2437.5);
  });

  test("none without a position, for a fully paid long, for a short whose price is out of reach", () => {
    const v = new TestVenue({ accounts: { alice: "100000", bob: "89000000" }, prices: { TEST: "100" } });
    v.do(v.sell("bob", "10", "100"), v.buy("alice", "10", "100"));
    expect(text(priceOf(v, "alice"))).toBe("none");
    expect(text(priceOf(v, "bob"))).toBe("none");
    v.do(v.leverage("alice", 5), v.buy("bob", "10", "100"), v.sell("alice", "10", "100"));
    expect(text(priceOf(v, "alice"))).toBe("none");
  });

  // Goal: the price shown is the very price at which the engine liquidates. Method: run the engine one unit of price
  // before it, where nothing may happen, and at it, where it must.
  test("is the first price at which the engine liquidates", () => {
    const positions = fc.record({
      lots: fc.integer({ min: 1, max: 300 }),
      buys: fc.boolean(),
      margin: fc.integer({ min: 101, max: 300 }),
      other: fc.integer({ min: -20, max: 20 }),
    });
    fc.assert(
      fc.property(positions, ({ lots, buys, margin, other }) => {
        const v = new TestVenue({
          markets: { TEST: { lotSize: "0.01", minSize: "0.01", tier2: "150 0.2 0.1" }, MORE: {} },
          accounts: { alice: `${margin}`, bob: "100000" },
          prices: { TEST: "100", MORE: "10" },
        });
        const size = formatDecimal(lots * 1e6, 8);
        if (buys) v.run(v.sell("bob", size, "100"), v.buy("alice", size, "100", { tif: "IOC" }));
        else v.run(v.buy("bob", size, "100"), v.sell("alice", size, "100", { tif: "IOC" }));
        const more = { market: "MORE" };
        const count = `${Math.abs(other)}`;
        if (other > 0) v.run(v.sell("bob", count, "10", more), v.buy("alice", count, "10", { ...more, tif: "IOC" }));
        if (other < 0) v.run(v.buy("bob", count, "10", more), v.sell("alice", count, "10", { ...more, tif: "IOC" }));
        const found = v.lots("alice") === 0 ? undefined : priceOf(v, "alice");
        fc.pre(found !== undefined);
        const before = formatDecimal(found! + (buys ? 1 : -1), 8);
        expect(v.do(v.price(before)).of("liquidationStarted")).toEqual([]);
        expect(v.do(v.price(formatDecimal(found!, 8))).of("liquidationStarted")).toHaveLength(1);
      }),
      { numRuns: 60 },
    );
  });
});

// Judged by the larger exposure alone, the long 10, this order would pass; filled as taker at 85 it would leave equity
// 35 against the 50 that the other 5 lots need.
test("an order on the side of the smaller exposure counts with its immediate loss (MRG-3)", () => {
  const v = new TestVenue({
    markets: { TEST: { tier1: "0 0.1 0.05", priceBand: "0.2", maxSize: "1000" } },
    accounts: { alice: "110", bob: "100000" },
    prices: { TEST: "100" },
  });
  v.do(v.sell("bob", "10", "100"), v.buy("alice", "10", "100"), v.buy("bob", "5", "85"));
  expect(v.try(v.sell("alice", "5", "85"))).toBe("INSUFFICIENT_MARGIN");
});

describe("a side whose value is out of range (MRG-3, NUM-3)", () => {
  const vast = () => {
    const limits = { maxSize: "15000000", positionLimit: "15000000", openInterestLimit: "15000000" };
    const accounts = { alice: "2000000000", bob: "2000000000" };
    return new TestVenue({ markets: { BTC: { ...limits, priceBand: "1" } }, accounts, prices: { BTC: "100" } });
  };

  test("does not count as the smaller one: the order is refused", () => {
    const v = vast();
    v.do(v.sell("alice", "1", "101"));
    for (let count = 0; count < 6; count++) v.do(v.buy("alice", "15000000", "100"));
    expect(v.try(v.buy("alice", "1", "100"))).toBe("NUMERIC_LIMIT");
  });

  test("is computed to the unit if the mark took it there", () => {
    const v = vast();
    for (let count = 0; count < 5; count++) v.do(v.buy("alice", "15000000", "100"));
    v.do(v.price("150", { mark: "150" }));
    const health = measure(v.state, v.row("alice"));
    // 10 % of 75 million lots at 150.
    expect([health.overflow, health.bigInitial]).toEqual([true, 1_125_000_000_000_000n]);
  });
});
