import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isBacktestError } from "../../../src/product/backtest/errors.ts";
import { renderHtml } from "../../../src/product/report/html.ts";
import { renderTerminal } from "../../../src/product/report/terminal.ts";
import maker from "../../../src/product/strategies/maker.ts";
import { verifyLog } from "../../../src/venue/simulation/log/verifyLog.ts";
import { run, strategy } from "./helpers.ts";
import { HOUR, hourlyBars, memorySource, START } from "./memorySource.ts";

type Bar = readonly [number, number, number, number];
const calm: Bar = [100, 100, 100, 100];
/** Six calm hours, a fall by a third with enough volume to close anything, and six hours after it. */
const crash = memorySource(
  hourlyBars([...Array(6).fill(calm), [100, 100, 65, 66], ...Array(6).fill([66, 66, 66, 66])] as Bar[], 400_000),
);

/** Buys all that its equity carries in every bar, without checking its remaining equity. */
const bySize = (calls: string[] = []) =>
  strategy({
    onBar(ctx) {
      const { account, market } = ctx;
      if (account.position().size !== 0) return;
      ctx.place({ side: "buy", size: market.roundSize((account.equity * market.leverage * 0.5) / market.last!) });
    },
    onReject(_ctx, { code, smallestSize }) {
      calls.push(`${code} ${smallestSize}`);
    },
    onLiquidation(_ctx, { stage }) {
      calls.push(stage);
    },
  });

describe("an account that is wiped out", () => {
  test("ends the run with a whole report that says so at the top", async () => {
    const result = await run({ data: crash, strategy: bySize(), leverage: 20 });
    expect(result.stopped).toMatchObject({ reason: "wipedOut", equity: 0 });
    const { report } = result;
    expect(report.run.stopped).toMatchObject({ reason: "wipedOut", height: result.blocks });
    expect(report.run.endMs).toBeLessThanOrEqual(START + 7 * HOUR);
    expect(report.summary.finalEquity).toBe("0");
    expect(report.liquidations.total).toBe(1);
    expect(report.attribution.residual).toBe("0");
    const sentence =
      /Wiped out at block \d+ \(2024-01-01 06:\d\d UTC\).* Data up to 2024-01-01 13:00 UTC was not replayed/;
    expect(report.run.stopped!.text).toMatch(sentence);
    expect(renderTerminal(report).split("\n")[3]).toMatch(sentence);
    const page = renderHtml(report);
    expect(page.indexOf("Wiped out at block")).toBeGreaterThan(0);
    expect(page.indexOf("Wiped out at block")).toBeLessThan(page.indexOf("<h2>"));
  });

  test("has a deficit equal to the payment of the insurance fund, in the figure and in its liquidation record", async () => {
    const { report } = await run({ data: crash, strategy: bySize(), leverage: 20 });
    const paid = report.insurance.kept.filter(({ cause }) => cause === "cover" || cause === "deficit");
    expect(paid.length).toBeGreaterThan(0);
    const sum = paid.reduce((total, { amount }) => total - Number(amount), 0);
    expect(report.liquidations.kept.map(({ deficit }) => Number(deficit))).toEqual([sum]);
    expect(Number(report.summary.metrics.find(({ id }) => id === "deficit")!.value)).toBe(sum);
  });

  test("is reported to the strategy before the run ends", async () => {
    const calls: string[] = [];
    let ended = 0;
    await run({ data: crash, strategy: { ...bySize(calls), onEnd: () => void ended++ }, leverage: 20 });
    expect(calls).toEqual(expect.arrayContaining(["bookClosing", "completed"]));
    expect(ended).toBe(1);
  });

  test("a run that survives is not stopped", async () => {
    const result = await run({ data: crash, strategy: bySize(), leverage: 1 });
    expect(result.stopped).toBeUndefined();
    expect(result.report.run.stopped).toBeNull();
  });

  test("an account that never traded is not wiped out, however small its deposit", async () => {
    const result = await run({ data: crash, strategy: bySize(), deposit: "0.01" });
    expect(result.stopped).toBeUndefined();
    expect(result.report.run.endMs).toBe(START + 13 * HOUR);
  });
});

describe("an order below the smallest size", () => {
  test("is a rejection with the smallest size, whether it is nothing, negative or less than a lot", async () => {
    const calls: unknown[] = [];
    const sent: string[] = [];
    const result = await run({
      data: crash,
      parameters: { minNotional: "0" },
      strategy: strategy({
        init(ctx) {
          for (const size of [0, -3, 0.004]) sent.push(ctx.place({ side: "buy", size }));
          sent.push(ctx.close({ size: 0.001 }), ctx.place({ side: "buy", size: 0.01, slippage: 0.1 }));
        },
        onReject: (_ctx, { id, code, smallestSize }) => void calls.push([id, code, smallestSize]),
      }),
    });
    expect(new Set(sent).size).toBe(5);
    expect(calls).toEqual(sent.slice(0, 4).map((id) => [id, "SIZE_TOO_SMALL", 0.01]));
    expect(result.report.fills.kept.map(({ size }) => size)).toEqual(["0.01"]);
    expect(result.report.orders).toMatchObject({ placed: 1, refused: 4 });
  });

  test("of the market's smallest size and smallest value is one, too", async () => {
    const calls: unknown[] = [];
    const small = strategy({
      init(ctx) {
        ctx.place({ side: "buy", size: 0.5 });
      },
      onReject: (_ctx, { code, smallestSize }) => void calls.push([code, smallestSize]),
    });
    await run({ data: crash, strategy: small, parameters: { minSize: "2" } });
    await run({ data: crash, strategy: small, parameters: { minNotional: "150" } });
    // 150 USD at a mark of 100, with 1 % of room for an order a little below the mark.
    expect(calls).toEqual([
      ["SIZE_TOO_SMALL", 2],
      ["NOTIONAL_TOO_SMALL", 1.52],
    ]);
  });

  test("amends nothing", async () => {
    const calls: string[] = [];
    const result = await run({
      data: crash,
      strategy: strategy({
        init: (ctx) => ctx.place({ side: "buy", size: 1, price: 90 }),
        onBar(ctx, { closeTimeMs }) {
          if (closeTimeMs === START + HOUR) ctx.amend(ctx.memory, { size: 0 });
        },
        onReject: (_ctx, { code }) => void calls.push(code),
      }),
    });
    expect(calls).toEqual(["SIZE_TOO_SMALL"]);
    expect(result.report.orders).toMatchObject({ placed: 1, amended: 0, refused: 1 });
  });

  test("a size that is no number is still an error of the strategy", async () => {
    const broken = strategy({ init: (ctx) => void ctx.place({ side: "buy", size: Number.NaN }) });
    await expect(run({ data: crash, strategy: broken })).rejects.toMatchObject({ code: "STRATEGY_FAILED" });
  });
});

describe("a strategy that throws", () => {
  const failing = strategy({
    init: (ctx) => void ctx.place({ side: "buy", size: 1 }),
    onBar(_ctx, { closeTimeMs }) {
      if (closeTimeMs === START + 3 * HOUR) throw new Error("out of ideas <b>");
    },
  });

  test("leaves the report and the log up to that block, marked as stopped", async () => {
    const log = join(mkdtempSync(join(tmpdir(), "perplab-stop-")), "run.log");
    const failure: unknown = await run({ data: crash, strategy: failing, log }).catch((error) => error);
    if (!isBacktestError(failure, "STRATEGY_FAILED")) throw failure;
    expect(failure.exitCode).toBe(1);
    const result = failure.result!;
    expect(result.stopped).toMatchObject({ reason: "strategyFailed", height: 3, timeMs: START + 3 * HOUR });
    expect(result.report.run.endMs).toBe(START + 3 * HOUR);
    expect(result.report.fills.total).toBe(1);
    expect(result.report.attribution.residual).toBe("0");
    expect(renderTerminal(result.report)).toContain(
      "Stopped: the strategy failed at block 3 (2024-01-01T03:00:00.000Z): out",
    );
    expect(renderHtml(result.report)).toContain("out of ideas &lt;b&gt; (test.onBar)");
    expect(existsSync(log)).toBe(true);
    expect((await verifyLog(log)).root).toBe(result.root);
  });

  test("in its first or its last hook leaves one, too", async () => {
    for (const hook of ["init", "onEnd"] as const) {
      const broken = { ...strategy({}), [hook]: () => void (undefined as unknown as { x: 1 }).x };
      const failure: unknown = await run({ data: crash, strategy: broken }).catch((error) => error);
      if (!isBacktestError(failure, "STRATEGY_FAILED")) throw failure;
      expect(failure.result!.blocks).toBe(hook === "init" ? 1 : 2);
      expect(failure.result!.report.run.stopped!.reason).toBe("strategyFailed");
    }
  });
});

describe("an order that ends before it is filled whole", () => {
  test("reaches onCancel with its cause and what was not filled", async () => {
    const calls: unknown[] = [];
    const thin = memorySource(hourlyBars(Array(4).fill(calm) as Bar[], 400));
    await run({
      data: thin,
      strategy: strategy({
        init(ctx) {
          ctx.place({ side: "buy", size: 25, slippage: 0.1 });
          ctx.place({ side: "buy", size: 1, price: 90, timeInForce: "IOC" });
          ctx.place({ side: "buy", size: 2, price: 90 });
        },
        onBar(ctx, { closeTimeMs }) {
          if (closeTimeMs === START + 2 * HOUR) ctx.cancelAll();
        },
        onFill: (_ctx, { id, size }) => void calls.push([id, "filled", size]),
        onCancel: (_ctx, { id, market, unfilled, cause }) => void calls.push([id, market, unfilled, cause]),
      }),
    });
    // 10 % of 400 over four points is 10 a side.
    expect(calls).toEqual([
      ...Array.from({ length: 4 }, () => ["t2", "filled", 2.5]),
      ["t2", "BTC", 15, "timeInForce"],
      ["t3", "BTC", 1, "timeInForce"],
      ["t4", "BTC", 2, "owner"],
    ]);
  });
});

test("the example maker continues, and sends nothing, while its equity is 0 or below", async () => {
  const sent: string[] = [];
  const market = {
    name: "BTC",
    leverage: 10,
    tickSize: 1,
    roundSize: (size: number) => size,
    roundPrice: (at: number) => at,
  };
  const ctx = {
    account: { equity: -5, inFlight: 0, orders: () => [{}], position: () => ({ size: 3 }) },
    market,
    memory: { checkedAt: 0 },
    params: { distance: 2, tolerance: 1, share: 0.05, most: 0.5, lean: 2 },
    metric(_name: string, value: number) {
      if (!Number.isFinite(value)) throw new Error("no finite number");
    },
    cancelAll: () => void sent.push("cancelAll"),
    place: () => void sent.push("place"),
  };
  maker.onTrade!(ctx as never, { market: "BTC", timeMs: 0, price: 100, size: 1, side: "buy" });
  expect(sent).toEqual(["cancelAll"]);
});
