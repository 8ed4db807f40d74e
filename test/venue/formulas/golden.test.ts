import { describe, expect, test } from "vitest";
import { computeFundingRate, computePremium } from "../../../src/venue/formulas/funding.ts";
import {
  computeBankruptcyPrice,
  computeBankruptcyPrices,
  computeLiquidationPrice,
} from "../../../src/venue/formulas/liquidation.ts";
import { computeMargin, computeOpenInterestRate } from "../../../src/venue/formulas/margin.ts";
import { readMarket } from "../../../src/venue/formulas/market.ts";

/** A market with one tier: initial rate twice the maintenance rate, and a clamp below it. */
const oneTier = (maintenance: string, initial: string) =>
  readMarket({
    tickSize: "0.01",
    lotSize: "0.001",
    tier1: `0 ${initial} ${maintenance}`,
    tier2: "",
    markClamp: "0.001",
  });

const five = oneTier("0.05", "0.1");

// Numbers that venues print in their own documentation, at the digits that they print.
describe("liquidation prices of the venues' own documents", () => {
  test.each([
    {
      source: "dYdX v4 documentation, liquidations: one short",
      market: five,
      position: { equity: "1000", size: "-3", mark: "3000" },
      printed: "3174.60",
    },
    {
      source: "dYdX v4 documentation, liquidations: a short next to 1000 STRK at 1.75 with 10 % maintenance",
      market: five,
      position: { equity: "1000", size: "-1.5", mark: "3000", maintenanceOfOthers: "175" },
      printed: "3380.95",
    },
    {
      source: "MetaMask core issue 9968, isolated on Hyperliquid",
      market: oneTier("0.02", "0.04"),
      position: { equity: "375", size: "1.5", mark: "2500" },
      printed: "2295.918",
    },
    {
      source: "Hyperliquid margin tiers of BTC (40x to 150 M, 20x above): 250 M long with 8 M",
      market: readMarket(),
      position: { equity: "8000000", size: "2500", mark: "100000" },
      printed: "98512.82",
    },
  ])("$source: $printed", ({ market, position, printed }) => {
    const price = computeLiquidationPrice(market, position);
    const digits = printed.split(".")[1]!.length;
    expect(Number(price)).toBeCloseTo(Number(printed), digits);
  });
});

test("the deduction of Hyperliquid's second BTC tier is 1.875 M", () => {
  // 250 M at 2.5 % less what maintenance is.
  expect(Number(computeMargin(readMarket(), { size: "2500", mark: "100000" }).maintenance)).toBe(
    250e6 * 0.025 - 1.875e6,
  );
});

// Vega's specification, margin calculator: slippage factor and risk factor of one contract add up to a maintenance
// rate. Its second figure (a slippage factor of 100, that is a rate above 100 %) and its disposal in parts of at most
// 100 have no counterpart here.
test("Vega's example: a short of 1 at 15,900 with slippage 0.25 and risk factor 0.1 maintains 5,565", () => {
  expect(computeMargin(oneTier("0.35", "0.7"), { size: "-1", mark: "15900" }).maintenance).toBe("5565");
});

// Inputs of Dango's example 7; its own formula is another one (whole equity over one position) and is not followed.
describe("bankruptcy prices of a margin account with 3065 of equity, 10 ETH at 1900 and 1 BTC at 47000, maintenance 5 %", () => {
  const held = [
    { market: five, size: "10", mark: "1900" },
    { market: five, size: "1", mark: "47000" },
  ];

  test("are 1811.765 and 44817.348", () => {
    const [eth, btc] = computeBankruptcyPrices("3065", held);
    expect(Number(eth!.price)).toBeCloseTo(1811.765, 3);
    expect(Number(btc!.price)).toBeCloseTo(44_817.348, 3);
  });

  test("leave equity / maintenance at 0.928788 when a tenth of a BTC is closed at its own", () => {
    const bankruptcy = Number(computeBankruptcyPrices("3065", held)[1]!.price);
    const equity = 3065 + 0.1 * (bankruptcy - 47_000);
    const maintenance = 0.05 * (19_000 + 0.9 * 47_000);
    expect(3065 / 3300).toBeCloseTo(0.928_788, 6);
    expect(equity / maintenance).toBeCloseTo(0.928_788, 6);
  });

  test("leave exactly nothing when everything is closed at them", () => {
    const values = computeBankruptcyPrices("3065", held).map(({ value }) => Number(value));
    expect(3065 - (19_000 - values[0]!) - (47_000 - values[1]!)).toBeCloseTo(0, 6);
  });

  test("are the bankruptcy price where one position is alone", () => {
    expect(computeBankruptcyPrice(five, { equity: "1000", size: "-4", mark: "3000" })).toEqual({
      value: "-13000",
      price: "3250",
    });
    expect(computeBankruptcyPrice(five, { equity: "9000", size: "2", mark: "3000" })).toEqual({
      value: "-3000",
      price: "-1500",
    });
  });
});

test("Hyperliquid's funding example: an impact bid of 10,100 over 10,000 pays 0.95 % in 8 hours", () => {
  const market = readMarket({ fundingInterval: "28800000" });
  const premium = computePremium(market, { index: "10000", bids: [["10100", "10"]], asks: [["10200", "10"]] });
  expect(premium).toBe("0.01");
  expect(computeFundingRate(market, [premium])).toBe("0.0095");
});

test("dYdX's small open-interest caps, 20 M and 50 M: half way, half of what was left is asked for", () => {
  const caps = { base: "0.1", lower: "20000000", upper: "50000000" };
  expect(computeOpenInterestRate({ ...caps, openNotional: "35000000" })).toBe("0.55");
  expect(computeOpenInterestRate({ ...caps, openNotional: "50000000" })).toBe("1");
  expect(computeOpenInterestRate({ ...caps, openNotional: "20000000" })).toBe("0.1");
});
