import { expect } from "vitest";
import type { BacktestResult, StrategyResult } from "../../../src/product/backtest/backtestResult.ts";
import type { BacktestOptions, PortfolioOptions } from "../../../src/product/backtest/options.ts";
import { type BacktestHooks, runBacktest } from "../../../src/product/backtest/runBacktest.ts";

/**
 * Runs twice, with the blocks that are needed and with all of them, and expects the same run: fills, funding, fees,
 * liquidations, rejections, curves and statistics to the unit. With all blocks, each is recorded by itself. Ids of
 * orders and liquidations count blocks, so they differ.
 */
export async function runBothSchedules(
  options: () => BacktestOptions | PortfolioOptions,
): Promise<{ readonly needed: BacktestResult; readonly all: BacktestResult }> {
  const needed = await runOne({ ...options(), blocks: "needed" });
  const all = await runOne({ ...options(), blocks: "all" }, { recordsEach: true });
  expect(outcomeOf(needed)).toEqual(outcomeOf(all));
  return { needed, all };
}

/** A strategy that fails leaves a result, too. */
async function runOne(options: BacktestOptions | PortfolioOptions, hooks?: BacktestHooks): Promise<BacktestResult> {
  try {
    return await runBacktest(options, hooks);
  } catch (error) {
    const { result } = error as { result?: BacktestResult };
    if (result === undefined) throw error;
    return result;
  }
}

/** Everything of a run that does not depend on how many blocks it has, of all accounts together and of each. */
function outcomeOf({ strategies, events, ...together }: BacktestResult): unknown {
  return {
    events,
    together: partOf(together),
    strategies: strategies.map((one) => ({ name: one.name, ...partOf(one) })),
  };
}

function partOf({ input, metrics, logs, stopped }: Omit<StrategyResult, "name">) {
  const { recording, assumptions, notices } = input;
  return {
    recording: {
      ...recording,
      fills: recording.fills.map(({ orderId, liquidationId, ...fill }) => ({
        ...fill,
        isForced: liquidationId !== null,
      })),
      liquidations: recording.liquidations.map(({ id, ...liquidation }) => liquidation),
    },
    assumptions,
    notices: notices.map((text) => text.replace(/ at block \d+/, "")),
    metrics,
    logs,
    stopped: stopped === undefined ? undefined : { reason: stopped.reason, timeMs: stopped.timeMs },
  };
}
