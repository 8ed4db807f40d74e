import { describe, expect, test } from "vitest";
import type { Context } from "../../../src/client/strategy/context.ts";
import type { BacktestOptions } from "../../../src/product/backtest/options.ts";
import { run, strategy } from "./helpers.ts";
import { HOUR, hourlyBars, memorySource, START } from "./memorySource.ts";

const calm = memorySource(
  hourlyBars(
    Array.from({ length: 12 }, () => [100, 100, 100, 100] as const),
    400_000,
  ),
);

/** What a strategy asks for after the bar of an hour. */
type Plan = Readonly<Record<number, (ctx: Context) => void>>;

/** Runs a plan; the position after each hour, and what the strategy sent from the second block on. */
async function follow(plan: Plan, options: Partial<BacktestOptions> = {}) {
  const held: number[] = [];
  const rejected: string[] = [];
  const result = await run({
    data: calm,
    parameters: { minNotional: "0" },
    ...options,
    strategy: strategy({
      onBar(ctx, { closeTimeMs }) {
        held.push(ctx.account.position().size);
        plan[(closeTimeMs - START) / HOUR]?.(ctx);
      },
      onReject: (_ctx, { code, smallestSize }) => void rejected.push(`${code} ${smallestSize}`),
    }),
  });
  const sent = result.seen
    .slice(1)
    .flatMap(({ block }) => block.transactions)
    .filter(({ header }) => header.clientTxId.startsWith("t"))
    .map(({ action }) => action);
  return { held, sent, rejected, result };
}

const set = (size: number) => (ctx: Context) => ctx.setPosition(size);

describe("setPosition", () => {
  test("opens, grows, cuts, turns and closes a position to the size that is asked for", async () => {
    const { held, sent, rejected } = await follow({
      1: set(3),
      3: set(5),
      5: set(2),
      7: set(-4),
      9: set(0),
      10: set(0),
    });
    expect(held).toEqual([0, 3, 3, 5, 5, 2, 2, -4, -4, 0, 0, 0]);
    expect(sent).toEqual(["placeOrder", "placeOrder", "closePosition", "closePosition", "placeOrder", "closePosition"]);
    expect(rejected).toEqual([]);
  });

  test("rounds toward zero to a lot, and sends nothing where the position is there already", async () => {
    const { held, sent } = await follow({ 1: set(-3.019), 3: set(-3.01), 5: set(-3.015) });
    expect(held.at(-1)).toBe(-3.01);
    expect(sent).toEqual(["placeOrder"]);
  });

  test("below the smallest order: from flat it is a rejection, as a small increase nothing, as a cut an order", async () => {
    const parameters = { minSize: "2", minNotional: "0" };
    const { held, sent, rejected } = await follow(
      { 1: set(1), 2: set(0.001), 3: set(4), 5: set(5), 7: set(3), 9: set(-1) },
      { parameters },
    );
    expect(rejected).toEqual(["SIZE_TOO_SMALL 2", "SIZE_TOO_SMALL 2", "SIZE_TOO_SMALL 2"]);
    // The turn closes; the short of 1 is too small to open.
    expect(held).toEqual([0, 0, 0, 4, 4, 4, 4, 3, 3, 0, 0, 0]);
    expect(sent).toEqual(["placeOrder", "placeOrder", "closePosition", "closePosition", "placeOrder"]);
  });

  test("the last target of a block wins, and one order is sent", async () => {
    const { held, sent } = await follow({
      1(ctx) {
        for (const size of [9, -2, 6]) ctx.setPosition(size);
      },
    });
    expect(held.at(-1)).toBe(6);
    expect(sent).toEqual(["placeOrder"]);
  });

  test("a target waits for orders in flight, so that none of them is counted twice or left out", async () => {
    const plan: Plan = {
      1: (ctx) => {
        ctx.place({ side: "buy", size: 4 });
        ctx.setPosition(6);
      },
      2: set(-1),
      5: set(2),
    };
    // 80 minutes: an order of one bar is in flight at the next.
    const { held, result } = await follow(plan, { latencyMs: 80 * 60_000 });
    expect(held.at(-1)).toBe(2);
    const sides = result.report.fills.kept.map(({ side, size }) => `${side} ${size}`);
    // The place fills, then -1 replaces 6, which was not sent: it closes and opens. Nothing is ever above what was
    // asked for.
    expect(sides).toEqual(["buy 4", "sell 4", "sell 1", "buy 1", "buy 2"]);
  });

  test("cancels resting orders that would move the position away, and keeps those that only reduce", async () => {
    const { result } = await follow({
      1: set(5),
      3(ctx) {
        ctx.place({ side: "buy", size: 1, price: 90 });
        ctx.place({ side: "sell", size: 1, price: 110, reduceOnly: true });
      },
      5(ctx) {
        expect(ctx.account.orders()).toHaveLength(2);
        ctx.setPosition(5);
      },
      7(ctx) {
        expect(ctx.account.orders().map(({ reduceOnly }) => reduceOnly)).toEqual([true]);
        ctx.place({ side: "buy", size: 1, price: 90 });
        ctx.place({ side: "buy", size: 1, price: 91 });
      },
      9: set(0),
      11: (ctx) => expect(ctx.account.orders()).toEqual([]),
    });
    expect(result.report.rejections).toEqual([]);
  });

  test("splits a change that is larger than the largest order", async () => {
    const { held, sent } = await follow(
      { 1: set(10), 3: set(-5) },
      { parameters: { maxSize: "4", minNotional: "0" }, tick: "1" },
    );
    expect(held).toEqual([0, 10, 10, -5, ...Array(8).fill(-5)]);
    expect(sent).toEqual([
      ...Array(3).fill("placeOrder"),
      ...Array(3).fill("closePosition"),
      ...Array(2).fill("placeOrder"),
    ]);
  });

  test("every order has the slippage bound that was asked for: opened, grown, cut, turned and closed", async () => {
    const move = (size: number) => (ctx: Context) => ctx.setPosition(size, { slippage: 0.02 });
    const { held, result } = await follow({ 1: move(3), 3: move(5), 5: move(2), 7: move(-4), 9: move(0) });
    expect(held).toEqual([0, 3, 3, 5, 5, 2, 2, -4, -4, 0, 0, 0]);
    const bounds = result.seen
      .flatMap(({ block }) => block.transactions)
      .filter(({ action }) => action === "placeOrder" || action === "closePosition")
      .filter(({ header }) => header.clientTxId.startsWith("t"))
      .map(({ payload }) => (payload as { readonly slippage: number }).slippage);
    expect(bounds).toEqual(Array(6).fill(20_000_000));
  });

  // MRG-4: the close alone would leave an account flat that may open nothing of that size.
  test("an account below its initial margin turns its position with one order", async () => {
    const fall = [100, 100, 92, 92] as const;
    const bars = [...Array(3).fill([100, 100, 100, 100]), fall, ...Array(4).fill([92, 92, 92, 92])];
    const { held, sent, rejected } = await follow(
      { 1: set(900), 6: (ctx) => ctx.setPosition(-850, { slippage: 0.001 }) },
      {
        data: memorySource(hourlyBars(bars, 4_000_000)),
        leverage: 10,
        deposit: "10000",
      },
    );
    expect(rejected).toEqual([]);
    expect(sent.at(-1)).toBe("placeOrder");
    expect(held.at(-1)).toBe(-850);
  });

  test("a healthy account that cannot carry the other side is at least flat", async () => {
    const { held, rejected } = await follow({ 1: set(50), 3: set(-500) });
    expect(held).toEqual([0, 50, 50, 0, ...Array(8).fill(0)]);
    expect(rejected).toEqual(["INSUFFICIENT_MARGIN undefined"]);
  });

  test("moves each market by its own target", async () => {
    const bars = hourlyBars(
      Array.from({ length: 4 }, () => [100, 100, 100, 100] as const),
      400_000,
    );
    const data = memorySource([...bars, ...bars.map((bar) => ({ ...bar, market: 1 }))], { markets: ["BTC", "ETH"] });
    const ends: number[] = [];
    await run({
      data,
      strategy: strategy({
        init(ctx) {
          ctx.setPosition(2);
          ctx.setPosition(-3, { market: "ETH" });
        },
        onEnd: ({ account }) => void ends.push(account.position("BTC").size, account.position("ETH").size),
      }),
    });
    expect(ends).toEqual([2, -3]);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 1e9])("%f is an error of the strategy", async (size) => {
    await expect(follow({ 1: set(size) })).rejects.toMatchObject({
      code: "STRATEGY_FAILED",
      message: expect.stringContaining(`position ${size}`),
    });
  });
});
