import { describe, expect, test } from "vitest";
import type { Context } from "../../../src/client/strategy/context.ts";
import type { Fill, IntentChange } from "../../../src/client/strategy/facts.ts";
import { Random } from "../../../src/ground/math/random.ts";
import type { BacktestOptions } from "../../../src/product/backtest/options.ts";
import { run, strategy } from "./helpers.ts";
import { HOUR, hourlyBars, memorySource, START } from "./memorySource.ts";

type Plan = Readonly<Record<number, (ctx: Context) => void>>;

/** Hourly bars from one close to the next. */
function path(closes: readonly number[]) {
  let before = closes[0]!;
  const bars = closes.map((close) => {
    const open = before;
    before = close;
    return [open, Math.max(open, close), Math.min(open, close), close] as const;
  });
  return memorySource(hourlyBars(bars, 400_000));
}

/** Runs a plan by the hour of the bar, and keeps what the strategy learns. */
async function follow(closes: readonly number[], plan: Plan, options: Partial<BacktestOptions> = {}) {
  const fills: Fill[] = [];
  const changes: IntentChange[] = [];
  const rejected: string[] = [];
  const intents: string[][] = [];
  let size = 0;
  const result = await run({
    data: path(closes),
    parameters: { minNotional: "0" },
    deposit: "100000",
    ...options,
    strategy: strategy({
      onBar(ctx, { closeTimeMs }) {
        intents.push(ctx.account.intents().map(({ kind, status, size: left }) => `${kind} ${status} ${left}`));
        plan[(closeTimeMs - START) / HOUR]?.(ctx);
      },
      onFill: (_ctx, fill) => void fills.push(fill),
      onIntent: (_ctx, change) => void changes.push(change),
      onReject: (_ctx, { id, code }) => void rejected.push(`${id} ${code}`),
      onBlock: (ctx) => void (size = ctx.account.position().size),
    }),
  });
  const changed = changes.map(({ id, kind, status, cause }) =>
    [id, kind, status, ...(cause === undefined ? [] : [cause])].join(" "),
  );
  return { fills, changed, rejected, intents, size, result };
}

describe("a bracket", () => {
  test("takes its profit, and the stop ends with the position", async () => {
    const { fills, changed, intents, size, result } = await follow([1000, 1000, 1020, 1040, 1040], {
      1: (ctx) => ctx.place({ side: "buy", size: 2, stop: 980, takeProfit: 1030 }),
    });
    expect(fills.map(({ id, side, size: lots, intent }) => [id, side, lots, intent])).toEqual([
      ["t2", "buy", 2, undefined],
      ["t2", "sell", 2, "takeProfit"],
    ]);
    expect(changed).toEqual(["t2 takeProfit triggered", "t2 stop cancelled position", "t2 takeProfit executed"]);
    expect(intents.slice(0, 3)).toEqual([
      [],
      ["stop armed 2", "takeProfit armed 2"],
      ["stop armed 2", "takeProfit armed 2"],
    ]);
    expect(size).toBe(0);
    expect(result.report.attribution.residual).toBe("0");
    expect(result.report.orders).toMatchObject({ placed: 2 });
  });

  test("is stopped out, also by a trailing stop", async () => {
    const closes = [1000, 1000, 1040, 1030, 1024, 1005, 1005];
    const fixed = await follow(closes, {
      1: (ctx) => ctx.place({ side: "buy", size: 2, stop: 1010, takeProfit: 1200 }),
    });
    expect(fixed.fills.at(-1)).toMatchObject({ side: "sell", size: 2, intent: "stop" });
    const trailing = await follow(closes, { 1: (ctx) => ctx.place({ side: "buy", size: 2, stop: { trail: 15 } }) });
    expect(trailing.fills.at(-1)).toMatchObject({ side: "sell", size: 2, intent: "trailingStop" });
    // The best mark is 1040, so that the trigger is 1025.
    expect(trailing.fills.at(-1)!.price).toBeLessThanOrEqual(1025);
    expect(trailing.fills.at(-1)!.price).toBeGreaterThan(1015);
    expect(trailing.changed).toEqual(["t2 trailingStop triggered", "t2 trailingStop executed"]);
  });

  test("whose entry rests waits, and ends when the entry is cancelled by its name", async () => {
    const orders: unknown[] = [];
    const { fills, changed, intents, rejected } = await follow([1000, 1000, 1000, 1000], {
      1: (ctx) => ctx.place({ side: "buy", size: 2, price: 900, stop: 880, takeProfit: 950 }),
      2: (ctx) => {
        orders.push(...ctx.account.orders().map(({ id, price }) => [id, price]));
        ctx.amend("t2", { price: 901 });
      },
      3: (ctx) => {
        orders.push(...ctx.account.orders().map(({ id, price }) => [id, price]));
        ctx.cancel("t2");
      },
    });
    expect(orders).toEqual([
      ["t2", 900],
      ["t2", 901],
    ]);
    expect(intents[1]).toEqual(["stop waiting 0", "takeProfit waiting 0"]);
    expect(changed).toEqual(["t2 takeProfit cancelled entry", "t2 stop cancelled entry"]);
    expect([fills, rejected]).toEqual([[], []]);
  });

  test("is refused where the entry only reduces", async () => {
    const error = await follow([1000, 1000], {
      1: (ctx) => ctx.place({ side: "buy", size: 1, reduceOnly: true, stop: 900 }),
    }).catch((thrown) => thrown);
    expect(error).toMatchObject({
      code: "STRATEGY_FAILED",
      message: expect.stringContaining("a reduce-only order takes no stop"),
    });
  });
});

describe("a stop or a take-profit of its own", () => {
  test("closes all of the position that there is when it fires", async () => {
    const { fills, size } = await follow([1000, 1000, 1000, 1000, 960], {
      1: (ctx) => ctx.place({ side: "buy", size: 2 }),
      2: (ctx) => ctx.protect({ stop: 970, takeProfit: { trigger: 1100, price: 1099 } }),
      3: (ctx) => ctx.place({ side: "buy", size: 3 }),
    });
    expect(fills.at(-1)).toMatchObject({ side: "sell", size: 5, intent: "stop" });
    expect(size).toBe(0);
  });

  test("opens a position where it is asked to", async () => {
    const { fills, size } = await follow([1000, 1000, 1030, 1030], {
      1: (ctx) => ctx.stop({ side: "buy", trigger: 1020, size: 1.5, reduceOnly: false }),
    });
    expect(fills).toMatchObject([{ side: "buy", size: 1.5, intent: "stop" }]);
    expect(size).toBe(1.5);
  });

  test("is cancelled by its name, by cancelAll, or at its last time", async () => {
    const { changed, size } = await follow([1000, 1000, 1000, 1000, 1000, 1000, 900], {
      1: (ctx) => ctx.place({ side: "buy", size: 1 }),
      2: (ctx) => {
        ctx.stop({ trigger: 950 });
        ctx.takeProfit({ trigger: 1100 });
        ctx.trailingStop({ trailRate: 0.05, untilMs: ctx.now.timeMs + HOUR });
      },
      3: (ctx) => ctx.cancelIntent("t3"),
      5: (ctx) => ctx.cancelAll(undefined, { intents: true }),
    });
    expect(changed).toEqual(["t5 trailingStop expired", "t3 stop cancelled owner", "t4 takeProfit cancelled owner"]);
    expect(size).toBe(1);
  });

  test("is rejected without a position, or beyond the price, and the strategy continues", async () => {
    const { rejected, result } = await follow([1000, 1000, 1000, 1000], {
      1: (ctx) => {
        ctx.stop({ trigger: 900 });
        ctx.takeProfit({ side: "sell", trigger: 1100 });
      },
      2: (ctx) => ctx.place({ side: "buy", size: 1 }),
      3: (ctx) => ctx.stop({ trigger: 1001 }),
    });
    expect(rejected).toEqual(["t2 REDUCE_ONLY_WOULD_INCREASE", "t3 REDUCE_ONLY_WOULD_INCREASE", "t5 TRIGGER_PASSED"]);
    expect(result.report.rejections.map(({ code, count }) => [code, count])).toEqual([
      ["REDUCE_ONLY_WOULD_INCREASE", 2],
      ["TRIGGER_PASSED", 1],
    ]);
  });

  test("that fires and is refused reports the code, and counts as a rejection", async () => {
    const { changed, fills, result } = await follow(
      [1000, 1000, 1030],
      { 1: (ctx) => ctx.stop({ side: "buy", trigger: 1020, size: 500, reduceOnly: false }) },
      { deposit: "1000" },
    );
    expect(changed).toEqual(["t2 stop triggered", "t2 stop failed INSUFFICIENT_MARGIN"]);
    expect(fills).toEqual([]);
    expect(result.report.orders).toMatchObject({ placed: 0, refused: 1 });
  });
});

// INT-2: whatever the path, legs close no more than their entries filled, and never turn the position.
test("brackets close what their entries opened, and never more", { timeout: 60_000 }, async () => {
  for (let seed = 1; seed <= 12; seed++) {
    const random = Random.ofSeed([seed]);
    let price = 1000;
    const closes = Array.from({ length: 60 }, () => (price = Math.max(500, price + random.below(41) - 20)));
    const opened = new Map<string, number>();
    const closed = new Map<string, number>();
    let least = 0;
    const result = await run({
      data: path(closes),
      parameters: { minNotional: "0" },
      deposit: "1000000",
      strategy: strategy({
        onBar(ctx, { close }) {
          if (random.chance(1, 2)) return;
          const size = 1 + random.below(300) / 100;
          const limit = random.chance(1, 2) ? { price: close - random.below(10) } : {};
          const stop = random.chance(1, 3) ? { trail: 5 + random.below(20) } : close - 15 - random.below(20);
          const takeProfit = {
            trigger: close + 5 + random.below(20),
            ...(random.chance(1, 2) ? { price: close + 3 } : {}),
          };
          ctx.place({ side: "buy", size, ...limit, stop, ...(random.chance(1, 2) ? { takeProfit } : {}) });
        },
        onFill(ctx, { id, side, size, intent }) {
          const sums = side === "buy" ? opened : closed;
          expect(intent === undefined).toBe(side === "buy");
          sums.set(id, Math.round(((sums.get(id) ?? 0) + size) * 100) / 100);
          least = Math.min(least, ctx.account.position().size);
        },
      }),
    });
    expect(closed.size, `seed ${seed}`).toBeGreaterThan(3);
    for (const [id, size] of closed) expect(size, `seed ${seed} ${id}`).toBeLessThanOrEqual(opened.get(id) ?? 0);
    expect(least, `seed ${seed}`).toBe(0);
    expect(result.report.attribution.residual).toBe("0");
  }
});
