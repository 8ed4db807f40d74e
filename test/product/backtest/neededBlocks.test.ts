import { Type } from "typebox";
import { expect, test } from "vitest";
import { defineStrategy } from "../../../src/client/strategy/strategy.ts";
import type { BacktestOptions } from "../../../src/product/backtest/options.ts";
import { drawRun } from "./anyRun.ts";
import { memorySource, START, type TestEvent } from "./memorySource.ts";
import { createProtector } from "./protector.ts";
import { createQuoter } from "./quoter.ts";
import { runBothSchedules } from "./schedules.ts";

const SEEDS = 30;

/** Runs both schedules of each run, and counts blocks, and what must happen lest the runs prove little. */
async function compareRuns(runs: readonly (() => BacktestOptions)[]) {
  const seen = { needed: 0, all: 0, fills: 0, makes: 0, forced: 0, funding: 0, rejections: 0, fired: 0 };
  for (const run of runs) {
    const both = await runBothSchedules(run);
    seen.needed += both.needed.blocks;
    seen.all += both.all.blocks;
    const { fills, liquidations, funding, rejections } = both.needed.input.recording;
    seen.fills += fills.length;
    seen.makes += fills.filter(({ role }) => role === "maker").length;
    seen.forced += liquidations.length;
    seen.funding += funding.length;
    seen.rejections += rejections.length;
    seen.fired += both.needed.logs.filter(({ text }) => text.includes('"status":"triggered"')).length;
  }
  return seen;
}

test("any run is the same with the blocks that are needed as with all of them", async () => {
  const { needed, all, fills, forced, funding, rejections } = await compareRuns(
    Array.from({ length: SEEDS }, (_, place) => drawRun(place + 1)),
  );
  expect(needed).toBeLessThan(all * 0.95);
  for (const count of [fills, forced, funding, rejections]) expect(count).toBeGreaterThan(0);
});

// A block is left out between two in which an order rests: its turn must not differ for it.
test("orders that rest through passed instants trade in the same turn", async () => {
  const runs = Array.from({ length: SEEDS }, (_, place) => () => {
    const run = drawRun(place + 1)();
    const hook = run.data.manifest.markets[0]!.events.trade > 0 ? "onTrade" : "onBar";
    return { ...run, strategy: createQuoter(hook, [0.02, 0.2, 0.48][place % 3]!) };
  });
  const { needed, all, makes } = await compareRuns(runs);
  expect(needed).toBeLessThan(all * 0.7);
  expect(makes).toBeGreaterThan(1_000);
});

// A block is left out where no trigger can be reached, whatever price it waits for.
test("stops and take-profits fire at the same time, in the same order", async () => {
  const runs = Array.from({ length: SEEDS }, (_, place) => () => {
    const run = drawRun(place + 1)();
    return { ...run, strategy: createProtector(run.data.manifest.markets[0]!.events.trade > 0 ? "onTrade" : "onBar") };
  });
  const { needed, all, fired } = await compareRuns(runs);
  expect(needed).toBeLessThan(all * 0.7);
  expect(fired).toBeGreaterThan(100);
});

const second = (at: number) => START + at * 1_000;
const mark = (at: number, price: number): TestEvent => ({ kind: "mark", timeMs: second(at), price });
const trade = (at: number, price: number, size = 100): TestEvent => ({
  kind: "trade",
  timeMs: second(at),
  price,
  size,
  side: -1,
});

test("a trade between others of its instant fires a stop at the last price", async () => {
  const fired: number[] = [];
  const strategy = defineStrategy({
    id: "stopper",
    params: Type.Object({}),
    init(ctx) {
      ctx.place({ side: "buy", size: 5, slippage: 0.01, stop: { trigger: 992, source: "last" } });
    },
    onIntent(ctx, { status }) {
      if (status === "triggered") fired.push(ctx.now.timeMs);
    },
  });
  const { needed } = await runBothSchedules(() => ({
    data: memorySource([
      mark(1, 1_000),
      ...[1, 2, 3, 4, 5].map((at) => trade(at, 1_000)),
      ...[1_000, 990, 1_000].map((price, place) => trade(5.1 + place / 10, price)),
      ...[7, 8].map((at) => trade(at, 1_000)),
    ]),
    strategy,
    deposit: "10000",
    tick: "1",
    lot: "1",
  }));
  expect(fired).toEqual([second(6), second(6)]);
  expect(needed.blocks).toBeLessThan(8);
});

test("deleveraging closes at the mark of the instant before, a passed one", async () => {
  const strategy = defineStrategy({
    id: "long",
    params: Type.Object({}),
    init: (ctx) => void ctx.place({ side: "buy", size: 8, slippage: 0.01 }),
  });
  const { needed } = await runBothSchedules(() => ({
    data: memorySource([
      mark(1, 1_000),
      ...[1, 2, 3, 4, 5, 6, 7].map((at) => trade(at, 1_000)),
      mark(5, 970),
      mark(6, 950),
      mark(7, 800),
    ]),
    strategy,
    deposit: "1000",
    leverage: 10,
    tick: "1",
    lot: "1",
    parameters: { liquidationPolicy: "hyperliquid" },
  }));
  const { liquidations } = needed.input.recording;
  expect(liquidations.flatMap(({ fills }) => fills.map(({ kind, price }) => [kind, price]))).toEqual([
    ["previousMark", 95_000_000_000],
  ]);
  expect(needed.blocks).toBeLessThan(7);
});

test("an order that is reached is checked at the marks of the instant before, a passed one", async () => {
  const events: TestEvent[] = [
    mark(1, 1_000),
    ...[1, 2, 3, 4].map((at) => trade(at, 1_000)),
    mark(5, 905),
    ...[5, 6, 7].map((at) => trade(at, 1_000)),
    trade(8, 995, 200),
  ];
  const causes: string[] = [];
  const strategy = defineStrategy({
    id: "bidder",
    params: Type.Object({}),
    init(ctx) {
      ctx.place({ side: "buy", size: 5, slippage: 0.01 });
      ctx.place({ side: "buy", size: 4, price: 995 });
    },
    onCancel: (_ctx, { cause }) => void causes.push(cause),
  });
  const { needed } = await runBothSchedules(() => ({
    data: memorySource(events),
    strategy,
    deposit: "1000",
    leverage: 10,
    tick: "1",
    lot: "1",
  }));
  expect(causes).toEqual(["margin", "margin"]);
  expect(needed.input.recording.fills).toHaveLength(1);
  expect(needed.blocks).toBeLessThan(8);
});
