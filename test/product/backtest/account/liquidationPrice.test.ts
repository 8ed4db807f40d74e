import { expect, test } from "vitest";
import { runBacktest } from "../../../../src/product/backtest/runBacktest.ts";
import { getLiquidationPrice } from "../../../../src/venue/engine/margin/liquidationPrice.ts";
import type { AccountRow, MarketRow } from "../../../../src/venue/engine/state/schema.ts";
import { getPosition } from "../../../../src/venue/engine/state/state.ts";
import { strategy } from "../helpers.ts";
import { HOUR, memorySource, START, type TestEvent } from "../memorySource.ts";

/** Two markets whose prices wander apart, with funding, so that each position's price depends on the other's mark. */
function wander(hours: number): TestEvent[] {
  const events: TestEvent[] = [];
  let [a, b] = [1_000, 500];
  for (let hour = 0; hour < hours; hour++) {
    const timeMs = START + hour * HOUR;
    const next = [a + ((hour * 7) % 11) - 5, b + ((hour * 5) % 7) - 3] as const;
    for (const [market, from, to] of [
      [0, a, next[0]],
      [1, b, next[1]],
    ] as const) {
      const ohlc = [from, Math.max(from, to) + 1, Math.min(from, to) - 1, to] as const;
      events.push({ kind: "bar", timeMs, market, ohlc, volume: 100_000 });
      if (hour % 8 === 0) events.push({ kind: "funding", timeMs: timeMs + HOUR, rate: 0.0003, market });
    }
    [a, b] = next;
  }
  return events;
}

test("the liquidation price along a curve is the engine's at that block, with positions in one market and in two", async () => {
  const prices = new Map<string, number>();
  const blocks = new Set<number>();
  const trader = strategy({
    onBar(ctx, { closeTimeMs, market }) {
      const hour = (closeTimeMs - START) / HOUR;
      if (market !== "A") return;
      if (hour === 3) ctx.place({ market: "A", side: "buy", size: 40 });
      if (hour === 20) ctx.place({ market: "B", side: "sell", size: 60 });
      if (hour === 40) ctx.place({ market: "A", side: "sell", size: 70 });
      if (hour === 55) ctx.place({ market: "B", side: "buy", size: 60 });
    },
  });
  const { report } = await runBacktest(
    {
      strategy: trader,
      data: memorySource(wander(70), { markets: ["A", "B"] }),
      leverage: 5,
      tick: "1",
      lot: "0.01",
      latencyMs: 0,
      // The engine is asked at every point of the curve.
      blocks: "all",
    },
    {
      observers: [
        {
          onBlock(state, { timeMs }) {
            blocks.add(timeMs);
            for (const market of [0, 1] as MarketRow[]) {
              const position = getPosition(state, 1 as AccountRow, market);
              if (position < 0) continue;
              const price = getLiquidationPrice(state, position);
              if (price !== undefined) prices.set(`${state.marketNames[market]} ${timeMs}`, price);
            }
          },
        },
      ],
    },
  );
  let compared = 0;
  for (const { market, timeMs, liquidation } of report.markets) {
    for (const [row, price] of liquidation.entries()) {
      // A point between two blocks has no state to compare with.
      if (!blocks.has(timeMs[row]!)) continue;
      const wanted = prices.get(`${market} ${timeMs[row]}`);
      expect(price === null ? undefined : Math.round(Number(price) * 1e8)).toBe(wanted);
      if (price !== null) compared++;
    }
  }
  expect(compared).toBeGreaterThan(50);
});
