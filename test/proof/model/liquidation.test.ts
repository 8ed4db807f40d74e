import { expect, test } from "vitest";
import { createModel } from "../../../src/proof/model/createModel.ts";
import { computePeriodRate } from "../../../src/proof/model/funding/rate.ts";
import {
  computeBankruptcyValues,
  computeChunk,
  computeFillableTicks,
  computeLimitTicks,
  computeLossShares,
  computeSlippedTicks,
  Slices,
} from "../../../src/proof/model/liquidation/bankruptcyValue.ts";
import { maintenanceOf, valueAt } from "../../../src/proof/model/margin/valuation.ts";
import { createMarket } from "../../../src/proof/model/market/createMarket.ts";
import { readParameters } from "../../../src/proof/model/market/parameters.ts";
import type { Market } from "../../../src/proof/model/state.ts";
import { createGenesis } from "../../../src/protocol/genesis.ts";
import type { ParameterTexts } from "../../../src/protocol/parameters.ts";

const usd = (value: number) => BigInt(Math.round(value * 1e6));
const price = (value: number) => BigInt(Math.round(value * 1e8));

function marketWith(texts: ParameterTexts): Market {
  const parameters = readParameters("linear", texts);
  if (parameters === undefined) throw new Error("refused");
  return createMarket(createModel(createGenesis()).state, "TEST", parameters);
}

// The worked example of docs/spec/liquidation.md, with inputs of Dango's example 7.
test("bankruptcy values take equity pro rata to maintenance, to the unit", () => {
  const eth = { value: usd(19_000), maintenance: usd(950) };
  const btc = { value: usd(47_000), maintenance: usd(2_350) };
  const values = computeBankruptcyValues(usd(3_065), [btc, eth]);
  expect(values).toEqual([usd(44_817.348485), usd(18_117.651515)]);
  expect(values.reduce((sum, value) => sum + value, 0n)).toBe(usd(19_000 + 47_000 - 3_065));
});

test("a bankruptcy value may be negative", () => {
  expect(computeBankruptcyValues(usd(9_000), [{ value: usd(6_000), maintenance: usd(300) }])).toEqual([usd(-3_000)]);
});

test("closing a part at the bankruptcy price leaves equity over maintenance as it was", () => {
  const bankruptcy = new Slices(usd(44_817.348485), 1_000n);
  const tenth = bankruptcy.take(100n);
  expect(tenth).toBe(usd(4_481.734849));
  const equity = usd(3_065) + tenth - usd(4_700);
  const maintenance = usd(950 + 2_115);
  // 3065 / 3300 = 0.928788, up to the unit that the slice was rounded up by
  expect((equity * 1_000_000n) / maintenance).toBe(928_787n);
  expect((usd(3_065) * 1_000_000n) / usd(3_300)).toBe(928_787n);
});

test("slices round up for the liquidated account and add up", () => {
  const bankruptcy = new Slices(10n, 3n);
  expect([bankruptcy.take(1n), bankruptcy.take(1n), bankruptcy.take(1n)]).toEqual([4n, 3n, 3n]);
  const paid = new Slices(-10n, 3n);
  expect([paid.take(1n), paid.take(1n), paid.take(1n)]).toEqual([-3n, -3n, -4n]);
});

// The cases of scenarios/liquidation/the-fillable-price.yaml: ten at a tick of a cent and a lot of a cent.
test.each([
  { mark: 94, equity: 40, limit: 9_295n },
  { mark: 93.5, equity: 35, limit: 9_174n },
  { mark: 91, equity: 10, limit: 8_568n },
])("the fillable limit at $mark with equity $equity is $limit", ({ mark, equity, limit }) => {
  const part = { notional: usd(mark * 10), maintenance: usd(mark / 2) };
  const health = { equity: usd(equity), maintenance: usd(mark / 2) };
  expect(computeFillableTicks({ sells: true, perTick: 1_000n * 100n, part, health })).toBe(limit);
});

test("limits are rounded in favour of the liquidated account", () => {
  expect(computeLimitTicks(901n, 10n, 1n, true)).toBe(91n);
  expect(computeLimitTicks(-901n, 10n, 1n, false)).toBe(90n);
  expect(computeSlippedTicks(price(89), 1_000_000n, true, 5_000n)).toBe(8_856n);
  expect(computeSlippedTicks(price(89), 1_000_000n, false, 5_000n)).toBe(8_944n);
  expect([computeChunk(-1_001n, 200_000n), computeChunk(1n, 1n)]).toEqual([201n, 1n]);
});

test("a loss is shared pro rata, rounded down, and never beyond the surplus", () => {
  expect(computeLossShares(usd(1), [usd(1), usd(1), usd(1)])).toEqual([333_333n, 333_333n, 333_333n]);
  expect(computeLossShares(usd(10), [usd(3), usd(6)])).toEqual([usd(3), usd(6)]);
  expect(computeLossShares(usd(50), [usd(56), usd(59)])).toEqual([usd(24.347826), usd(25.652173)]);
  expect(computeLossShares(usd(50), [0n])).toEqual([0n]);
});

// Printed by the venues: dYdX v4's documentation, Hyperliquid's examples, tiers of Hyperliquid's Bitcoin market.
test.each([
  {
    venue: "dYdX",
    tiers: ["0 0.1 0.05"],
    size: -3,
    mark: 3_000,
    equity: 1_000,
    due: 3_174.60317434,
    not: 3_174.60317433,
  },
  {
    venue: "Hyperliquid",
    tiers: ["0 0.04 0.02"],
    size: 1.5,
    mark: 2_500,
    equity: 375,
    due: 2_295.9183,
    not: 2_295.9184,
  },
  {
    venue: "Hyperliquid's tiers",
    tiers: ["0 0.025 0.0125", "150000000 0.05 0.025"],
    size: 2_500,
    mark: 100_000,
    equity: 8_000_000,
    due: 98_512.82,
    not: 98_512.83,
  },
])("$venue liquidates at $due and not at $not", ({ tiers, size, mark, equity, due, not }) => {
  const [tier1 = "", tier2 = ""] = tiers;
  const market = marketWith({ lotSize: "0.001", minSize: "0.001", markClamp: "0.001", tier1, tier2 });
  const lots = BigInt(Math.round(size * 1_000));
  const lacks = (at: number) => {
    market.mark = price(at);
    const gained = valueAt(market, lots, market.mark) - valueAt(market, lots, price(mark));
    return usd(equity) + gained < maintenanceOf(market, lots);
  };
  expect([lacks(due), lacks(not)]).toEqual([true, false]);
});

test("Hyperliquid's example: a premium of 1 % makes 0.95 % for 8 h", () => {
  expect(computePeriodRate(marketWith({}).parameters, 10_000_000n)).toBe(9_500_000n);
});
