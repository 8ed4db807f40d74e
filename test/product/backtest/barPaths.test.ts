import { Type } from "typebox";
import { expect, test } from "vitest";
import { type AnyStrategy, defineStrategy } from "../../../src/client/strategy/strategy.ts";
import { Random } from "../../../src/ground/math/random.ts";
import { HOUR, memorySource, START, type TestEvent } from "./memorySource.ts";
import { runBothSchedules } from "./schedules.ts";

/**
 * Bars of one market with all that may end a path of them: gaps, bars without volume or of less than a lot, funding at
 * a close, just after it and within a bar, and a mark now and then that is carried for an hour.
 */
function drawBars(seed: number) {
  const random = Random.ofSeed([seed]);
  const events: TestEvent[] = [];
  const hasMarks = seed % 5 === 0;
  let price = 1_000;
  let timeMs = START;
  for (let bar = 0; bar < 150; bar++) {
    timeMs += random.chance(1, 25) ? HOUR * (1 + random.below(3)) : 0;
    timeMs += HOUR;
    const open = price;
    price = Math.max(200, price + random.below(61) - 30);
    const ohlc = [
      open,
      Math.max(open, price) + random.below(9),
      Math.min(open, price) - random.below(9),
      price,
    ] as const;
    const volume = random.chance(1, 12) ? random.below(2) / 50 : 1_000 + (bar % 3) * 500;
    events.push({ kind: "bar", timeMs, ohlc, volume });
    const fundingMs = [timeMs, timeMs + 5, timeMs + HOUR / 2, timeMs - 1][random.below(16)];
    if (fundingMs !== undefined) events.push({ kind: "funding", timeMs: fundingMs, rate: (random.below(9) - 3) / 1e4 });
    if (hasMarks && random.chance(1, 20)) events.push({ kind: "mark", timeMs: timeMs - HOUR / 4, price: price + 1 });
  }
  return memorySource(events, { chunkRows: [65_536, 37, 8][seed % 3]! });
}

/** Takes a position at the start, and changes it in a timer. No hook sees a bar. */
function holding(size: number, isTimed: boolean): AnyStrategy {
  return defineStrategy({
    id: "holding",
    params: Type.Object({}),
    init(ctx) {
      ctx.setPosition(size, { slippage: 0.02 });
      if (isTimed) ctx.every("7h", "turn");
    },
    onTimer: (ctx) => ctx.setPosition(-ctx.account.position(ctx.market.name).size, { slippage: 0.02 }),
  });
}

/** Logs every bar, and trades at some. */
const watching = defineStrategy({
  id: "watching",
  params: Type.Object({}),
  onBar(ctx, { close, closeTimeMs }) {
    ctx.log(`${closeTimeMs} ${close} ${ctx.account.equity} ${ctx.market.mark}`);
    if (ctx.rng.chance(1, 9)) ctx.setPosition(ctx.rng.below(9) - 4, { slippage: 0.02 });
  },
});

test("bars that are passed many at a time give the run of every block", async () => {
  const seen = { needed: 0, all: 0, funding: 0, forced: 0, logs: 0, rounded: 0 };
  for (let seed = 1; seed <= 24; seed++) {
    const strategy = [holding(3, false), holding(-3, false), holding(3, true), watching][seed % 4]!;
    // A tenth of the price from liquidation, or far from it.
    const options = { deposit: seed % 3 === 0 ? "50000" : "450", leverage: 10, lot: "0.01" };
    // With the wider tick every second price is between two.
    const tick = seed % 5 === 1 ? "2" : "1";
    const { needed, all } = await runBothSchedules(() => ({ strategy, data: drawBars(seed), tick, ...options }));
    seen.needed += needed.blocks;
    seen.all += all.blocks;
    seen.funding += needed.input.recording.funding.length;
    seen.forced += needed.input.recording.liquidations.length;
    seen.logs += needed.logs.length;
    if (needed.input.assumptions.some((text) => text.includes("were rounded"))) seen.rounded++;
  }
  expect(seen.needed).toBeLessThan(seen.all * 0.5);
  expect(seen.funding).toBeGreaterThan(100);
  expect(seen.forced).toBeGreaterThan(2);
  expect(seen.logs).toBeGreaterThan(500);
  expect(seen.rounded).toBe(5);
});
