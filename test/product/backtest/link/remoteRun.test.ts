import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Context } from "../../../../src/client/strategy/context.ts";
import { BookFlag } from "../../../../src/product/market-data/types.ts";
import { run, strategy } from "../helpers.ts";
import { memorySource, START, type TestEvent } from "../memorySource.ts";

const SECOND = 1_000;

/** A trade a second, each a dollar higher than the one before: the price is that of the second. */
const trades = (seconds: number): TestEvent[] =>
  Array.from({ length: seconds }, (_, second) => ({
    ...{ kind: "trade", timeMs: START + second * SECOND, price: 10_000 + second, size: 50, side: 1 },
  }));

/** Time of a call, ms after the start. */
const sinceStart = ({ now }: Pick<Context, "now">) => now.timeMs - START;

test("each leg takes its time: the market to the strategy, an order to the venue, the fill back", async () => {
  const seen: unknown[] = [];
  await run({
    data: memorySource(trades(30)),
    deposit: "1000000",
    ...{ latencyMs: 1_500, feedLatencyMs: 300, receiptLatencyMs: 700 },
    strategy: strategy({
      onTrade(ctx, { price }) {
        if (price === 10_004) {
          seen.push([sinceStart(ctx), "sends", ctx.market.last, ctx.market.bestAsk]);
          ctx.place({ side: "buy", size: 1 });
        }
        if (price === 10_006) seen.push([sinceStart(ctx), ctx.account.inFlight, ctx.account.position().size]);
      },
      onFill(ctx, fill) {
        const { account, market } = ctx;
        seen.push([
          sinceStart(ctx),
          "fill of",
          fill.timeMs - START,
          account.inFlight,
          account.position().size,
          market.last,
        ]);
      },
    }),
  });
  expect(seen).toEqual([
    // The trade of second 4 is seen 300 ms later. The order is at the venue 1,500 ms after that, in the block of
    // second 6.
    [4_300, "sends", 10_004, 10_004],
    [6_300, 1, 0],
    [6_700, "fill of", 6_000, 0, 1, 10_006],
  ]);
});

test("a fill may be known before the market is seen that made it", async () => {
  const seen: unknown[] = [];
  await run({
    data: memorySource(trades(30)),
    deposit: "1000000",
    ...{ latencyMs: 0, feedLatencyMs: 2_500, receiptLatencyMs: 10 },
    strategy: strategy({
      init: (ctx) => ctx.place({ side: "buy", size: 1 }),
      onFill: (ctx, fill) =>
        seen.push([sinceStart(ctx), fill.timeMs - START, ctx.market.last, ctx.account.position().size]),
    }),
  });
  // It starts with the first message of the feed, at 2,500 ms, and is filled in the block of second 3.
  expect(seen).toEqual([[3_010, 3_000, 10_000, 1]]);
});

test("what a venue refuses for its rate limit is rejected when the answer is there, and the next interval takes more", async () => {
  const seen: unknown[] = [];
  const folder = mkdtempSync(join(tmpdir(), "perplab-"));
  const orders = join(folder, "orders.csv");
  const { report } = await run({
    data: memorySource(trades(40)),
    deposit: "1000000",
    ...{ latencyMs: 200, receiptLatencyMs: 50, rateLimit: "2/10s", tables: [orders] },
    strategy: strategy({
      onTrade(ctx, { price }) {
        if (price !== 10_003 && price !== 10_012) return;
        for (let order = 0; order < 4; order++) ctx.place({ side: "buy", size: 1, price: 9_000 });
      },
      onReject: (ctx, { id, code, timeMs }) =>
        seen.push([sinceStart(ctx), id, code, timeMs - START, ctx.account.inFlight]),
    }),
  });
  // t1 is the leverage at the start, before the first block, which does not count.
  expect(seen).toEqual([
    [3_250, "t4", "RATE_LIMITED", 3_200, 2],
    [3_250, "t5", "RATE_LIMITED", 3_200, 2],
    [12_250, "t8", "RATE_LIMITED", 12_200, 2],
    [12_250, "t9", "RATE_LIMITED", 12_200, 2],
  ]);
  expect(report.rejections).toMatchObject([{ code: "RATE_LIMITED", count: 4 }]);
  expect(report.run.assumptions.join(" ")).toContain("4 others were rejected with RATE_LIMITED");
  const rejected = readFileSync(orders, "utf8")
    .split("\n")
    .filter((line) => line.includes("RATE_LIMITED"));
  expect(rejected).toHaveLength(4);
  expect(rejected[0]).toContain("rejected");
  rmSync(folder, { recursive: true });
});

test("an outage stops what it names, and the venue continues", async () => {
  for (const stops of ["submit", "feed", "all"] as const) {
    const calls: [at: number, trades: number, last: number | undefined][] = [];
    const rejected: unknown[] = [];
    const { report } = await run({
      data: memorySource(trades(40)),
      deposit: "1000000",
      latencyMs: 100,
      outages: [{ fromMs: START + 9_500, toMs: START + 20_250, stops }],
      strategy: strategy({
        onTrade(ctx, { price }) {
          const last = calls.at(-1);
          if (last?.[0] === sinceStart(ctx)) last[1]++;
          else calls.push([sinceStart(ctx), 1, ctx.market.last]);
          if (price === 10_002) ctx.place({ side: "buy", size: 1 });
          if (price === 10_009) ctx.place({ side: "buy", size: 1 });
        },
        init: (ctx) => ctx.every("1s", "tick"),
        onTimer(ctx) {
          if (sinceStart(ctx) === 12_000) ctx.place({ side: "buy", size: 1 });
        },
        onReject: (ctx, { code, timeMs }) => rejected.push([sinceStart(ctx), code, timeMs - START]),
      }),
    });
    const isFeed = stops !== "submit";
    expect(calls.find(([at]) => at >= 9_500)).toEqual(isFeed ? [20_250, 11, 10_020] : [10_000, 1, 10_010]);
    expect(calls.filter(([at]) => at >= 9_500 && at < 20_250)).toHaveLength(isFeed ? 0 : 11);
    // The order of second 9 is there before the outage. A timer is on the clock of the strategy, which continues.
    const at = stops === "all" ? 20_250 : 12_100;
    expect(rejected).toEqual(stops === "feed" ? [] : [[at, "VENUE_UNREACHABLE", 12_100]]);
    expect(report.fills.kept.map(({ timeMs }) => timeMs - START)).toEqual(
      stops === "feed" ? [3_000, 10_000, 13_000] : [3_000, 10_000],
    );
    expect(report.run.assumptions.join(" ")).toContain(isFeed ? "10.8 s without messages" : "0 ms without messages");
  }
});

test("a position is liquidated during an outage, and the strategy learns of it at its end", async () => {
  const prices = [10_000, 10_000, 10_000, 10_000, 9_000, 8_000, 7_000, 6_000, 5_000, 5_000, 5_000, 5_000];
  const events = prices.map((price, second): TestEvent => {
    return { kind: "trade", timeMs: START + second * SECOND, price, size: 500, side: price === 10_000 ? 1 : -1 };
  });
  const stages: unknown[] = [];
  const { report } = await run({
    data: memorySource(events),
    ...{ latencyMs: 0, leverage: 10, deposit: "10000" },
    outages: [{ fromMs: START + 3_500, toMs: START + 10_000 }],
    strategy: strategy({
      init: (ctx) => void ctx.place({ side: "buy", size: 8 }),
      onLiquidation: (ctx, { stage, timeMs }) => stages.push([sinceStart(ctx), stage, timeMs - START < 9_000]),
    }),
  });
  expect(report.liquidations.total).toBe(1);
  expect(stages.length).toBeGreaterThan(0);
  for (const [at, , isDuring] of stages as [number, string, boolean][]) expect([at, isDuring]).toEqual([10_000, true]);
});

test("more levels of a book than a message has are refused by name", async () => {
  const levels = Array.from({ length: 30 }, (_, place): TestEvent[] => [
    {
      kind: "depth",
      timeMs: START,
      side: 1,
      price: 9_999 - place,
      size: 1,
      flags: BookFlag.snapshot | (place === 0 ? BookFlag.first : 0),
      id: 1,
    },
    { kind: "depth", timeMs: START, side: -1, price: 10_001 + place, size: 1, flags: BookFlag.snapshot, id: 1 },
  ]).flat();
  const events: TestEvent[] = [
    ...levels,
    ...[5_000, 20_000].map(
      (ms): TestEvent => ({ kind: "trade", timeMs: START + ms, price: 10_001, size: 0.1, side: 1 }),
    ),
  ];
  const seen: number[] = [];
  const deep = (most: number) =>
    run({
      data: memorySource(events),
      feedLatencyMs: 5,
      parameters: { minNotional: "0" },
      strategy: strategy({ onTrade: (ctx) => void seen.push(ctx.market.depth("buy", most).length) }),
    });
  await deep(20);
  expect(seen).toEqual([20]);
  await expect(deep(21)).rejects.toMatchObject({
    code: "STRATEGY_FAILED",
    message: expect.stringContaining("depth of 21 levels"),
    hint: expect.stringContaining("at most 20 levels"),
  });
});
