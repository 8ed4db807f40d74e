import { expect, test } from "vitest";
import { ownFills, run, strategy } from "./helpers.ts";
import { HOUR, hourlyBars, memorySource, START, type TestEvent } from "./memorySource.ts";

const flat = (hours: number, price = 100) =>
  hourlyBars(
    Array.from({ length: hours }, () => [price, price, price, price] as const),
    100_000,
  );

/** Takes a position of a share of what leverage allows, once, and holds it. */
const hold = (side: "buy" | "sell", share = 0.9) =>
  strategy({
    init(ctx) {
      const { account, market } = ctx;
      const size = market.roundSize((account.equity * market.leverage * share) / market.mark!);
      ctx.place({ side, size, slippage: 0.01 });
    },
  });

const fundingAt = (rates: readonly number[]): TestEvent[] =>
  rates.map((rate, at) => ({ kind: "funding", timeMs: START + (at + 1) * 8 * HOUR, rate }));

test("longs pay funding when the rate is positive, shorts receive it, and the price decides nothing", async () => {
  const data = memorySource([...flat(25), ...fundingAt([0.001, -0.0005, 0.002])]);
  const long = await run({ data, strategy: hold("buy", 0.5) });
  const short = await run({ data, strategy: hold("sell", 0.5) });
  // 5,000 USD of notional: the house's best ask is 100, its best bid a tick below.
  expect(long.report.funding.kept.map(({ amount }) => Number(amount))).toEqual([-5, 2.5, -10]);
  expect(short.report.funding.kept.map(({ amount }) => Number(amount))).toEqual([5, -2.5, 10]);
  expect(long.report.attribution.funding).toBe("-12.5");
  expect(short.report.attribution.funding).toBe("12.5");
});

test("a payment shows at its time, and to the strategy, though the venue settles it with the next change", async () => {
  const calls: unknown[] = [];
  const result = await run({
    data: memorySource([...flat(25), ...fundingAt([0.001, 0.001])]),
    strategy: strategy({
      init(ctx) {
        ctx.place({ side: "buy", size: 10, slippage: 0.01 });
      },
      onFunding(_ctx, { timeMs, rate, amount, market }) {
        calls.push([market, timeMs - START, rate, amount]);
      },
    }),
  });
  expect(calls).toEqual([
    ["BTC", 8 * HOUR, 0.001, -1],
    ["BTC", 16 * HOUR, 0.001, -1],
  ]);
  expect(result.report.funding.kept.map(({ timeMs }) => timeMs - START)).toEqual([8 * HOUR, 16 * HOUR]);
});

/** Calm, then a fall of 15 % in an hour with little volume, then calm. */
const crash = [
  ...flat(6),
  ...[
    [100, 100, 84, 85],
    [85, 86, 83, 85],
    [85, 86, 84, 85],
  ].map(
    (ohlc, at): TestEvent => ({
      kind: "bar",
      timeMs: START + (7 + at) * HOUR,
      ohlc: ohlc as [number, number, number, number],
      volume: 4_000,
    }),
  ),
];

test("a crash liquidates at ten times leverage and not at one", async () => {
  const data = memorySource(crash);
  const one = await run({ data, strategy: hold("buy"), leverage: 1 });
  const ten = await run({ data, strategy: hold("buy"), leverage: 10 });
  expect(one.report.liquidations.total).toBe(0);
  expect(ten.report.liquidations.total).toBeGreaterThan(0);
  const [first] = ten.report.liquidations.kept;
  expect(first).toMatchObject({ market: "BTC", side: "long", size: "900" });
  expect(first!.stages).toEqual(expect.arrayContaining(["open", "bookClosing"]));
  // The book does not hold 900: 100 a point, so the rest is deleveraged against the house at the bankruptcy price.
  expect(first!.fills.filter(({ kind }) => kind === "book").length).toBeGreaterThan(0);
  expect(first!.fills.reduce((sum, { size }) => sum + Number(size), 0)).toBe(900);
  expect(Number(ten.report.insurance.kept[0]!.amount)).not.toBe(0);
  expect(ten.report.attribution.residual).toBe("0");
  expect(one.report.attribution.residual).toBe("0");
});

test("the account of a run adds up to the unit, whatever the strategy does", async () => {
  const shapes = Array.from({ length: 120 }, (_, i) => {
    const open = 100 + ((i * 7) % 13) - ((i * 3) % 5);
    const close = 100 + (((i + 1) * 7) % 13) - (((i + 1) * 3) % 5);
    return [open, Math.max(open, close) + 2, Math.min(open, close) - 2, close] as const;
  });
  const data = memorySource([...hourlyBars(shapes, 4_000), ...fundingAt([0.0003, -0.0011, 0.0007, 0.0001])]);
  const result = await run({
    data,
    leverage: 20,
    fees: { maker: "-0.0001", taker: "0.0005" },
    strategy: strategy({
      onBlock(ctx) {
        const { rng, market, account } = ctx;
        if (account.equity <= 0) return;
        const size = market.roundSize(1 + rng.below(300));
        const side = rng.chance(1, 2) ? "buy" : "sell";
        switch (rng.below(6)) {
          case 0:
            ctx.place({ side, size, slippage: 0.01 });
            break;
          case 1:
            ctx.place({ side, size, price: market.roundPrice(market.last! + rng.between(-4, 4)) });
            break;
          case 2:
            ctx.cancelAll();
            break;
          case 3:
            ctx.close();
            break;
          case 4: {
            const [order] = account.orders();
            if (order !== undefined)
              ctx.amend(order.id, { price: market.roundPrice(order.price + rng.between(-2, 2)) });
            break;
          }
        }
      },
    }),
  });
  const { report } = result;
  expect(report.attribution.residual).toBe("0");
  expect(report.fills.total).toBeGreaterThan(50);
  expect(report.fills.kept.some(({ role }) => role === "maker")).toBe(true);
  expect(report.rejections.length).toBeGreaterThan(0);
});

test("signatures made and checked, or left out: the same roots at every height", async () => {
  const options = {
    data: memorySource([...crash, ...fundingAt([0.001])]),
    strategy: hold("buy"),
    leverage: 10,
  } as const;
  const elided = await run(options);
  const verified = await run({ ...options, signatures: "verify" });
  expect(verified.root).toBe(elided.root);
  expect(verified.head).toBe(elided.head);
  expect(verified.seen.every(({ block }) => block.signatures?.length === block.transactions.length)).toBe(true);
  expect(elided.seen.every(({ block }) => block.signatures === undefined)).toBe(true);
});

// Goal: no decision depends on what comes later. Method: change everything after a bar's close, compare what was sent
// up to it.
test("changing the data after a time changes no decision before it", async () => {
  const prices = Array.from({ length: 60 }, (_, i) => 100 + Math.round(10 * ((i * 37) % 17)) / 10);
  const bars = (change: (price: number, at: number) => number, volume: (at: number) => number) =>
    prices.slice(1).map((_, at): TestEvent => {
      const open = change(prices[at]!, at);
      const close = change(prices[at + 1]!, at);
      return {
        kind: "bar",
        timeMs: START + (at + 1) * HOUR,
        ohlc: [open, Math.max(open, close) + 1, Math.min(open, close) - 1, close],
        volume: volume(at),
      };
    });
  const trader = strategy({
    onBar(ctx, { close, open }) {
      if (close > open) ctx.place({ side: "buy", size: 1, slippage: 0.01 });
      else ctx.place({ side: "sell", size: 1, slippage: 0.01 });
    },
    onBlock(ctx) {
      if (ctx.market.bestBid !== undefined && ctx.rng.chance(1, 3)) {
        ctx.place({ side: "buy", size: 1, price: ctx.market.bestBid });
      }
    },
  });
  const cut = 30;
  const sentUpTo = async (events: readonly TestEvent[]) => {
    const { seen } = await run({ data: memorySource(events), strategy: trader, tick: "0.1" });
    return seen
      .filter(({ block }) => block.timeMs <= START + cut * HOUR)
      .map(({ block, statuses }) => JSON.stringify([block.timeMs, block.transactions.slice(2), statuses]));
  };
  const before = await sentUpTo(
    bars(
      (price) => price,
      () => 4_000,
    ),
  );
  const after = await sentUpTo(
    bars(
      (price, at) => (at < cut ? price : 260 - price),
      (at) => (at < cut ? 4_000 : 90),
    ),
  );
  expect(before.length).toBeGreaterThan(4 * (cut - 1));
  expect(after).toEqual(before);
  // And the planted fault: a change inside the time does show.
  const inside = await sentUpTo(
    bars(
      (price, at) => (at < cut - 5 ? price : 260 - price),
      () => 4_000,
    ),
  );
  expect(inside).not.toEqual(before);
});

test("a strategy sees its fills with the id of the transaction that placed the order", async () => {
  const fills: unknown[] = [];
  const sent: string[] = [];
  const result = await run({
    data: memorySource(
      hourlyBars(
        [
          [100, 104, 96, 100],
          [100, 104, 96, 100],
        ],
        800,
      ),
    ),
    strategy: strategy({
      init(ctx) {
        sent.push(ctx.place({ side: "buy", size: 5, price: 98 }));
      },
      onFill(_ctx, { id, role, price, size, remaining }) {
        fills.push([id, role, price, size, remaining]);
      },
    }),
  });
  expect(sent).toEqual(["t2"]); // t1 is the driver's own choice of leverage
  expect(fills).toEqual([["t2", "maker", 98, 5, 0]]);
  expect(ownFills(result)).toHaveLength(1);
});

test("a rejection reaches the strategy and the report by its code", async () => {
  const rejected: string[] = [];
  const result = await run({
    data: memorySource(flat(3)),
    strategy: strategy({
      init(ctx) {
        ctx.place({ side: "buy", size: 1_000, slippage: 0.01 });
        ctx.cancel("t99");
      },
      onReject(_ctx, { id, code }) {
        rejected.push(`${id} ${code}`);
      },
    }),
  });
  expect(rejected).toEqual(["t2 INSUFFICIENT_MARGIN", "t3 ORDER_NOT_FOUND"]);
  expect(result.report.rejections.map(({ code, count }) => [code, count])).toEqual([
    ["INSUFFICIENT_MARGIN", 1],
    ["ORDER_NOT_FOUND", 1],
  ]);
});

test("markets are traded side by side, each along its own bars", async () => {
  const second = flat(3, 50).map((event): TestEvent => ({ ...event, market: 1 }));
  const result = await run({
    data: memorySource([...flat(3), ...second], { markets: ["BTC", "ETH"] }),
    strategy: strategy({
      init(ctx) {
        for (const market of ctx.markets) ctx.place({ market: market.name, side: "buy", size: 1, slippage: 0.01 });
        expect(() => ctx.account.position("DOGE")).toThrow(expect.objectContaining({ code: "ORDER_INVALID" }));
      },
    }),
  });
  expect(ownFills(result).map(({ market, price }) => [market, price])).toEqual([
    ["BTC", "100"],
    ["ETH", "50"],
  ]);
});

test("the same options make the same run, and another seed another one where the strategy draws", async () => {
  const drawing = strategy({
    onBar(ctx) {
      if (ctx.rng.chance(1, 2)) ctx.place({ side: "buy", size: 1, slippage: 0.01 });
    },
  });
  const options = { data: memorySource(flat(30)), strategy: drawing };
  const first = await run(options);
  expect((await run(options)).head).toBe(first.head);
  expect((await run({ ...options, seed: "another" })).head).not.toBe(first.head);
});
