import { expect, test } from "vitest";
import type { HookName } from "../../../src/client/strategy/strategy.ts";
import type { BacktestResult } from "../../../src/product/backtest/backtestResult.ts";
import type { BacktestOptions } from "../../../src/product/backtest/options.ts";
import { runBacktest } from "../../../src/product/backtest/runBacktest.ts";
import { readDefinition } from "../../../src/product/strategy-host/definition.ts";
import { createRemoteStrategy } from "../../../src/product/strategy-host/remoteStrategy.ts";
import { drawRun } from "../backtest/anyRun.ts";
import { hourlyBars, memorySource, START, type TestEvent } from "../backtest/memorySource.ts";
import { drawHolder, drawScripts } from "./drawnScripts.ts";
import { ScriptedClient, type Scripts } from "./scriptedClient.ts";

// Goal: bars that are sent ahead change nothing: a strategy sees what it sees in lock step with the venue, and has the
// same run. Method: the same strategy with a batch of one bar and with many, everything that it saw compared, and the
// root.

interface Asked {
  readonly options: Omit<BacktestOptions, "strategy">;
  readonly create: () => Scripts;
  readonly hooks: readonly HookName[];
  readonly fields?: object;
}

async function play({ options, create, hooks, fields }: Asked, batch: number) {
  const client = new ScriptedClient(create());
  const definition = readDefinition({ id: "scripted", params: {}, hooks, ...fields });
  const strategy = createRemoteStrategy(definition, client, batch);
  return { client, result: await runOne({ ...options, strategy }) };
}

/** A strategy that fails leaves a result, too. */
async function runOne(options: BacktestOptions): Promise<BacktestResult> {
  try {
    return await runBacktest(options);
  } catch (error) {
    const { result } = error as { result?: BacktestResult };
    if (result === undefined) throw error;
    return result;
  }
}

async function compare(asked: () => Asked) {
  const alone = await play(asked(), 1);
  const ahead = await play(asked(), 512);
  expect(alone.client.longest).toBeLessThanOrEqual(1);
  expect(ahead.client.seen).toEqual(alone.client.seen);
  expect([ahead.result.root, ahead.result.head]).toEqual([alone.result.root, alone.result.head]);
  expect(ahead.result.logs).toEqual(alone.result.logs);
  expect(ahead.result.metrics).toEqual(alone.result.metrics);
  expect(ahead.result.stopped?.reason).toBe(alone.result.stopped?.reason);
  return { alone, ahead };
}

/** Compares runs, and counts what happened in them. */
async function compareDrawn(seeds: number, draw: (seed: number) => () => Asked) {
  const kinds = new Map<string, number>();
  const count = (kind: string, isSeen: boolean) => kinds.set(kind, (kinds.get(kind) ?? 0) + (isSeen ? 1 : 0));
  for (let seed = 0; seed < seeds; seed++) {
    try {
      const { ahead } = await compare(draw(seed));
      const { client, result } = ahead;
      const { fills, liquidations } = result.input.recording;
      const sees = (hook: HookName) => client.seen.some((seen) => Array.isArray(seen) && seen[0] === hook);
      count("run", true);
      count("filled", fills.length > 0);
      count("liquidated", liquidations.length > 0);
      count("long", client.longest >= 8);
      for (const hook of ["onTimer", "onFrame", "onFunding"] as const) count(hook, sees(hook));
    } catch (error) {
      // Frames of which the drawn bars are no part, or a warm-up that takes all data: no run to compare.
      if (/STRATEGY_INVALID|DATA_UNUSABLE/.test(String((error as { code?: string }).code))) continue;
      throw Object.assign(error as Error, { message: `seed ${seed}: ${(error as Error).message}` });
    }
  }
  return kinds;
}

test("drawn strategies on drawn data see the same", async () => {
  const kinds = await compareDrawn(70, (seed) => {
    const { hooks, fields, create } = drawScripts(seed);
    return () => ({ options: drawRun(seed)(), create, hooks, fields });
  });
  for (const [kind, least] of Object.entries({ run: 40, filled: 25, liquidated: 1, long: 10 })) {
    expect(kinds.get(kind), kind).toBeGreaterThanOrEqual(least);
  }
  for (const hook of ["onTimer", "onFrame", "onFunding"]) expect(kinds.get(hook), hook).toBeGreaterThan(1);
});

test("strategies that hold as much as they can see their liquidation at its time", async () => {
  const kinds = await compareDrawn(90, (seed) => {
    const { hooks, fields, create } = drawHolder(seed);
    return () => ({
      options: { ...drawRun(seed)(), margin: "cross", leverage: 5 + (seed % 3) * 10, latencyMs: 0, participation: "1" },
      create,
      hooks,
      fields,
    });
  });
  for (const [kind, least] of Object.entries({ filled: 40, liquidated: 12, long: 20, onFunding: 5 })) {
    expect(kinds.get(kind), kind).toBeGreaterThanOrEqual(least);
  }
});

test("series are read at the time of each bar, though bars are sent ahead of the program", async () => {
  const bars = hourlyBars(Array.from({ length: 200 }, () => [100, 101, 99, 100] as const));
  const values = Array.from({ length: 500 }, (_, at): TestEvent => {
    return { kind: "series", timeMs: START + at * 1_500_000 + 7, series: 0, value: `${at}.25`, lateMs: 60_000 };
  });
  const seen: (readonly [time: number, answer: unknown])[] = [];
  const create = (): Scripts => ({
    *onBar(_bar, timeMs) {
      if (timeMs % 3 === 0) yield ["series", "oi", null, 2001];
      seen.push([timeMs, yield ["series", "oi", null, 2]]);
    },
  });
  const data = () => memorySource([...bars, ...values], { series: [["BTC", "oi"]] });
  const { ahead } = await compare(() => ({
    options: { data: data(), tick: "1", lot: "0.01" },
    create,
    hooks: ["onBar"],
  }));
  expect(ahead.client.longest).toBeGreaterThan(20);
  expect(seen).toHaveLength(400);
  for (const [timeMs, answer] of seen) {
    const known = values.filter((value) => value.timeMs <= timeMs).slice(-2);
    expect(answer).toEqual(
      known.map((value) => {
        const { value: exact, timeMs: knownMs } = value as Extract<TestEvent, { kind: "series" }>;
        return [Number(exact), exact, knownMs - 60_000, knownMs];
      }),
    );
  }
});
