import { describe, expect, test } from "vitest";
import { type PricedMarket, ReferencePrices } from "../../../src/product/replay/referencePrices.ts";

const HOUR = 3_600_000;
const MARKET: PricedMarket = { name: "BTC-PERP", priceMost: 1e15, takesMark: true, takesRate: true };
const BOTH = { mark: true, index: true };
const NONE = { mark: false, index: false };

/** Prices of a market at an instant, with the last price 100. */
function endAt(prices: ReferencePrices, timeMs: number, staleMs = 0): { index: number; mark: number } {
  prices.endInstant(100, timeMs, staleMs);
  return { index: prices.indexNow, mark: prices.markNow };
}

describe("mark and index of an instant", () => {
  test("are the last price where neither is recorded", () => {
    const prices = new ReferencePrices(MARKET, NONE);
    expect(endAt(prices, 0)).toEqual({ index: 100, mark: 100 });
    expect([prices.markMissing, prices.indexMissing, prices.markInstants]).toEqual([0, 0, 1]);
  });

  test("are those recorded last, for an hour", () => {
    const prices = new ReferencePrices(MARKET, BOTH);
    prices.setMark(101, 0);
    prices.setIndex(99, 0);
    expect(endAt(prices, HOUR)).toEqual({ index: 99, mark: 101 });
    expect(endAt(prices, HOUR + 1)).toEqual({ index: 100, mark: 100 });
    expect([prices.markMissing, prices.indexMissing]).toEqual([1, 1]);
  });

  test("hold for as long as a bar where that is longer than an hour", () => {
    const prices = new ReferencePrices(MARKET, BOTH);
    prices.setMark(101, 0);
    prices.setIndex(99, 0);
    expect(endAt(prices, 4 * HOUR, 4 * HOUR)).toEqual({ index: 99, mark: 101 });
  });

  test("take each other's place where one is missing", () => {
    const onlyMark = new ReferencePrices(MARKET, { mark: true, index: false });
    onlyMark.setMark(101, 0);
    expect(endAt(onlyMark, 0)).toEqual({ index: 101, mark: 101 });
    const onlyIndex = new ReferencePrices(MARKET, { mark: false, index: true });
    onlyIndex.setIndex(99, 0);
    onlyIndex.endInstant(0, 0, 0);
    expect([onlyIndex.indexNow, onlyIndex.markNow]).toEqual([99, 99]);
  });

  test("are none before any price, and no instant counts", () => {
    const prices = new ReferencePrices(MARKET, NONE);
    prices.endInstant(0, 0, 0);
    expect([prices.markNow, prices.markInstants, prices.takeUpdate(0)]).toEqual([0, 0, false]);
  });

  test("above what the venue takes are refused, with the market's name", () => {
    const prices = new ReferencePrices(MARKET, NONE);
    expect(() => prices.endInstant(1e15 + 1, 0, 0)).toThrow(
      expect.objectContaining({ code: "MARKET_IMPOSSIBLE", message: expect.stringContaining("market BTC-PERP") }),
    );
  });
});

describe("what is reported to the venue", () => {
  test("prices that it has are reported again after 30 seconds only", () => {
    const prices = new ReferencePrices(MARKET, NONE);
    const report = (last: number, timeMs: number) => {
      prices.endInstant(last, timeMs, 0);
      return prices.takeUpdate(timeMs);
    };
    expect([report(100, 0), report(100, 29_999), report(100, 30_000), report(101, 30_001)]).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  test("two funding rates are reported once, as their sum, and only with a mark", () => {
    const prices = new ReferencePrices(MARKET, NONE);
    prices.addFunding(200);
    prices.endInstant(0, 0, 0);
    expect([prices.isSettling, prices.takeUpdate(0)]).toEqual([false, false]);
    prices.addFunding(-50);
    endAt(prices, 1);
    expect(prices.isSettling).toBe(true);
    expect(prices.fundingShare).toBe(150 / 1e9);
    expect(prices.takeUpdate(1)).toBe(true);
    expect(prices.update).toEqual({ price: 100, mark: 100, rate: 150, settle: true });
    expect([prices.isSettling, prices.fundingRates]).toEqual([false, 1]);
  });

  test("a market that computes its own mark and funding gets neither", () => {
    const prices = new ReferencePrices({ ...MARKET, takesMark: false, takesRate: false }, BOTH);
    prices.setMark(101, 0);
    prices.setIndex(99, 0);
    prices.addFunding(200);
    endAt(prices, 0);
    expect(prices.takeUpdate(0)).toBe(true);
    expect(prices.update).toEqual({ price: 99, mark: 0, rate: 0, settle: false });
    expect(prices.fundingRates).toBe(0);
  });

  test("an instant that was passed is reported without its funding", () => {
    const prices = new ReferencePrices(MARKET, NONE);
    prices.addFunding(200);
    endAt(prices, 0);
    expect(prices.takePassedUpdate(0, 98, 97)).toBe(true);
    expect(prices.update).toEqual({ price: 98, mark: 97, rate: 0, settle: false });
    expect(prices.isFundingDue).toBe(true);
  });
});
