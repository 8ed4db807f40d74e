import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { getPredictedRate } from "../../../../src/venue/engine/funding/predictedRate.ts";
import type { MarketRow } from "../../../../src/venue/engine/state/schema.ts";
import { TestVenue } from "../../../helpers/venue.ts";

const HOUR = 3_600_000;
const MINUTE = 60_000;
const METHODS = ["hyperliquid", "dydx", "binance8h", "continuous"] as const;
/** Interest of 0.01 % in 8 h, ppb: what every method pays where there is no premium. */
const INTEREST = 100_000;
/** Twenty minutes of it, down. */
const TWENTY_MINUTES = 4166;

/** A venue at 8:00 in which the market NEW is created; it has no price yet. */
function venue(texts: Record<string, string>): TestVenue {
  const v = new TestVenue({
    markets: { TEST: { markMethod: "oracle", fundingMethod: "reported" } },
    accounts: { alice: "100000" },
    genesis: { timeMs: 8 * HOUR },
    prices: { TEST: "10000" },
  });
  v.do(v.create("NEW", "minimal", { markMethod: "oracle", fundingSample: "1000", ...texts }));
  return v;
}

const newPrice = (v: TestVenue, options: { funding?: string } = {}) => v.price("10000", { market: "NEW", ...options });
const row = (v: TestVenue) => v.state.marketRows.get("NEW") as MarketRow;
const settled = (v: TestVenue) => v.state.markets.settledTime[row(v)];

describe("the first interval of a market (FND-2)", () => {
  test.each(METHODS)("%s: starts in the block of the first price and pays for its own time", (fundingMethod) => {
    fc.assert(
      fc.property(fc.integer({ min: 10_000, max: 2 * HOUR }), (after) => {
        const v = venue({ fundingMethod });
        const start = 8 * HOUR + after;
        const story = v.runAt(start, newPrice(v));
        expect(story.of("premiumsCleared")).toMatchObject([{ settledMs: start, sampledMs: 0, due: 0, carry: 0 }]);
        expect(story.of("fundingSampled")).toHaveLength(1);
        expect(story.of("fundingAccrued")).toEqual([]);
        const end = (Math.floor(start / HOUR) + 1) * HOUR;
        if (fundingMethod !== "continuous") {
          const predicted = getPredictedRate(v.state, row(v));
          expect(predicted).toBe(Math.floor((INTEREST * (end - start)) / (8 * HOUR)));
        }
        const [accrued] = v.runAt(end).of("fundingAccrued");
        expect(accrued!.rate * 8 * HOUR + accrued!.carry).toBe(INTEREST * (end - start));
        expect(accrued!.settledMs).toBe(end);
      }),
      { numRuns: 25 },
    );
  });

  test("starts with the first price, whatever changes before", () => {
    const v = venue({ fundingMethod: "hyperliquid", blockGap: "60000" });
    const changes = [
      { pauseFund: "on" },
      { pauseFund: "off" },
      { fundingMethod: "dydx" },
      { status: "halted" },
      { status: "active" },
    ];
    for (const change of changes) {
      const story = v.runAt(v.state.timeMs + 5 * MINUTE, v.update(change, "NEW"));
      expect(story.of("premiumsCleared")).toEqual([]);
      expect(settled(v)).toBe(0);
    }
    const first = 8 * HOUR + 50 * MINUTE;
    v.runAt(first, newPrice(v));
    expect(settled(v)).toBe(first);
  });

  test("starts when a market that was created paused begins to fund", () => {
    const v = venue({ fundingMethod: "hyperliquid", pauseFund: "on" });
    v.runAt(8 * HOUR + 5 * MINUTE, newPrice(v));
    expect(settled(v)).toBe(0);
    const lifted = 8 * HOUR + 40 * MINUTE;
    const story = v.runAt(lifted, v.update({ pauseFund: "off" }, "NEW"));
    expect(story.of("premiumsCleared")).toMatchObject([{ settledMs: lifted }]);
    expect(v.runAt(9 * HOUR).of("fundingAccrued")).toMatchObject([{ rate: TWENTY_MINUTES }]);
  });

  test("starts with the method that follows recorded rates, if none was paid", () => {
    const v = venue({ fundingMethod: "reported" });
    v.runAt(8 * HOUR + 5 * MINUTE, newPrice(v));
    expect(settled(v)).toBe(0);
    const changed = 8 * HOUR + 40 * MINUTE;
    const story = v.runAt(changed, v.update({ fundingMethod: "hyperliquid" }, "NEW"));
    expect(story.of("premiumsCleared")).toMatchObject([{ settledMs: changed }]);
    expect(v.runAt(9 * HOUR).of("fundingAccrued")).toMatchObject([{ rate: TWENTY_MINUTES }]);
  });

  test("a first recorded rate is paid whole, and starts the clock", () => {
    const v = venue({ fundingMethod: "reported" });
    const at = 8 * HOUR + 5 * MINUTE;
    const story = v.runAt(at, newPrice(v, { funding: "0.001" }));
    expect(story.of("fundingAccrued")).toMatchObject([{ rate: 1_000_000, settledMs: at }]);
    expect(story.of("premiumsCleared")).toEqual([]);
  });
});
