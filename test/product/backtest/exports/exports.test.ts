import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDecimal } from "../../../../src/ground/math/decimal.ts";
import type { BacktestResult } from "../../../../src/product/backtest/backtestResult.ts";
import { type ExportName, exportTables } from "../../../../src/product/backtest/exports/definitions.ts";
import { EquityRows } from "../../../../src/product/backtest/exports/equityRows.ts";
import { readExportName } from "../../../../src/product/backtest/exports/exportName.ts";
import type { BacktestOptions } from "../../../../src/product/backtest/options.ts";
import { runBacktest } from "../../../../src/product/backtest/runBacktest.ts";
import type { AccountPoint } from "../../../../src/product/report/input.ts";
import { createFolder } from "../../../helpers/project.ts";
import { type ReadRow, readTable } from "../../../helpers/readTable.ts";
import { strategy } from "../helpers.ts";
import { HOUR, memorySource, START, type TestEvent } from "../memorySource.ts";
import { restless, wander } from "../wander.ts";

const NAMES = Object.keys(exportTables) as ExportName[];
type Tables = Record<ExportName, ReadRow[]>;

const base = { latencyMs: 0, tick: "1", lot: "0.01" };

/** Runs with every table in files of one format, and reads them back. */
async function runWithTables(
  options: Omit<BacktestOptions, "tables">,
  ending = ".csv",
): Promise<{ result: BacktestResult; tables: Tables; folder: string }> {
  const folder = createFolder();
  const paths = NAMES.map((name) => join(folder, `${name}${ending}`));
  const result = await runBacktest({ ...base, ...options, tables: paths });
  const read = await Promise.all(
    NAMES.map(async (name, at) => [name, await readTable(paths[at]!, exportTables[name])] as const),
  );
  return { result, folder, tables: Object.fromEntries(read) as Tables };
}

/** Hourly bars whose price falls by a step in each. */
const falling = (step: number) =>
  Array.from({ length: 40 }, (_, hour): TestEvent => {
    const open = 10_000 - step * hour;
    const ohlc = [open, open, open - step, open - step] as const;
    return { kind: "bar", timeMs: START + hour * HOUR, ohlc, volume: 1_000, intervalMs: HOUR };
  });

const sum = (rows: readonly ReadRow[], name: string) => rows.reduce((total, row) => total + (row[name] as bigint), 0n);
const usd = (text: string) => BigInt(parseDecimal(text, 6));
const countOf = (rows: readonly ReadRow[], status: string) => rows.filter((row) => row["status"] === status).length;

/** Everything that the report states in sums and counts, from the tables alone. */
function expectSums({ report }: BacktestResult, tables: Tables): void {
  const { attribution, orders, summary } = report;
  const { fills, trades, funding, adjustments, equity } = tables;
  const lost = sum(
    adjustments.filter(({ kind }) => kind !== "transfer"),
    "amount",
  );
  expect({
    price: sum(fills, "realizedPnl") + sum(trades, "unrealizedPnl"),
    fees: sum(fills, "fee"),
    funding: sum(funding, "amount"),
    liquidation: sum(fills, "liquidationFee") - lost,
  }).toEqual({
    price: usd(attribution.price),
    fees: usd(attribution.fees),
    funding: usd(attribution.funding),
    liquidation: usd(attribution.liquidation),
  });
  expect(sum(trades, "net")).toBe(
    usd(attribution.price) + usd(attribution.funding) - usd(attribution.fees) - sum(fills, "liquidationFee"),
  );
  expect([fills.length, funding.length]).toEqual([report.fills.total, report.funding.total]);
  expect(equity.at(-1)).toMatchObject({ time: report.run.endMs, equity: usd(summary.finalEquity) });
  expect(countOf(tables.orders, "expired")).toBe(orders.expired);
  expect(countOf(tables.orders, "cancelled")).toBe(orders.cancelled);
  const entered = tables.orders.filter(
    ({ id, entered, status }) => id !== null && entered !== null && status !== "rejected",
  );
  expect(entered).toHaveLength(orders.placed);
}

/** The fills of each order, added up, are its row. */
function expectOrdersOfFills({ fills, orders }: Tables): void {
  const byOrder = Map.groupBy(
    fills.filter(({ orderId }) => orderId !== null),
    ({ orderId }) => orderId,
  );
  const filled = orders.filter((order) => order["fills"] !== 0);
  expect(filled.map(({ orderId }) => orderId).sort()).toEqual([...byOrder.keys()].sort());
  for (const order of filled) {
    const own = byOrder.get(order["orderId"])!;
    expect(order).toMatchObject({
      side: own[0]!["side"],
      filled: sum(own, "size"),
      value: sum(own, "value"),
      fee: sum(own, "fee"),
      fills: own.length,
    });
  }
}

// Goal: nothing is missing from a table and nothing is in it twice. Method: seeded runs of a strategy that does
// whatever a context allows, with fees, funding, rejections and liquidations; sums and counts of the tables against the
// report.
describe("tables of seeded runs", () => {
  test.each([".csv", ".parquet"])("have the sums and counts of the report, as %s", async (ending) => {
    let rejected = 0;
    let amended = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1e6 }), fc.constantFrom(1, 4, 20), async (seed, leverage) => {
        const { result, tables } = await runWithTables(
          {
            strategy: restless,
            params: { pace: 2 },
            data: memorySource(wander(seed, 400)),
            deposit: "20000",
            fees: { maker: "-0.00005", taker: "0.0005" },
            leverage,
            seed: `${seed}`,
          },
          ending,
        );
        expect(result.report.attribution.residual).toBe("0");
        expectSums(result, tables);
        expectOrdersOfFills(tables);
        rejected += countOf(tables.orders, "rejected");
        amended += tables.orders.filter((order) => order["amendments"] !== 0).length;
      }),
      { numRuns: 6 },
    );
    expect(Math.min(rejected, amended)).toBeGreaterThan(0);
  });

  test.each(["cross", "isolated"] as const)("have the sums of a run that is liquidated, %s", async (margin) => {
    let bars = 0;
    const { result, tables } = await runWithTables({
      strategy: strategy({
        onBar(ctx) {
          if (bars++ === 2) ctx.place({ side: "buy", size: ctx.market.roundSize((15 * ctx.account.equity) / 10_000) });
        },
      }),
      data: memorySource(falling(40)),
      leverage: 20,
      margin,
    });
    expect(result.report.liquidations.total).toBe(1);
    expectSums(result, tables);
    expectOrdersOfFills(tables);
    expect(tables.trades).toMatchObject([{ side: "long", liquidated: true }]);
    expect(sum(tables.fills, "liquidationFee")).toBeGreaterThan(0n);
    expect(tables.fills.at(-1)).toMatchObject({ orderId: null, liquidationId: result.report.liquidations.kept[0]!.id });
  });

  test("are equal in both formats, and change nothing in the run", async () => {
    const options = { strategy: restless, params: { pace: 1 }, data: memorySource(wander(5, 500)), leverage: 3 };
    const csv = await runWithTables(options, ".csv");
    const parquet = await runWithTables(options, ".parquet");
    expect(parquet.tables).toEqual(csv.tables);
    const alone = await runBacktest({ ...base, ...options });
    expect([csv.result.root, csv.result.head]).toEqual([alone.root, alone.head]);
    expect({ ...csv.result.report, run: null }).toEqual({ ...alone.report, run: null });
  });

  test("have one position after another, and payments by the position of their time", async () => {
    const { tables } = await runWithTables({
      strategy: restless,
      params: { pace: 1 },
      data: memorySource(wander(9, 2_000)),
      leverage: 3,
    });
    let position = 0n;
    for (const fill of tables.fills) {
      position += fill["side"] === "buy" ? (fill["size"] as bigint) : -(fill["size"] as bigint);
      expect(fill["position"]).toBe(position);
    }
    expect(tables.funding.length).toBeGreaterThan(10);
    for (const payment of tables.funding) {
      const [size, index, rate] = ["position", "index", "rate"].map((name) => payment[name] as bigint);
      expect(size).not.toBe(0n);
      // 1e-8 * 1e-8 * 1e-9 to 1e-6, less than a unit from the exact value.
      const error = (payment["amount"] as bigint) * 10n ** 19n + size! * index! * rate!;
      expect(error < 10n ** 19n && error > -(10n ** 19n)).toBe(true);
    }
  });
});

describe("orders", () => {
  const flat = Array.from(
    { length: 40 },
    (_, hour): TestEvent => ({
      kind: "bar",
      timeMs: START + hour * HOUR,
      ohlc: [100, 101, 99, 100],
      volume: 1_000,
      intervalMs: HOUR,
    }),
  );
  const place = (
    act: (ctx: Parameters<NonNullable<BacktestOptions["strategy"]["onBar"]>>[0], bar: number) => void,
    more = {},
  ) => {
    let bars = 0;
    return runWithTables({
      strategy: strategy({ onBar: (ctx) => act(ctx as never, bars++) }),
      data: memorySource(flat),
      ...more,
    });
  };

  test("one that rests to the end is open, one whose time has not come is unsent", async () => {
    const { tables } = await place((ctx, bar) => {
      if (bar === 0) ctx.place({ side: "buy", size: 1, price: 50 });
      if (bar === 39) ctx.place({ side: "buy", size: 2 });
    });
    expect(tables.orders).toMatchObject([
      {
        id: "t2",
        status: "open",
        type: "limit",
        timeInForce: "GTC",
        price: 50n * 10n ** 8n,
        size: 10n ** 8n,
        filled: 0n,
        ended: null,
      },
      {
        id: "t3",
        status: "unsent",
        type: "market",
        orderId: null,
        entered: null,
        size: 2n * 10n ** 8n,
        averagePrice: null,
      },
    ]);
    expect(tables.orders[1]!["sent"]).toBeTypeOf("number");
  });

  test("one that is rejected has the code, one that is cancelled the cause", async () => {
    const { tables } = await place((ctx, bar) => {
      if (bar === 0) ctx.place({ side: "buy", size: 1e6, price: 90 });
      if (bar === 2) ctx.place({ side: "sell", size: 1, price: 200 });
      if (bar === 4) ctx.cancelAll();
    });
    expect(tables.orders).toMatchObject([
      { status: "rejected", orderId: null, side: "buy" },
      { status: "cancelled", reason: "owner", side: "sell" },
    ]);
    expect(tables.orders[0]!["reason"]).toMatch(/^[A-Z_]+$/);
  });

  test("one that an intent places has its kind", async () => {
    let bars = 0;
    const { tables } = await runWithTables({
      strategy: strategy({
        onBar(ctx) {
          if (bars++ === 2) ctx.place({ side: "buy", size: 0.5 });
          if (bars === 6) ctx.stop({ side: "sell", size: 0.5, trigger: 9_500, reduceOnly: true });
        },
      }),
      data: memorySource(falling(50)),
    });
    expect(tables.orders).toMatchObject([
      { type: "market", status: "filled" },
      { type: "stop", status: "filled", side: "sell", sent: null, reduceOnly: true, filled: 5n * 10n ** 7n },
    ]);
    expect(tables.fills.map(({ orderId }) => orderId)).toEqual(tables.orders.map(({ orderId }) => orderId));
  });
});

describe("equity", () => {
  const point = (timeMs: number, equity: number): AccountPoint => ({
    timeMs,
    equity,
    balance: equity,
    unrealizedPnl: 0,
    maintenance: 0,
    funding: 0,
    fees: 0,
    buyAndHold: null,
  });

  // The plain twin looks for the last point up to each time.
  test("is what the last point up to each whole interval left", () => {
    const steps = fc.array(fc.record({ wait: fc.integer({ min: 0, max: 35 }), equity: fc.nat(1000) }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 1, max: 20 }), steps, (start, interval, list) => {
        const rows: { time: number; equity: number | bigint }[] = [];
        const equity = new EquityRows(interval, start, 7, (row) => rows.push({ time: row.time, equity: row.equity }));
        let timeMs = start;
        const points = [
          { timeMs, equity: 7 },
          ...list.map((step) => ({ timeMs: (timeMs += step.wait), equity: step.equity })),
        ];
        for (const { timeMs: at, equity: value } of points.slice(1)) equity.add(point(at, value));
        equity.finish();
        const times = [start];
        for (let at = start + 1; at <= timeMs; at++) if (at % interval === 0 || at === timeMs) times.push(at);
        const expected = times.map((time, place) => ({
          time,
          equity: place === 0 ? 7 : points.findLast((one) => one.timeMs <= time)!.equity,
        }));
        expect(rows).toEqual(expected);
      }),
    );
  });

  test("has a row for each bar, or for each interval that was asked for", async () => {
    const bars = Array.from({ length: 50 }, (_, hour): TestEvent => {
      const ohlc = [100 + hour, 102 + hour, 99 + hour, 101 + hour] as const;
      return { kind: "bar", timeMs: START + hour * HOUR, ohlc, volume: 10, intervalMs: HOUR };
    });
    const times = async (equityMs?: number) => {
      const data = memorySource(bars);
      const { tables, result } = await runWithTables({
        data,
        strategy: strategy({}),
        ...(equityMs === undefined ? {} : { equityMs }),
      });
      expect(tables.equity.at(-1)!["time"]).toBe(result.report.run.endMs);
      return tables.equity.slice(1, -1).map((row) => ((row["time"] as number) - START) / HOUR);
    };
    expect(await times()).toEqual(Array.from({ length: 49 }, (_, at) => at));
    expect(await times(24 * HOUR)).toEqual([0, 24, 48]);
  });
});

describe("a file name", () => {
  test.each([
    ["fills.csv", "fills"],
    ["out/btc-2024-fills.parquet", "fills"],
    ["a_b.Orders.csv", "orders"],
    ["my equity.CSV", "equity"],
  ])("%s means %s", (path, name) => {
    expect(readExportName(path)).toBe(name);
  });

  test.each(["out.csv", "fills2.csv", "refills.csv", ".csv", "fills-.csv", "toString.csv"])(
    "%s means nothing",
    (path) => {
      expect(() => readExportName(path)).toThrow(
        expect.objectContaining({
          code: "TABLE_UNKNOWN",
          place: path,
          hint: expect.stringContaining("fills, orders, trades, funding, equity, adjustments"),
        }),
      );
    },
  );
});

describe("a run that fails", () => {
  const data = () => memorySource(wander(3, 200));

  test("leaves no file, and keeps old ones", async () => {
    const folder = createFolder();
    writeFileSync(join(folder, "fills.csv"), "old");
    const tables = [join(folder, "fills.csv"), join(folder, "orders.parquet")];
    const broken = {
      ...data(),
      chunks: async function* () {
        yield* [];
        throw new Error("torn");
      },
    };
    await expect(runBacktest({ ...base, strategy: restless, data: broken, tables })).rejects.toThrow();
    expect(readdirSync(folder)).toEqual(["fills.csv"]);
    expect(readFileSync(join(folder, "fills.csv"), "utf8")).toBe("old");
  });

  test("in a hook leaves the tables up to then", async () => {
    const folder = createFolder();
    let blocks = 0;
    const failing = strategy({
      onBlock(ctx) {
        if (blocks++ === 20) ctx.place({ side: "buy", size: 0.5 });
        if (blocks === 60) throw new Error("planted");
      },
    });
    const tables = [join(folder, "fills.csv")];
    await expect(runBacktest({ ...base, strategy: failing, data: data(), tables })).rejects.toMatchObject({
      code: "STRATEGY_FAILED",
    });
    expect(await readTable(tables[0]!, exportTables.fills)).toHaveLength(1);
  });

  test("an interval without its table, and one below a second, are refused before the data is read", async () => {
    const folder = createFolder();
    const run = (tables: string[], equityMs: number) =>
      runBacktest({
        ...base,
        strategy: restless,
        data: data(),
        tables: tables.map((name) => join(folder, name)),
        equityMs,
      });
    await expect(run(["fills.csv"], 60_000)).rejects.toMatchObject({
      code: "OPTION_INVALID",
      place: "equity-interval",
    });
    await expect(run(["equity.csv"], 999)).rejects.toMatchObject({ code: "OPTION_INVALID", place: "equity-interval" });
    expect(existsSync(join(folder, "equity.csv"))).toBe(false);
  });
});
