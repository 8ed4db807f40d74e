import { Type } from "typebox";
import { expect, test } from "vitest";
import type { Context } from "../../../src/client/strategy/context.ts";
import { type AnyStrategy, defineStrategy } from "../../../src/client/strategy/strategy.ts";
import { Random } from "../../../src/ground/math/random.ts";
import { BookFlag } from "../../../src/product/market-data/types.ts";
import { memorySource, START, type TestEvent } from "./memorySource.ts";
import { runBothSchedules } from "./schedules.ts";
import { watching } from "./wander.ts";

/** A book that wanders, its trades, and quotes, marks and funding now and then. Prices are whole, sizes hundredths. */
function drawBook(seed: number, updates: number, isQuoted = false): TestEvent[] {
  const random = Random.ofSeed([seed, 43]);
  const events: TestEvent[] = [];
  const wildness = random.pick([1, 3, 30]);
  const isMarked = random.chance(1, 3);
  let middle = 10_000;
  let timeMs = START;
  let id = 0;
  const size = () => random.between(1, 400) / 100;
  const snapshot = () => {
    id++;
    let flags: number = BookFlag.first | BookFlag.snapshot;
    for (const side of [1, -1] as const) {
      for (let level = 1; level <= 12; level++) {
        events.push({ kind: "depth", timeMs, side, price: middle - side * level, size: size(), flags, id });
        flags = BookFlag.snapshot;
      }
    }
  };
  if (!isQuoted) snapshot();
  for (let update = 0; update < updates; update++) {
    timeMs += random.pick([1, 20, 90, 400, 3_000]);
    if (random.chance(1, 4)) middle = Math.max(500, middle + random.between(-wildness, wildness));
    if (random.chance(1, 2)) {
      const side = random.pick([1, -1, 0] as const);
      events.push({ kind: "trade", timeMs, price: middle + random.between(-2, 2), size: size(), side });
    }
    if (isMarked && random.chance(1, 5)) events.push({ kind: "mark", timeMs, price: middle + random.between(-3, 3) });
    if (random.chance(1, 60)) events.push({ kind: "funding", timeMs, rate: random.between(-10, 10) / 1e4 });
    if (isQuoted) {
      const bid = middle - random.between(0, 2);
      events.push({ kind: "quote", timeMs, side: 1, price: bid, size: size() });
      events.push({ kind: "quote", timeMs, side: -1, price: bid + random.between(1, 2), size: size() });
      continue;
    }
    if (random.chance(1, 40)) {
      snapshot();
      continue;
    }
    id++;
    for (let row = random.between(1, 6); row > 0; row--) {
      const side = random.pick([1, -1] as const);
      const price = middle - side * random.between(random.chance(1, 8) ? -1 : 0, 8);
      events.push({ kind: "depth", timeMs, side, price, size: random.chance(1, 3) ? 0 : size(), id });
    }
  }
  return events;
}

/** Quotes, takes, amends and cancels at random, at timers, trades and fills, and reads the book. */
function createBookQuoter(share: number): AnyStrategy {
  return defineStrategy({
    id: "book-quoter",
    params: Type.Object({}),
    init: (ctx) => ctx.every("2s", "act"),
    onTimer: (ctx) => act(ctx, share),
    onTrade: (ctx) => ctx.rng.chance(1, 4) && act(ctx, share),
    onFill: (ctx, fill) => ctx.log(JSON.stringify(fill)),
    onFunding: (ctx, funding) => ctx.log(JSON.stringify(funding)),
    onCancel: (ctx, cancellation) => ctx.log(JSON.stringify(cancellation)),
    onLiquidation: (ctx, liquidation) => ctx.log(JSON.stringify(liquidation)),
    onReject: (ctx, rejection) => ctx.log(JSON.stringify(rejection)),
  }) as AnyStrategy;
}

function act(ctx: Context, share: number): void {
  const { account, markets, rng } = ctx;
  const market = markets[0]!;
  const { bestBid, bestAsk, mark, tickSize } = market;
  ctx.log(
    JSON.stringify([
      ctx.now.timeMs,
      bestBid,
      bestAsk,
      market.depth("buy", 4),
      market.depth("sell", 4),
      mark,
      market.last,
    ]),
  );
  if (mark === undefined) return;
  const size = Math.max(market.lotSize, market.roundSize((account.collateral * market.leverage * share) / mark));
  const side = rng.chance(1, 2) ? "buy" : "sell";
  const away = rng.pick([-3, -1, 0, 0, 1, 2, 4, 12]) * tickSize;
  const best = (side === "buy" ? bestBid : bestAsk) ?? mark;
  const price = Math.max(tickSize, market.roundPrice(best + (side === "buy" ? -away : away)));
  const orders = account.orders();
  const [oldest] = orders;
  const choice = rng.below(12);
  if (orders.length > 5) ctx.cancelAll();
  else if (choice === 0 && oldest !== undefined) ctx.cancel(oldest.id);
  else if (choice === 1 && oldest !== undefined) ctx.amend(oldest.id, { price });
  else if (choice === 2 && oldest !== undefined) ctx.amend(oldest.id, { size });
  else if (choice === 3) ctx.place({ side, size });
  else if (choice === 4) ctx.place({ side, size, price, timeInForce: rng.chance(1, 2) ? "IOC" : "FOK" });
  else if (choice === 5) ctx.close({});
  else if (choice === 6) ctx.place({ side, size, price, stop: price * (side === "buy" ? 0.999 : 1.001) });
  else if (choice === 7) ctx.setPosition(rng.chance(1, 2) ? 0 : size);
  else ctx.place({ side, size, price, postOnly: rng.chance(1, 2), reduceOnly: rng.chance(1, 8) });
}

// Levels that no order can reach are left out of the venue: what strategies see and what happens to them must not
// differ for it.
test.each(Array.from({ length: 24 }, (_, seed) => seed + 1))(
  "a recorded book gives the same run with every level in every block and with what is needed, seed %i",
  { timeout: 120_000 },
  async (seed) => {
    const events = drawBook(seed, 700, seed % 6 === 5);
    const seen: unknown[][] = [];
    const { needed, all } = await runBothSchedules(() => {
      const list: unknown[] = [];
      seen.push(list);
      const quoter = createBookQuoter(seed % 4 === 0 ? 0.8 : 0.02);
      return {
        data: memorySource(events),
        strategy: seed % 3 === 0 ? watching(quoter, list) : quoter,
        seed: `${seed}`,
        leverage: 10,
        deposit: "2000",
        tick: "1",
        lot: "0.01",
        blockMs: [50, 100, 1_000][seed % 3]!,
        latencyMs: [0, 30, 250][seed % 3]!,
        queue: ["behind", "proportional", "power(3)", "log"][seed % 4]!,
        parameters: { minNotional: "0" },
      };
    });
    expect(seen[0]).toEqual(seen[1]);
    expect(needed.report.fills.total).toBeGreaterThan(3);
    expect(needed.blocks).toBeLessThanOrEqual(all.blocks);
  },
);

// The views of strategies far away are pictures of the driver's book; what they see late must not depend on blocks
// either.
test.each(Array.from({ length: 10 }, (_, seed) => seed + 1))(
  "a recorded book gives the same run to a strategy whose messages take time, seed %i",
  { timeout: 120_000 },
  async (seed) => {
    const events = drawBook(seed + 100, 500, seed % 6 === 5);
    const seen: unknown[][] = [];
    const { needed } = await runBothSchedules(() => {
      const list: unknown[] = [];
      seen.push(list);
      const quoter = createBookQuoter(seed % 4 === 0 ? 0.8 : 0.02);
      return {
        data: memorySource(events),
        strategy: seed % 3 === 0 ? watching(quoter, list) : quoter,
        seed: `${seed}`,
        leverage: 10,
        deposit: "2000",
        tick: "1",
        lot: "0.01",
        blockMs: [50, 100, 1_000][seed % 3]!,
        latencyMs: [0, "lognormal(80,1)", 250][seed % 3]!,
        feedLatencyMs: [5, "uniform(0,900)", "normal(60,40)"][seed % 3]!,
        receiptLatencyMs: ["lognormal(300,1)", 0, 20][seed % 3]!,
        ...(seed % 2 === 0 ? { rateLimit: "3/10s" } : {}),
        ...(seed % 4 === 1 ? { outages: [{ fromMs: START + 60_000, toMs: START + 90_000 }] } : {}),
        queue: ["behind", "proportional", "power(3)", "log"][seed % 4]!,
        parameters: { minNotional: "0" },
      };
    });
    // Heights count blocks.
    const withoutHeights = seen.map((list) => list.map((one) => ({ ...(one as object), height: 0 })));
    expect(withoutHeights[0]).toEqual(withoutHeights[1]);
    expect(needed.report.fills.total).toBeGreaterThan(3);
  },
);
