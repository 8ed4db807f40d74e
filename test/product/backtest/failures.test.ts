import { existsSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { AnyStrategy } from "../../../src/client/strategy/strategy.ts";
import type { BacktestError } from "../../../src/product/backtest/errors.ts";
import { parseFees } from "../../../src/product/backtest/options.ts";
import { NO_EVENTS } from "../../../src/product/market-data/types.ts";
import { defineMarket } from "../../../src/product/replay/marketDefinition.ts";
import { readSurveys } from "../../../src/product/replay/surveyMarkets.ts";
import { verifyLog } from "../../../src/venue/simulation/log/verifyLog.ts";
import { run, strategy } from "./helpers.ts";
import { HOUR, hourlyBars, memorySource, START } from "./memorySource.ts";

const data = memorySource(hourlyBars(Array.from({ length: 5 }, () => [100, 101, 99, 100] as const)));
const folder = () => mkdtempSync(join(tmpdir(), "perplab-backtest-"));

test("a strategy that throws is one error with hook, block and time; the log up to it is written", async () => {
  const place = folder();
  const failing = strategy({
    onBar(_ctx, { closeTimeMs }) {
      if (closeTimeMs === START + 2 * HOUR) throw new Error("out of ideas");
    },
  });
  await expect(run({ data, strategy: failing, log: join(place, "run.log") })).rejects.toMatchObject({
    code: "STRATEGY_FAILED",
    exitCode: 1,
    place: "test.onBar",
    message: expect.stringContaining("the strategy failed at block 2 (2024-01-01T02:00:00.000Z): out of ideas"),
  });
  expect(readdirSync(place)).toEqual(["run.log"]);
});

test.each([
  [{ price: 1 }, "it threw an object that is no Error"],
  [undefined, "it threw undefined, which is no Error"],
  [7, "it threw 7, which is no Error"],
  [new TypeError(), "it threw TypeError without a message"],
  ["no luck", "no luck"],
])("a hook that throws %s has a reason in words", async (thrown, reason) => {
  const failing = strategy({
    onBar() {
      throw thrown;
    },
  });
  await expect(run({ data, strategy: failing })).rejects.toThrow(new RegExp(`\\): ${reason}$`));
});

test("every hook's failure is named", async () => {
  const hooks = ["init", "onBlock", "onBar", "onEnd"] as const;
  for (const hook of hooks) {
    const failing = { ...strategy({}), [hook]: () => void (undefined as unknown as { x: 1 }).x } as AnyStrategy;
    await expect(run({ data, strategy: failing })).rejects.toMatchObject({
      code: "STRATEGY_FAILED",
      place: `test.${hook}`,
    });
  }
});

test("a hook that returns a promise is refused: hooks are synchronous", async () => {
  const late = { ...strategy({}), onBar: async () => undefined } as unknown as AnyStrategy;
  await expect(run({ data, strategy: late })).rejects.toMatchObject({
    code: "STRATEGY_FAILED",
    message: expect.stringContaining("promise"),
  });
});

test("an init that returns a promise is refused, also if the promise is rejected: it would be the memory", async () => {
  const init = async () => Promise.reject(new Error("no file"));
  const late = { ...strategy({}), init } as unknown as AnyStrategy;
  await expect(run({ data, strategy: late })).rejects.toMatchObject({
    code: "STRATEGY_FAILED",
    place: "test.init",
    message: expect.stringContaining("it returned a promise; hooks are synchronous"),
    hint: expect.stringMatching(/^write the hook without async, .*; the report covers/),
  });
});

test("an order off the grid names what is wrong and what rounds it", async () => {
  const careless = strategy({
    init(ctx) {
      ctx.place({ side: "buy", size: 0.015, price: 100 });
    },
  });
  await expect(run({ data, strategy: careless })).rejects.toMatchObject({
    code: "STRATEGY_FAILED",
    message: expect.stringContaining("size 0.015 is not a multiple of 0.01"),
    hint: expect.stringContaining("market.roundSize"),
  });
});

test("settings that cannot be are refused before anything runs", async () => {
  const cases: [Parameters<typeof run>[0], string][] = [
    [{ data, deposit: "0" }, "deposit"],
    [{ data, deposit: "1e4" }, "deposit"],
    [{ data, insurance: "-1" }, "insurance"],
    [{ data, leverage: 0 }, "leverage"],
    [{ data, leverage: 2.5 }, "leverage"],
    [{ data, leverage: 41 }, "leverage"],
    [{ data, participation: "1.5" }, "participation"],
    [{ data, latencyMs: -1 }, "latency"],
    [{ data, fromMs: 5, toMs: 5 }, "from"],
    [{ data, tick: "0" }, "tick"],
    [{ data, lot: "0.0000000001" }, "lot"],
    [{ data, seed: "" }, "seed"],
    [{ data, parameters: { tickSize: "1" } }, "tick"],
    [{ data, parameters: { lotSize: "0.01" } }, "lot"],
    [{ data, parameters: { takerFee: "0.001" } }, "fees"],
  ];
  for (const [options, place] of cases) {
    await expect(run(options), place).rejects.toMatchObject({ code: "OPTION_INVALID", place, exitCode: 2 });
  }
  expect(() => parseFees("cheap")).toThrow(expect.objectContaining({ code: "OPTION_INVALID" }));
  expect(parseFees("none")).toEqual({ maker: "0", taker: "0" });
  expect(parseFees("-0.0001/0.0005")).toEqual({ maker: "-0.0001", taker: "0.0005" });
});

test("steps among the parameters of the markets are those on which history is placed", async () => {
  const holder = strategy({ init: (ctx) => void ctx.place({ side: "buy", size: 1 }) });
  const steps = { tick: undefined, lot: undefined } as unknown as object;
  const given = await run({ data, strategy: holder, ...steps, parameters: { tickSize: "5", lotSize: "0.1" } });
  const options = await run({ data, strategy: holder, tick: "5", lot: "0.1" });
  expect(given.report.fills.kept.length).toBeGreaterThan(0);
  expect(given.report.fills.kept).toEqual(options.report.fills.kept);
  expect(given.root).toBe(options.root);
});

test("market parameters that cannot be are refused with their name", async () => {
  await expect(run({ data, parameters: { tier1: "0 0.01 0.02" } })).rejects.toMatchObject({
    code: "MARKET_IMPOSSIBLE",
    place: "BTC",
    message: expect.stringContaining("tier1"),
  });
  await expect(run({ data, parameters: { colour: "red" } })).rejects.toMatchObject({ code: "MARKET_IMPOSSIBLE" });
});

test("data without events in the range, or without prices, is refused", async () => {
  await expect(run({ data, fromMs: START + 100 * HOUR })).rejects.toMatchObject({ code: "DATA_UNUSABLE" });
  const rates = memorySource([{ kind: "funding", timeMs: START, rate: 0.1 }]);
  await expect(run({ data: rates })).rejects.toMatchObject({ code: "DATA_UNUSABLE", place: "BTC" });
});

test("a log is not written over another file, and appears only complete", async () => {
  const place = folder();
  const log = join(place, "run.log");
  const { root } = await run({ data, log });
  expect(readdirSync(place)).toEqual(["run.log"]);
  expect((await verifyLog(log)).root).toBe(root);
  await expect(run({ data, log })).rejects.toMatchObject({ code: "OUTPUT_EXISTS", place: log, exitCode: 2 });
  writeFileSync(join(place, "other"), "");
  expect(existsSync(log)).toBe(true);
});

test("tick and lot follow the data, and a lot is coarsened until its value is whole", () => {
  const summary = { name: "X", events: { ...NO_EVENTS, trade: 1 }, fromMs: 0, toMs: 0 };
  const given = { firstPrice: 3e12, exposure: 1e10 };
  expect(defineMarket({ ...summary, priceStep: 1e6, sizeStep: 1e5 }, given)).toMatchObject({
    tickSize: 1e6,
    lotSize: 1e5,
  });
  // 0.00000001 x 0.001 would be a hundred-thousandth of a quote unit.
  expect(defineMarket({ ...summary, priceStep: 1, sizeStep: 1e5 }, { ...given, firstPrice: 1e4 }).lotSize).toBe(1e10);
  // A volume of 5,000 in every row does not make a lot of 5,000.
  expect(defineMarket({ ...summary, priceStep: 1e7, sizeStep: 5e11 }, given).lotSize).toBe(1e5);
});

test.each([
  ["a side of another word", { side: "long", size: 1 }, 'side is "long"', "give buy or sell"],
  [
    "a field that no order has",
    { side: "buy", size: 1, postonly: true },
    "has no field postonly",
    "did you mean postOnly",
  ],
] as const)("%s ends the run, and is not traded as something else", async (_what, order, message, hint) => {
  const careless = strategy({
    onBar(ctx) {
      ctx.place(order as never);
    },
  });
  const error = (await run({ data, strategy: careless }).catch((thrown: unknown) => thrown)) as BacktestError;
  expect(error.message).toContain(message);
  expect(error.hint).toContain(hint);
  // The place is the line that asked, not the check that refused.
  expect(error.hint).toMatch(/thrown at \/.*\/failures\.test\.ts\S*:\d+:\d+; /);
});

test("data with an order book is refused, with what to do", () => {
  const market = {
    name: "X",
    priceStep: 1,
    sizeStep: 1,
    events: { ...NO_EVENTS, trade: 1, depth: 2 },
    fromMs: 0,
    toMs: 0,
  };
  const manifest = { ...data.manifest, markets: [market] };
  expect(() => readSurveys(manifest)).toThrowError(
    expect.objectContaining({ code: "DATA_UNUSABLE", message: expect.stringContaining("order book") }),
  );
});
