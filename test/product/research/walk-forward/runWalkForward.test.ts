import { describe, expect, it } from "vitest";
import type { RunEngine } from "../../../../src/product/research/runs/engine.ts";
import { hashJob, type RunJob } from "../../../../src/product/research/runs/job.ts";
import type { RunRecord } from "../../../../src/product/research/runs/record.ts";
import { planSweep } from "../../../../src/product/research/sweep/planSweep.ts";
import { planWindows } from "../../../../src/product/research/walk-forward/planWindows.ts";
import { runWalkForward } from "../../../../src/product/research/walk-forward/runWalkForward.ts";

const DAY = 86_400_000;
const axis = { name: "x", values: [1, 2, 3].map((value) => ({ text: `${value}`, value, params: { x: value } })) };
const base = { code: "c", strategies: [{ strategy: "s", params: { x: 0 } }], data: "d", options: { leverage: 2 } };
const plan = planSweep(base, [axis], { conditions: [], fixed: new Map(), seed: "1" });
const windows = planWindows({ fromMs: 0, toMs: 60 * DAY, trainMs: 20 * DAY, testMs: 10 * DAY });

/** Outcomes of a run by its parameter and its span; days are returns in 1e-8. */
type Result = Partial<Pick<RunRecord, "outcome" | "metrics" | "daily" | "error">>;

function createEngine(resultOf: (x: number, day: number, days: number) => Result) {
  const made: RunJob[] = [];
  const engine: RunEngine = {
    async *run(requests) {
      for (const { job } of requests) {
        made.push(job);
        const { fromMs = 0, toMs = 0 } = job.options;
        const given = resultOf(Number(job.strategies[0]!.params["x"]), fromMs / DAY, (toMs - fromMs) / DAY);
        const none = {
          error: null,
          root: "0x1",
          head: "0x2",
          blocks: 1,
          startMs: 0,
          endMs: 1,
          reasons: {},
          own: {},
          strategies: [],
        };
        const hash = hashJob(job);
        yield { record: { hash, job, outcome: "completed", metrics: {}, daily: null, ...none, ...given } };
      }
    },
    close: async () => undefined,
  };
  return { engine, made };
}

const walk = (engine: RunEngine) => runWalkForward({ strategy: "s", plan, windows, metric: "totalReturn", engine });

describe("a walk-forward", () => {
  it("runs on each test only the point that was best in the training before it", async () => {
    // 3 is best at first, then 1.
    const { engine, made } = createEngine((x, day) => ({ metrics: { totalReturn: day < 15 ? x / 100 : -x / 100 } }));
    const report = await walk(engine);
    expect(report.windows.map(({ chosen }) => chosen)).toEqual([2, 2, 0, 0]);
    const tests = made.slice(windows.length * 3);
    expect(
      tests.map(({ strategies, options }) => [strategies[0]!.params["x"], options.fromMs! / DAY, options.toMs! / DAY]),
    ).toEqual([
      [3, 20, 30],
      [3, 30, 40],
      [1, 40, 50],
      [1, 50, 60],
    ]);
    expect(made.every(({ options }) => options.leverage === 2)).toBe(true);
    expect(report.drift).toEqual([{ axis: "x", values: ["3", "3", "1", "1"], changes: 1, distinct: 2, offered: 3 }]);
  });

  it("chooses the first of equal points, and the least where less is better", async () => {
    const equal = await walk(createEngine(() => ({ metrics: { totalReturn: 0.1 } })).engine);
    expect(equal.windows.map(({ chosen }) => chosen)).toEqual([0, 0, 0, 0]);
    const { engine } = createEngine((x) => ({ metrics: { maxDrawdown: x / 10 } }));
    const least = await runWalkForward({ strategy: "s", plan, windows, metric: "maxDrawdown", engine });
    expect(least.windows.map(({ chosen, trainValue }) => [chosen, trainValue])[0]).toEqual([0, 0.1]);
  });

  it("is flat in a test before which no run of training had a value", async () => {
    const { engine, made } = createEngine((_x, day) => ({ metrics: { totalReturn: day === 0 ? null : 0.1 } }));
    const report = await walk(engine);
    expect(report.windows[0]).toMatchObject({ chosen: null, outcome: "flat", testReturn: null, ranked: 0 });
    expect(made).toHaveLength(windows.length * 3 + windows.length - 1);
    expect(report.outOfSample.tests).toBe(3);
  });

  it("joins the tests into one curve: each continues where the one before it ended", async () => {
    // Each test gains 1 % on its first whole day, and a half of 1 % before and after its days.
    const daily = (day: number) => ({
      fromMs: day * DAY,
      returns: [1_000_000, 0, 0, 0, 0, 0, 0, 0, 0],
      before: 500_000,
      after: 500_000,
    });
    const { engine } = createEngine((x, day, days) => ({
      metrics: { totalReturn: x / 100 },
      daily: days === 10 ? daily(day) : null,
    }));
    const { curve, outOfSample } = await walk(engine);
    const perTest = 1.005 * 1.01 * 1.005;
    expect(curve.equity.at(-1)).toBeCloseTo(perTest ** 4, 12);
    expect(outOfSample.totalReturn).toBeCloseTo(perTest ** 4 - 1, 12);
    expect(curve.returns).toHaveLength(36);
    expect(curve.timeMs).toEqual([...new Set(curve.timeMs)].sort((a, b) => a - b));
    expect([curve.timeMs[0], curve.timeMs.at(-1)]).toEqual([20 * DAY, 60 * DAY]);
  });

  it("stays at zero after a test that lost everything", async () => {
    const lost = { fromMs: 20 * DAY, returns: [-100_000_000], before: 0, after: 0 };
    const { engine } = createEngine((x, day, days) => ({
      metrics: { totalReturn: days === 10 && day === 20 ? -1 : x / 100 },
      outcome: days === 10 && day === 20 ? "wipedOut" : "completed",
      daily:
        days === 10 ? (day === 20 ? lost : { fromMs: day * DAY, returns: [1_000_000], before: 0, after: 0 }) : null,
    }));
    const { curve, outOfSample } = await walk(engine);
    expect(curve.equity.at(-1)).toBe(0);
    expect(outOfSample).toMatchObject({ totalReturn: -1, maxDrawdown: 1, gains: 3, tests: 4 });
  });

  it("reports a test that failed, and continues", async () => {
    const error = { code: "STRATEGY_FAILED", message: "no", isFinal: true };
    const { engine } = createEngine((x, day, days) =>
      days === 10 && day === 30 ? { outcome: "failed", error, metrics: {} } : { metrics: { totalReturn: x / 100 } },
    );
    const report = await walk(engine);
    expect(report.windows[1]).toMatchObject({ outcome: "failed", error: { code: "STRATEGY_FAILED" } });
    expect(report.outOfSample).toMatchObject({ tests: 3, gains: 3 });
    expect(report.failed).toEqual({ runs: 1, of: 16, first: error });
  });

  it("has an efficiency of 1 where the tests are as good as training", async () => {
    const growth = (days: number) => Math.exp(0.001 * days) - 1;
    const { engine } = createEngine((_x, _day, days) => ({ metrics: { totalReturn: growth(days) } }));
    expect((await walk(engine)).efficiency).toBeCloseTo(1, 12);
    const losing = createEngine((_x, _day, days) => ({ metrics: { totalReturn: -growth(days) } }));
    expect((await walk(losing.engine)).efficiency).toBeNull();
  });
});
