import { describe, expect, test } from "vitest";
import { parseSpan, startOfSpan } from "../../../src/client/strategy/spans.ts";
import { run, strategy } from "./helpers.ts";
import { HOUR, hourlyBars, memorySource, START } from "./memorySource.ts";
import { wander } from "./wander.ts";

const hours = memorySource(
  hourlyBars(
    Array.from({ length: 50 }, (_, at) => {
      const [open, close] = [1_000 + at, 1_001 + at];
      return [open, close + 5, open - 5, close] as const;
    }),
  ),
);

describe("bars of higher time frames in a backtest", () => {
  test("come after the bar that ends them, in the block of their close", async () => {
    const seen: string[] = [];
    const hour = (timeMs: number) => (timeMs - START) / HOUR;
    await run({
      data: hours,
      strategy: strategy({
        frames: ["1d", "4h"],
        onBar: (_ctx, { closeTimeMs }) =>
          void (closeTimeMs % (24 * HOUR) === 0 && seen.push(`bar ${hour(closeTimeMs)}`)),
        onFrame(ctx, { frame, openTimeMs, closeTimeMs, open, high, low, close, volume, bars }) {
          expect(ctx.now.timeMs).toBe(closeTimeMs);
          if (closeTimeMs % (24 * HOUR) !== 0) return;
          seen.push(
            `${frame} ${hour(openTimeMs)}-${hour(closeTimeMs)} ${open} ${high} ${low} ${close} ${volume} ${bars}`,
          );
        },
      }),
    });
    expect(seen).toEqual([
      "bar 24",
      "4h 20-24 1020 1029 1015 1024 4000 4",
      "1d 0-24 1000 1029 995 1024 24000 24",
      "bar 48",
      "4h 44-48 1044 1053 1039 1048 4000 4",
      "1d 24-48 1024 1053 1019 1048 24000 24",
    ]);
  });

  test("are made of bars of trades as well, also without onBar, and at their time", async () => {
    const data = memorySource(wander(3, 120));
    const bars: unknown[] = [];
    const frames: unknown[] = [];
    await run({ data, strategy: strategy({ onBar: (_ctx, bar) => void bars.push(bar) }) });
    await run({
      data,
      strategy: strategy({
        frames: ["1m", "5m"],
        onFrame(ctx, { frame, bars: count, ...bar }) {
          if (frame === "1m") {
            frames.push(bar);
            return;
          }
          expect(count).toBe(5);
          // Bars of trades are complete with the first block after them; a frame has a block of its own.
          expect(ctx.now.timeMs).toBe(bar.closeTimeMs);
        },
      }),
    });
    expect(frames.length).toBeGreaterThan(9);
    expect(frames).toEqual(bars.slice(0, frames.length));
  });

  test("may be named by a parameter", async () => {
    let count = 0;
    await run({
      data: hours,
      strategy: strategy({ frames: () => ["2h"], onFrame: () => void count++ }),
    });
    expect(count).toBe(25);
  });

  test("end the run where they cannot be made of its bars", async () => {
    const failing = run({ data: hours, strategy: strategy({ frames: ["30m"], onFrame: () => {} }) });
    await expect(failing).rejects.toMatchObject({
      code: "STRATEGY_FAILED",
      message: expect.stringContaining("frame 30m cannot be made of the bars of BTC"),
    });
  });

  test("and their hook are declared together", () => {
    const invalid = expect.objectContaining({ code: "STRATEGY_INVALID", place: "frames" });
    expect(() => strategy({ frames: ["1h"] })).toThrow(invalid);
    expect(() => strategy({ onFrame: () => {} })).toThrow(invalid);
    expect(() => strategy({ frames: "1h" as never, onFrame: () => {} })).toThrow(invalid);
  });
});

describe("timers in a backtest", () => {
  test("have a block at their time, also where the data has nothing", async () => {
    const far = [...wander(3, 10), { kind: "trade" as const, timeMs: START + 3.5 * HOUR, price: 9_990, size: 1 }];
    const seen: (readonly [string, number, number])[] = [];
    const { seen: blocks } = await run({
      data: memorySource(far),
      strategy: strategy({
        init(ctx) {
          ctx.every("1h");
          ctx.after("10m", "once");
        },
        onTimer(ctx, { name, timeMs }) {
          seen.push([name, timeMs, ctx.now.timeMs]);
          if (name === "once") ctx.place({ side: "buy", size: 0.1, price: 9_000 });
        },
      }),
    });
    const first = blocks[0]!.block.timeMs;
    const due = [first + 600_000, START + HOUR, START + 2 * HOUR, START + 3 * HOUR];
    expect(seen).toEqual(due.map((timeMs, at) => [at === 0 ? "once" : "1h", timeMs, Math.ceil(timeMs / 100) * 100]));
  });

  test("make the same blocks for the same data", async () => {
    const once = () =>
      run({
        data: memorySource(wander(5, 200), { chunkRows: 17 }),
        strategy: strategy({
          init: (ctx) => ctx.every("13s"),
          onTimer(ctx) {
            expect(ctx.now.timeMs).toBe(startOfSpan(ctx.now.timeMs, parseSpan("13s")!));
            ctx.setPosition((ctx.rng.below(3) - 1) / 4);
          },
        }),
      });
    const [a, b] = [await once(), await once()];
    expect(a.root).toBe(b.root);
    expect(a.report.fills.total).toBeGreaterThan(20);
  });
});
