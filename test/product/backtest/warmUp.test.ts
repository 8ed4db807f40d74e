import { describe, expect, test } from "vitest";
import type { Bar, FrameBar } from "../../../src/client/strategy/facts.ts";
import type { WarmUp } from "../../../src/client/strategy/warmUp.ts";
import type { BacktestOptions } from "../../../src/product/backtest/options.ts";
import { run, strategy } from "./helpers.ts";
import { HOUR, hourlyBars, memorySource, START, type TestEvent } from "./memorySource.ts";
import { wander } from "./wander.ts";

const bars = hourlyBars(Array.from({ length: 48 }, (_, at) => [1_000 + at, 1_005 + at, 995 + at, 1_001 + at] as const));
const hourOf = (timeMs: number) => (timeMs - START) / HOUR;

/** Runs a strategy that buys in every bar, and keeps which bars it saw before and after the start. */
async function follow(warmUp: WarmUp, options: Partial<BacktestOptions> = {}) {
  const before: Bar[] = [];
  const after: Bar[] = [];
  const frames: FrameBar[] = [];
  const rejected: string[] = [];
  const result = await run({
    data: memorySource(bars),
    ...options,
    strategy: strategy({
      warmUp,
      frames: ["4h"],
      onBar(ctx, bar) {
        (ctx.isWarmUp ? before : after).push(bar);
        expect(bar.closeTimeMs).toBeLessThanOrEqual(ctx.now.timeMs);
        expect(ctx.now.height >= 1 && ctx.account.equity).toBe(10_000);
        if (!ctx.isWarmUp || before.length > 1) return;
        ctx.place({ side: "buy", size: 1 });
        ctx.setPosition(2);
        ctx.setLeverage(3);
        ctx.stop({ side: "sell", trigger: 900 });
        ctx.cancelAll();
      },
      onFrame: (_ctx, frame) => void frames.push(frame),
      onReject: (_ctx, { code }) => void rejected.push(code),
    }),
  });
  return { before: before.map(({ openTimeMs }) => hourOf(openTimeMs)), after, frames, rejected, result };
}

describe("a warm-up", () => {
  test("takes the first bars of the data, and the run begins after them", async () => {
    const { before, after, result } = await follow({ bars: 10 });
    expect(before).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(hourOf(after[0]!.openTimeMs)).toBe(10);
    expect(result.report.run.startMs).toBe(START + 10 * HOUR + 1);
    expect(result.report.run.assumptions.join("\n")).toContain(
      "the strategy saw 10 bars from 2024-01-01 00:00 UTC on, before the start at 2024-01-01 10:00 UTC",
    );
    expect(result.report.run.notices).toEqual([]);
  });

  test("lies before a start that is given, and a report says where the data is too short", async () => {
    const enough = await follow({ span: "6h" }, { fromMs: START + 20 * HOUR });
    expect(enough.before).toEqual([14, 15, 16, 17, 18, 19]);
    expect(hourOf(enough.after[0]!.openTimeMs)).toBe(20);
    const short = await follow({ bars: 30 }, { fromMs: START + 5 * HOUR });
    expect(short.before).toEqual([0, 1, 2, 3, 4]);
    expect(short.result.report.run.notices.join()).toContain(
      "asks for 30 bars of BTC before it trades; the data has 5",
    );
  });

  test("trades nothing: all that is sent in it is rejected with WARM_UP, and reported", async () => {
    const { rejected, result } = await follow({ bars: 10 });
    expect(rejected).toEqual(Array(5).fill("WARM_UP"));
    expect(result.report.fills.total).toBe(0);
    expect(result.report.rejections).toMatchObject([{ code: "WARM_UP", count: 5 }]);
    // Only the leverage at the start was sent.
    expect(result.seen[0]!.block.transactions.filter(({ header }) => header.clientTxId !== "")).toHaveLength(1);
  });

  test("fills higher time frames, whose first bar is then whole", async () => {
    const cold = await follow({ bars: 0 }, { fromMs: START + 10 * HOUR });
    const warm = await follow({ bars: 3 }, { fromMs: START + 10 * HOUR });
    const opens = ({ frames }: typeof cold) => frames.map(({ openTimeMs }) => hourOf(openTimeMs)).slice(0, 2);
    expect(opens(cold)).toEqual([12, 16]);
    expect(opens(warm)).toEqual([8, 12]);
    expect(warm.frames[0]).toMatchObject({ bars: 4, open: 1_008, close: 1_012 });
  });

  test("is made of trades where there are no bars, by market", async () => {
    const trades = wander(3, 200);
    const other = wander(4, 200).map((event): TestEvent => ({ ...event, market: 1 }));
    const data = memorySource([...trades, ...other], { markets: ["BTC", "ETH"] });
    const cold: Bar[] = [];
    const warm: (readonly [boolean, Bar])[] = [];
    await run({ data, strategy: strategy({ onBar: (_ctx, bar) => void cold.push(bar) }) });
    await run({
      data,
      strategy: strategy({ warmUp: { bars: 5 }, onBar: (ctx, bar) => void warm.push([ctx.isWarmUp, bar]) }),
    });
    expect(warm.filter(([isWarmUp]) => isWarmUp)).toHaveLength(10);
    expect(warm.map(([, bar]) => bar)).toEqual(cold.slice(cold.length - warm.length));
  });

  test("that leaves nothing to trade is refused", async () => {
    for (const [warmUp, options] of [
      [{ bars: 48 }, {}],
      [{ span: "30d" }, {}],
      [{ bars: 10 }, { toMs: START + 5 * HOUR }],
    ] as const) {
      await expect(follow(warmUp, options)).rejects.toMatchObject({ code: "DATA_UNUSABLE", place: expect.anything() });
    }
  });

  test("that is no number of bars and no span, or that no hook sees, is refused", () => {
    const invalid = expect.objectContaining({ code: "STRATEGY_INVALID", place: "warmUp" });
    const onBar = () => {};
    for (const warmUp of [{}, { bars: 1.5 }, { bars: -1 }, { span: "x" }, { bars: 1, span: "1h" }, { days: 3 }, 5]) {
      expect(() => strategy({ warmUp: warmUp as never, onBar }), JSON.stringify(warmUp)).toThrow(invalid);
    }
    expect(() => strategy({ warmUp: { bars: 5 } })).toThrow(invalid);
  });
});

// No look-ahead: what follows the start changes nothing of the warm-up.
test("the bars of a warm-up do not depend on what comes after the start", async () => {
  const changed = bars.map(
    (bar, at): TestEvent => (at < 10 ? bar : ({ ...bar, ohlc: [500, 505, 495, 500] } as TestEvent)),
  );
  const one = await follow({ bars: 10 });
  const other = await follow({ bars: 10 }, { data: memorySource(changed) });
  expect(other.before).toEqual(one.before);
  expect(other.frames.slice(0, 2)).toEqual(one.frames.slice(0, 2));
});
