import { describe, expect, test } from "vitest";
import type { AnyStrategy } from "../../../../src/client/strategy/strategy.ts";
import { Random } from "../../../../src/ground/math/random.ts";
import type { LinkOptions } from "../../../../src/product/backtest/link/link.ts";
import type { BacktestOptions, PortfolioOptions } from "../../../../src/product/backtest/options.ts";
import { drawData } from "../anyData.ts";
import { drawRun, drawSeveral } from "../anyRun.ts";
import { createDecider, createOnlooker } from "../decider.ts";
import { START } from "../memorySource.ts";
import { runBothSchedules } from "../schedules.ts";

const HOUR = 3_600_000;

/** Legs, limits and outages of any kind. The same seed gives the same. */
function drawLink(seed: number): LinkOptions {
  const random = Random.ofSeed([seed, 47]);
  const drawLatency = () =>
    random.pick([0, 1, 250, 70_000, HOUR, "uniform(0,500)", "normal(20000,20000)", "lognormal(300,2)"]);
  const samples = Array.from({ length: 40 }, (_, place) => place * 3 * HOUR);
  const recorded = {
    file: "recorded.csv",
    times: samples.map((time) => START + time),
    latencies: samples.map(() => random.pick([0, 5, 900, 400_000])),
  };
  const outages = Array.from({ length: random.between(0, 4) }, () => {
    const fromMs = START + random.below(100 * HOUR);
    return {
      fromMs,
      toMs: fromMs + random.between(1, 6 * HOUR),
      stops: random.pick(["submit", "feed", "all"] as const),
    };
  });
  return {
    latencyMs: random.chance(1, 5) ? recorded : drawLatency(),
    feedLatencyMs: random.chance(1, 6) ? recorded : drawLatency(),
    receiptLatencyMs: drawLatency(),
    ...(random.chance(1, 2) ? {} : { rateLimit: random.pick(["1/1h", "2/30m,5/1d", "40/1d", "1/1s"]) }),
    ...(outages.length === 0 ? {} : { outages }),
  };
}

function create(seed: number): (hook: "onBar" | "onTrade" | "onBlock") => AnyStrategy {
  return (hook) => (seed % 3 === 0 ? createOnlooker(hook === "onTrade" ? hook : "onBar") : createDecider(hook));
}

// Goal: latencies, limits and outages do not depend on which instants are blocks.
describe("the same run with the blocks that are needed and with all of them", () => {
  const reached = new Map<string, number>();
  const reach = (what: string, times = 1) => reached.set(what, (reached.get(what) ?? 0) + times);

  test.each(Array.from({ length: 30 }, (_, seed) => seed + 1))("of one strategy, seed %i", async (seed) => {
    const draw = drawRun(seed, create(seed));
    const { needed } = await runBothSchedules((): BacktestOptions => ({ ...draw(), ...drawLink(seed) }));
    reach("fills", needed.report.fills.total);
    for (const { code, count } of needed.input.recording.rejections) reach(code, count);
  });

  test.each(Array.from({ length: 8 }, (_, seed) => seed + 1))("of several strategies, seed %i", async (seed) => {
    const draw = drawSeveral(seed);
    await runBothSchedules((): PortfolioOptions => {
      const options = draw();
      // Some of them see every block at once.
      const strategies = options.strategies.map((one, place) =>
        place === 0 ? one : { ...one, ...drawLink(seed + place) },
      );
      return { ...options, strategies };
    });
  });

  test("the runs have fills, refused orders and lost connections", () => {
    expect(reached.get("fills")).toBeGreaterThan(100);
    expect(reached.get("RATE_LIMITED")).toBeGreaterThan(20);
    expect(reached.get("VENUE_UNREACHABLE")).toBeGreaterThan(5);
  });
});

test("a seed gives the same run again, and another seed another", async () => {
  const { runBacktest } = await import("../../../../src/product/backtest/runBacktest.ts");
  const { shape } = drawData(4, 120);
  const runs = await Promise.all(
    ["a", "a", "b"].map((seed) =>
      runBacktest({
        ...drawRun(4, () => createDecider("onBar"))(),
        latencyMs: "uniform(0,9000000)",
        feedLatencyMs: "lognormal(3000,1)",
        seed,
      }),
    ),
  );
  expect(shape).toBeDefined();
  expect(runs[1]!.root).toBe(runs[0]!.root);
  expect(runs[1]!.logs).toEqual(runs[0]!.logs);
  expect(runs[2]!.root).not.toBe(runs[0]!.root);
});
