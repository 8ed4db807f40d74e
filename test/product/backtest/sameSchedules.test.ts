import { Type } from "typebox";
import { expect, test } from "vitest";
import type { Context } from "../../../src/client/strategy/context.ts";
import { type AnyStrategy, defineStrategy } from "../../../src/client/strategy/strategy.ts";
import { Random } from "../../../src/ground/math/random.ts";
import { HOUR, hourlyBars, memorySource, START, type TestEvent } from "./memorySource.ts";
import { runBothSchedules } from "./schedules.ts";
import { wander } from "./wander.ts";

/** Hourly bars of two markets, with funding of the first. */
function bars(seed: number) {
  const random = Random.ofSeed([seed]);
  const events = [0, 1].flatMap((market) => {
    let price = 1_000;
    const path = Array.from({ length: 120 }, () => {
      const open = price;
      price = Math.max(300, price + random.below(61) - 30);
      const [high, low] = [Math.max(open, price) + random.below(9), Math.min(open, price) - random.below(9)];
      return [open, high, low, price] as const;
    });
    return hourlyBars(path, 100_000).map((bar): TestEvent => ({ ...bar, market }));
  });
  for (let day = 1; day < 5; day++)
    events.push({ kind: "funding", timeMs: START + day * 86_400_000, rate: 3e-4, market: 0 });
  return memorySource(events, { markets: ["BTC", "ETH"] });
}

/** Acts in timers and frames alone: brackets, stops, margin modes, positions. Drawn by `ctx.rng`. */
function acting(every: string, frame: string): AnyStrategy {
  return defineStrategy({
    id: "acting",
    params: Type.Object({}),
    frames: [frame],
    warmUp: { span: frame },
    init: (ctx) => ctx.every(every, "act"),
    onFrame(ctx, { market, close, bars }) {
      ctx.metric(market, close);
      ctx.metric(`${market} bars`, bars);
      if (!ctx.isWarmUp && ctx.rng.chance(1, 3)) ctx.log(`${market} ${ctx.account.equity}`);
    },
    onTimer: (ctx) => act(ctx),
    onIntent: (ctx, { kind, status, cause = "" }) => ctx.log(`${kind} ${status} ${cause} ${ctx.now.timeMs}`),
    onFill(ctx, { side, price, intent = "" }) {
      ctx.log(`${side} ${price} ${intent} ${ctx.now.timeMs}`);
      if (ctx.rng.chance(1, 4)) ctx.after("45m", "later");
    },
  }) as AnyStrategy;
}

function act(ctx: Context): void {
  const { account, markets, rng } = ctx;
  const market = markets[rng.below(markets.length)]!;
  const { name, mark } = market;
  if (mark === undefined) return;
  const size = market.roundSize((account.free * (1 + rng.below(3))) / mark);
  switch (rng.below(8)) {
    case 0:
      if (size > 0) ctx.place({ market: name, side: "buy", size, stop: mark * 0.97, takeProfit: mark * 1.04 });
      break;
    case 1:
      if (size > 0) ctx.place({ market: name, side: "sell", size, stop: { trailRate: 0.02 } });
      break;
    case 2:
      ctx.protect({ market: name, stop: mark * (rng.chance(1, 2) ? 0.98 : 1.02), takeProfit: mark * 1.01 });
      break;
    case 3:
      ctx.setPosition(size * (rng.below(3) - 1), { market: name });
      break;
    case 4:
      ctx.setMarginMode(rng.chance(1, 2) ? "isolated" : "cross", name);
      break;
    case 5:
      ctx.cancelAll(undefined, { intents: true });
      break;
    case 6:
      ctx.close({ market: name });
      break;
    default:
      ctx.addMargin(3, name);
  }
}

// A block is left out where nothing can happen: timers, frames, intents and margin modes must not differ for it.
test.each([1, 2, 3, 4, 5, 6])(
  "timers, frames, brackets and margin modes do the same with all blocks and with those needed, seed %i",
  { timeout: 120_000 },
  async (seed) => {
    const common = { leverage: 5, seed: `${seed}`, parameters: { minNotional: "0" }, tick: "1", lot: "0.01" };
    const { needed, all } = await runBothSchedules(() => ({
      ...common,
      data: bars(seed),
      strategy: acting("3h", "4h"),
      margin: seed % 2 === 0 ? "isolated" : "cross",
    }));
    expect(needed.report.fills.total).toBeGreaterThan(5);
    expect(needed.blocks).toBeLessThanOrEqual(all.blocks);
    await runBothSchedules(() => ({
      ...common,
      data: memorySource(wander(seed, 400)),
      strategy: acting("50s", "5m"),
    }));
  },
);

// Payments of five markets fill their columns before the points fill theirs.
test("funding of five markets with every bar is recorded with its own point", async () => {
  const random = Random.ofSeed([9]);
  const events: TestEvent[] = [];
  for (let hour = 1; hour <= 260; hour++) {
    for (let market = 0; market < 5; market++) {
      const timeMs = START + hour * HOUR;
      events.push({ kind: "bar", timeMs, ohlc: [1_000, 1_012, 988, 990 + random.below(21)], volume: 5_000, market });
      events.push({ kind: "funding", timeMs, rate: (1 + random.below(9)) / 1e5, market });
    }
  }
  const holding = defineStrategy({
    id: "holding",
    params: Type.Object({}),
    init(ctx) {
      for (const { name } of ctx.markets) ctx.setPosition(3, { market: name, slippage: 0.02 });
    },
  });
  const markets = ["A", "B", "C", "D", "E"];
  const { needed } = await runBothSchedules(() => ({
    data: memorySource(events, { markets }),
    strategy: holding,
    ...{ deposit: "450000", leverage: 2, tick: "1", lot: "0.01" },
  }));
  expect(needed.input.recording.funding.length).toBeGreaterThan(1_000);
});
