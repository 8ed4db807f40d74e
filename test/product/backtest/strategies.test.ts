import { expect, test } from "vitest";
import type { BacktestResult } from "../../../src/product/backtest/backtestResult.ts";
import { isBacktestError } from "../../../src/product/backtest/errors.ts";
import type { PortfolioOptions } from "../../../src/product/backtest/options.ts";
import { runBacktest } from "../../../src/product/backtest/runBacktest.ts";
import { computeAttribution, getAttributionInput } from "../../../src/product/report/attribution.ts";
import { getWarnings } from "../../../src/product/report/text/facts.ts";
import { strategy } from "./helpers.ts";
import { HOUR, hourlyBars, memorySource, START, type TestEvent } from "./memorySource.ts";

const flat = (hours: number, price = 100, volume = 100_000): TestEvent[] =>
  hourlyBars(
    Array.from({ length: hours }, () => [price, price, price, price] as const),
    volume,
  );

/** Latency is 0, fees are off, tick 1 and lot 0.01. */
const base = { latencyMs: 0, fees: { maker: "0", taker: "0" }, tick: "1", lot: "0.01" } as const;

const runSeveral = (
  strategies: PortfolioOptions["strategies"],
  options: Partial<PortfolioOptions> = {},
): Promise<BacktestResult> => runBacktest({ data: memorySource(flat(12)), ...base, strategies, ...options });

const of = (result: BacktestResult, name: string) => result.strategies.find((one) => one.name === name)!;

/** Buys or sells once, and holds. */
const holds = (side: "buy" | "sell", size: number) =>
  strategy({
    init(ctx) {
      ctx.place({ side, size, slippage: 0.01 });
    },
  });

/** Rests an order at a price. */
const rests = (side: "buy" | "sell", size: number, price: number) =>
  strategy({
    init(ctx) {
      ctx.place({ side, size, price, postOnly: true });
    },
  });

test("a list of one strategy is the run of that strategy, to the root", async () => {
  const data = memorySource(flat(12));
  const alone = await runBacktest({ data, ...base, strategy: holds("buy", 10), deposit: "5000", leverage: 3 });
  const listed = await runSeveral([{ name: "any", strategy: holds("buy", 10), deposit: "5000", leverage: 3 }]);
  expect(listed.root).toBe(alone.root);
  expect(listed.head).toBe(alone.head);
  const { performance: _a, command: _b, ...run } = alone.report.run;
  const { performance: _c, command: _d, ...other } = listed.report.run;
  expect(other).toEqual(run);
  expect(alone.strategies.map(({ name }) => name)).toEqual(["test"]);
  expect(listed.report.strategies).toEqual([]);
});

test("each strategy has its own deposit, leverage, margin mode and parameters, or those of the run", async () => {
  const seen: Record<string, unknown> = {};
  const spy = (name: string) =>
    strategy({
      onEnd({ account, market }) {
        seen[name] = [account.equity, market.leverage, market.marginMode];
      },
    });
  const result = await runSeveral(
    [
      { name: "first", strategy: spy("first"), deposit: "5000", leverage: 7, margin: "isolated" },
      { name: "second", strategy: spy("second") },
    ],
    { deposit: "300", leverage: 2 },
  );
  expect(seen).toEqual({ first: [5_000, 7, "isolated"], second: [300, 2, "cross"] });
  expect(result.report.summary.initialEquity).toBe("5300");
  expect(result.report.run.driver.leverage).toBeNull();
  expect(of(result, "first").report.run.driver.leverage).toBe(7);
});

test("orders of two strategies meet in the book, and both accounts have the fill", async () => {
  const result = await runSeveral([
    { name: "maker", strategy: rests("sell", 3, 101) },
    {
      name: "taker",
      strategy: strategy({
        onBar(ctx, { closeTimeMs }) {
          // Between the house's ask at 100 and what it has beyond, the maker is the only one at 101 with this size.
          if (closeTimeMs === START + 3 * HOUR)
            ctx.place({ side: "buy", size: 30_000, price: 101, timeInForce: "IOC" });
        },
      }),
      deposit: "8000000",
    },
  ]);
  const [made] = of(result, "maker").report.fills.kept;
  expect(made).toMatchObject({ side: "sell", size: "3", price: "101", role: "maker" });
  const taken = of(result, "taker").report.fills.kept;
  expect(taken.filter(({ size, price }) => size === "3" && price === "101")).toHaveLength(1);
  expect(result.report.fills.kept.map(({ market }) => market)).toContain("maker BTC");
});

test("the report of all is the sum of the accounts, and its attribution leaves no residual", async () => {
  const crash = [
    ...flat(6),
    ...hourlyBars(
      [
        [100, 100, 84, 85],
        [85, 86, 83, 85],
      ],
      4_000,
    ).map((bar) => ({ ...bar, timeMs: bar.timeMs + 6 * HOUR })),
  ];
  const result = await runSeveral(
    [
      { name: "long", strategy: holds("buy", 900), deposit: "10000", leverage: 10 },
      { name: "short", strategy: holds("sell", 400), deposit: "20000", leverage: 5 },
    ],
    { data: memorySource(crash), fees: { maker: "0.0002", taker: "0.0005" } },
  );
  expect(of(result, "long").report.liquidations.total).toBeGreaterThan(0);
  const parts = result.strategies.map(({ input }) => computeAttribution(getAttributionInput(input.recording)));
  const whole = computeAttribution(getAttributionInput(result.input.recording));
  for (const cause of ["price", "funding", "fees", "liquidation", "total"] as const) {
    expect(whole[cause]).toBe(parts.reduce((sum, part) => sum + part[cause], 0n));
  }
  expect([whole, ...parts].map(({ residual }) => residual)).toEqual([0n, 0n, 0n]);
  const last = (one: { input: BacktestResult["input"] }) => one.input.recording.statistics.finalEquity;
  expect(last(result)).toBe(result.strategies.reduce((sum, one) => sum + last(one), 0));
  // The fall of the sum is less than that of the account that fell most, in units of money.
  expect(result.report.attribution.markets.map(({ market }) => market)).toEqual(["long BTC", "short BTC"]);
});

test("without depth and without a fund, the account on the other side is deleveraged", async () => {
  const result = await runSeveral(
    [
      { name: "long", strategy: holds("buy", 900), deposit: "10000", leverage: 10 },
      { name: "short", strategy: holds("sell", 900), deposit: "10000", leverage: 10 },
    ],
    {
      data: memorySource([
        ...flat(6),
        // No volume: the house offers nothing, and the mark falls past the bankruptcy price.
        ...[80, 80, 80].map(
          (price, at): TestEvent => ({
            kind: "bar",
            timeMs: START + (7 + at) * HOUR,
            ohlc: [price, price, price, price],
            volume: 0,
          }),
        ),
      ]),
      insurance: "0",
    },
  );
  const [closed] = of(result, "long").report.liquidations.kept;
  expect(closed!.stages).toContain("deleveraging");
  const against = of(result, "short").report.fills.kept.filter(({ liquidationId }) => liquidationId === closed!.id);
  const forced = closed!.fills.filter(({ kind }) => kind === "deleveraging");
  // The house, which sold the rest, is the other counterparty.
  expect(against).toHaveLength(1);
  expect(against[0]!.side).toBe("buy");
  expect(forced).toContainEqual(expect.objectContaining({ size: against[0]!.size, price: against[0]!.price }));
});

test("strategies share one insurance fund: the next report counts from what a liquidation paid in", async () => {
  const falls: TestEvent[] = [
    ...flat(4),
    ...[
      [100, 100, 89, 91],
      [91, 91, 62, 65],
      [65, 65, 65, 65],
    ].map(
      (ohlc, at): TestEvent => ({
        kind: "bar",
        timeMs: START + (5 + at) * HOUR,
        ohlc: ohlc as [number, number, number, number],
        volume: 50_000,
      }),
    ),
  ];
  const result = await runSeveral(
    [
      { name: "bold", strategy: holds("buy", 90), deposit: "1000", leverage: 10 },
      { name: "calm", strategy: holds("buy", 90), deposit: "3000", leverage: 10 },
    ],
    { data: memorySource(falls), insurance: "500" },
  );
  const bold = of(result, "bold").report.insurance.kept;
  const calm = of(result, "calm").report.insurance.kept;
  expect(bold.length).toBeGreaterThan(0);
  expect(calm.length).toBeGreaterThan(0);
  const sum = [...bold, ...calm].reduce((total, { amount }) => total + Number(amount), 500);
  expect(Number(calm.at(-1)!.balance)).toBeCloseTo(sum, 6);
});

test("the list order of strategies has no effect; the order of their names decides", async () => {
  const list = [
    { name: "a", strategy: holds("buy", 10) },
    { name: "b", strategy: holds("sell", 7), deposit: "500" },
    { name: "c", strategy: rests("buy", 5, 100) },
  ];
  const one = await runSeveral(list);
  const other = await runSeveral([list[2]!, list[0]!, list[1]!]);
  expect(other.root).toBe(one.root);
  expect(other.strategies.map(({ name }) => name)).toEqual(["a", "b", "c"]);
  expect(other.report.attribution).toEqual(one.report.attribution);
});

test("in a block, hooks and transactions of equal time have the order of the names", async () => {
  const calls: string[] = [];
  const sent: string[] = [];
  const buyer = (name: string) =>
    strategy({
      onBar(ctx, { closeTimeMs }) {
        calls.push(name);
        if (closeTimeMs === START + 2 * HOUR) ctx.place({ side: "buy", size: 1, price: 99 });
      },
    });
  const result = await runBacktest(
    {
      data: memorySource(flat(4)),
      ...base,
      strategies: [
        { name: "late", strategy: buyer("late") },
        { name: "early", strategy: buyer("early") },
      ],
    },
    {
      observers: [
        {
          onBlock(_state, { transactions }) {
            for (const { action, header } of transactions)
              if (action === "placeOrder") sent.push(header.account.address);
          },
        },
      ],
    },
  );
  expect(calls.slice(0, 4)).toEqual(["early", "late", "early", "late"]);
  expect(sent).toHaveLength(2);
  expect(new Set(sent).size).toBe(2);
  // The account of the first name is the first of the strategies' accounts.
  expect(sent[0]).toBe("0xe1ab8145f7e55dc933d51a18c793f901a3a0b276");
  expect(result.strategies.map(({ report }) => report.orders.placed)).toEqual([1, 1]);
});

test("transactions that an earlier block could carry come first, whatever the names", async () => {
  const sent: string[] = [];
  const buyer = strategy({
    onBar(ctx, { closeTimeMs }) {
      if (closeTimeMs === START + 2 * HOUR) ctx.place({ side: "buy", size: 1, price: 99 });
    },
  });
  await runBacktest(
    {
      data: memorySource(flat(4)),
      ...base,
      strategies: [
        { name: "a-slow", strategy: buyer, latencyMs: 30_000 },
        { name: "b-fast", strategy: buyer, latencyMs: 0 },
      ],
      blocks: "needed",
    },
    {
      observers: [
        {
          onBlock(_state, { transactions }) {
            for (const { action, header } of transactions)
              if (action === "placeOrder") sent.push(header.account.address);
          },
        },
      ],
    },
  );
  expect(sent).toEqual(["0xe57bfe9f44b819898f47bf37e5af72a0783e1141", "0xe1ab8145f7e55dc933d51a18c793f901a3a0b276"]);
});

test("a strategy that throws stops alone: the others trade on, its order rests, and the run fails with its result", async () => {
  const closes: number[] = [];
  const failing = strategy({
    init(ctx) {
      ctx.place({ side: "buy", size: 2, price: 90 });
    },
    onBar(_ctx, { closeTimeMs }) {
      if (closeTimeMs === START + 3 * HOUR) throw new Error("out of ideas");
    },
  });
  const other = strategy({
    onBar(_ctx, { closeTimeMs }) {
      closes.push((closeTimeMs - START) / HOUR);
    },
  });
  const bars = [...flat(6), ...flat(3, 85).map((bar) => ({ ...bar, timeMs: bar.timeMs + 6 * HOUR }))];
  const thrown = await runSeveral(
    [
      { name: "failing", strategy: failing },
      { name: "other", strategy: other },
    ],
    { data: memorySource(bars) },
  ).catch((error: unknown) => error);
  if (!isBacktestError(thrown, "STRATEGY_FAILED")) throw thrown;
  expect(thrown).toMatchObject({
    exitCode: 1,
    place: "failing.onBar",
    message: expect.stringContaining("strategy failing failed"),
  });
  const result = thrown.result!;
  expect(closes).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(result.stopped).toBeUndefined();
  expect(result.report.run.stopped).toBeNull();
  expect(getWarnings(result.report)[0]).toMatchObject({
    level: "error",
    text: expect.stringContaining("strategy failing failed"),
  });
  expect(of(result, "failing").stopped).toMatchObject({ reason: "strategyFailed", timeMs: START + 3 * HOUR });
  // The order that it left is filled hours after it has stopped.
  expect(of(result, "failing").report.fills.kept).toMatchObject([{ side: "buy", size: "2", price: "90" }]);
});

test("a run ends early only when no strategy trades any more", async () => {
  const failing = (hour: number) =>
    strategy({
      onBar(_ctx, { closeTimeMs }) {
        if (closeTimeMs === START + hour * HOUR) throw new Error(`at ${hour}`);
      },
    });
  const thrown = await runSeveral([
    { name: "a", strategy: failing(5) },
    { name: "b", strategy: failing(3) },
  ]).catch((error: unknown) => error);
  if (!isBacktestError(thrown, "STRATEGY_FAILED")) throw thrown;
  // The first in time is the one that the run fails with.
  expect(thrown.place).toBe("b.onBar");
  expect(thrown.result!.stopped).toMatchObject({ timeMs: START + 5 * HOUR });
  expect(thrown.result!.report.run.endMs).toBe(START + 5 * HOUR);
  expect(thrown.result!.report.run.stopped!.text).toContain("none of its strategies trades any more");
});

test("a strategy that is wiped out stops, the others trade on, and the run succeeds", async () => {
  const crash: TestEvent[] = [
    ...flat(4),
    ...[
      [100, 100, 50, 50],
      [50, 50, 50, 50],
      [50, 50, 50, 50],
    ].map(
      (ohlc, at): TestEvent => ({
        kind: "bar",
        timeMs: START + (5 + at) * HOUR,
        ohlc: ohlc as [number, number, number, number],
        volume: 100_000,
      }),
    ),
  ];
  let last = 0;
  const result = await runSeveral(
    [
      { name: "bold", strategy: holds("buy", 900), deposit: "10000", leverage: 10 },
      {
        name: "watcher",
        strategy: strategy({
          onBar(_ctx, { closeTimeMs }) {
            last = closeTimeMs;
          },
        }),
      },
    ],
    { data: memorySource(crash) },
  );
  expect(of(result, "bold").stopped?.reason).toBe("wipedOut");
  expect(last).toBe(START + 7 * HOUR);
  expect(getWarnings(result.report)[0]!.text).toContain("the account of bold has no position");
  expect(result.stopped).toBeUndefined();
});

test("options that fit no run of several are refused, each with its place", async () => {
  const one = { name: "one", strategy: holds("buy", 1) };
  const refused = (strategies: PortfolioOptions["strategies"], options: object = {}) =>
    runSeveral(strategies, options).then(
      () => "accepted",
      (error: Error & { code?: string; place?: string }) => `${error.code} ${error.place}: ${error.message}`,
    );
  expect(await refused([])).toContain("OPTION_INVALID strategies");
  expect(await refused([one, one])).toContain("two strategies of the name one");
  expect(await refused([one, { ...one, name: "Two" }])).toContain("OPTION_INVALID name");
  expect(await refused([one, { ...one, name: "portfolio" }])).toContain("that of all strategies together");
  expect(await refused([one, { ...one, name: "two", leverage: 0 }])).toContain("OPTION_INVALID two.leverage");
  expect(await refused([one, { ...one, name: "two", leverage: 999 }])).toContain("OPTION_INVALID two.leverage");
  expect(await refused([one, { ...one, name: "two", deposit: "0" }])).toContain("OPTION_INVALID two.deposit");
  expect(await refused([one, { ...one, name: "two", deposit: "8999999999" }], { deposit: "2" })).toContain("together");
  expect(await refused([one], { strategy: one.strategy })).toContain("OPTION_INVALID strategies");
  expect(await refused([one], { params: {} })).toContain("OPTION_INVALID params");
  const many = Array.from({ length: 33 }, (_, at) => ({ ...one, name: `n${at}` }));
  expect(await refused(many)).toContain("at most 32");
});
