import { expect, test } from "vitest";
import type { AnyStrategy } from "../../../../src/client/strategy/strategy.ts";
import type { BacktestResult } from "../../../../src/product/backtest/backtestResult.ts";
import type { BacktestOptions } from "../../../../src/product/backtest/options.ts";
import { runBacktest } from "../../../../src/product/backtest/runBacktest.ts";
import { drawRun } from "../anyRun.ts";
import { createDecider, createOnlooker } from "../decider.ts";

/** Without timers, which are on the strategy's own clock. */
function createTimeless(hook: "onBar" | "onTrade" | "onBlock"): AnyStrategy {
  return { ...createDecider(hook), init: () => ({ calls: 0 }) } as AnyStrategy;
}

async function runOne(options: BacktestOptions): Promise<BacktestResult> {
  try {
    return await runBacktest(options);
  } catch (error) {
    const { result } = error as { result?: BacktestResult };
    if (result === undefined) throw error;
    return result;
  }
}

/**
 * What the strategy logged, and when on a clock that is `lateMs` late: its own time is the first value of what it sees.
 */
function linesOf({ logs }: BacktestResult, lateMs: number): string[] {
  return logs.map(({ timeMs, text }) => {
    const seen = text.replace(/^\[(\d{13}),/, (_, now) => `[${Number(now) - lateMs},`);
    // An order that was refused without being sent has the time of the strategy.
    return `${timeMs - lateMs} ${seen.replace(/^(\{"id":"t\d+","timeMs":)\d+/, "$1")}`;
  });
}

// Goal: a strategy sees its venue as it was, to the unit, when everything takes equally long to it.
// Method: if the feed and receipts both take c ms, each decision comes c ms later. It is made from the same view, so a
// run whose transactions take c ms less is the same venue, block by block: root, head, and every line that the
// strategy logs.
test.each(Array.from({ length: 36 }, (_, seed) => seed + 1))(
  "a view that is late is the view of that time, seed %i",
  async (seed) => {
    const isOnlooker = seed % 3 === 0;
    const draw = drawRun(seed, (hook) =>
      isOnlooker ? createOnlooker(hook === "onTrade" ? hook : "onBar") : createTimeless(hook),
    );
    const lateMs = [1, 40, 999, 60_000, 3_600_000, 9_000_001][seed % 6]!;
    const submitMs = [1, 20, 3_000][seed % 3]!;
    const shared = { ...draw(), blocks: "all" } as const;
    const prompt = await runOne({ ...shared, ...freshData(draw), latencyMs: submitMs + lateMs });
    const late = await runOne({
      ...shared,
      ...freshData(draw),
      ...{ latencyMs: submitMs, feedLatencyMs: lateMs, receiptLatencyMs: lateMs },
    });
    // What comes after the end of the data does not arrive: the last decisions of the prompt run have no counterpart.
    const lines = linesOf(late, lateMs);
    expect(lines.slice(0, -1)).toEqual(linesOf(prompt, 0).slice(0, Math.max(0, lines.length - 1)));
    // A wiped-out account ends a run when the strategy learns of it: the late run then has more blocks.
    expect(late.stopped?.reason).toBe(prompt.stopped?.reason);
    if (prompt.stopped !== undefined) {
      expect(late.blocks).toBeGreaterThanOrEqual(prompt.blocks);
      return;
    }
    expect(late.root).toBe(prompt.root);
    expect(late.head).toBe(prompt.head);
    expect(late.transactions).toBe(prompt.transactions);
  },
);

function freshData(draw: () => BacktestOptions): Pick<BacktestOptions, "data" | "strategy"> {
  const { data, strategy } = draw();
  return { data, strategy };
}
