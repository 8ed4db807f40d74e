import { describe, expect, test } from "vitest";
import { TOTAL } from "../../../../src/venue/engine/state/totals.ts";
import { computeBankruptcyPrice, computeBankruptcyPrices } from "../../../../src/venue/formulas/liquidation.ts";
import { readMarket } from "../../../../src/venue/formulas/market.ts";
import { TestVenue } from "../../../helpers/venue.ts";

// Goal: figures that other venues print for their own liquidations, where their rule is ours. Source of the figures:
// the sixteen worked examples of the Dango exchange, left-curve/left-curve at 1ed97d4, dango/testing/tests/perps/
// liquidation_spec.rs. Ten ETH opened at 2,000 with maintenance 5 %; examples 9 to 16 are 1 to 8 with the sides
// swapped.

const market = readMarket({
  tickSize: "0.01",
  lotSize: "0.001",
  tier1: "0 0.1 0.05",
  tier2: "",
  markClamp: "0.001",
});

describe("a single position is worth its equity at the price printed", () => {
  test.each([
    { examples: "1, 2, 3", equity: "180", size: "10", mark: "1800", price: "1782" },
    { examples: "4, 5, 6", equity: "-200", size: "10", mark: "1700", price: "1720" },
    { examples: "9, 10, 11", equity: "220", size: "-10", mark: "2200", price: "2222" },
    { examples: "12, 13, 14", equity: "-200", size: "-10", mark: "2300", price: "2280" },
  ])("examples $examples: $price", ({ price, ...position }) => {
    expect(computeBankruptcyPrice(market, position).price).toBe(price);
  });
});

// Their price for one of two positions puts the whole equity on it (43,935, 44,935, 56,435, 55,435), so that the second
// depends on the order. Ours shares equity out by maintenance (LIQ); both close the margin account at exactly nothing.
describe("two positions closed at their bankruptcy prices leave nothing", () => {
  test.each([
    { example: 7, equity: 3065, eth: "1900", btc: "47000", sign: 1 },
    { example: 8, equity: -935, eth: "1800", btc: "44000", sign: 1 },
    { example: 15, equity: 3435, eth: "2100", btc: "53000", sign: -1 },
    { example: 16, equity: -565, eth: "2200", btc: "56000", sign: -1 },
  ])("example $example", ({ equity, eth, btc, sign }) => {
    const held = [
      { market, size: String(10 * sign), mark: eth },
      { market, size: String(sign), mark: btc },
    ];
    const values = computeBankruptcyPrices(String(equity), held).map(({ value }) => Number(value));
    const marked = sign * (10 * Number(eth) + Number(btc));
    expect(equity + values[0]! + values[1]! - marked).toBeCloseTo(0, 5);
  });
});

describe("a margin account without equity", () => {
  const cases = [
    { example: 4, side: "long", mark: "1700", book: 10, fund: 1800_000_000n, bob: ["10000", -10] },
    { example: 5, side: "long", mark: "1700", book: 4, fund: 1920_000_000n, bob: ["11680", -4] },
    { example: 6, side: "long", mark: "1700", book: 0, fund: 2000_000_000n, bob: ["12800", 0] },
    { example: 12, side: "short", mark: "2300", book: 10, fund: 1800_000_000n, bob: ["10000", 10] },
    { example: 13, side: "short", mark: "2300", book: 4, fund: 1920_000_000n, bob: ["11680", 4] },
    { example: 14, side: "short", mark: "2300", book: 0, fund: 2000_000_000n, bob: ["12800", 0] },
  ] as const;

  test.each(cases)(
    "example $example: $book in the book at $mark, the rest against the other side at the bankruptcy price",
    ({ side, mark, book, fund, bob }) => {
      const v = new TestVenue({
        markets: { ETH: { positionLimit: "1000" } },
        accounts: { alice: "2800", bob: "10000", carol: "5000" },
        insurance: "2000",
        prices: { ETH: "2000" },
      });
      const long = side === "long";
      v.do(
        long ? v.sell("bob", "10", "2000") : v.buy("bob", "10", "2000"),
        long ? v.buy("alice", "10", "2000") : v.sell("alice", "10", "2000"),
      );
      if (book > 0) v.do(long ? v.buy("carol", `${book}`, mark) : v.sell("carol", `${book}`, mark));
      v.do(v.price(mark));
      expect([v.lots("alice"), v.usd("alice")]).toEqual([0, "0"]);
      expect([v.usd("bob"), v.lots("bob")]).toEqual(bob);
      expect(v.state.totals.get(TOTAL.insurance)).toBe(fund);
    },
  );
});
