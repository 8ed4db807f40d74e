import { computeDailyReturns } from "../../report/metrics/dailyReturns.ts";
import { DAYS_MIN, TRADES_MIN } from "../../report/metrics/definitions.ts";
import type { BacktestReport } from "../../report/model.ts";
import { computeQuantile, computeShare } from "../statistics/quantiles.ts";
import { seedRandom } from "../statistics/seed.ts";
import { chooseMeanBlock } from "../statistics/stationaryBootstrap.ts";
import { measurePath, type PathSource, resampleReturns, shuffleTrips, simulatePaths } from "./equityPaths.ts";
import { type Method, type MethodReport, type MonteCarloReport, OUTCOME_SHARES, type SkippedMethod } from "./model.ts";

/** Options of a simulation. */
export interface MonteCarloOptions {
  /** Paths of each method; whole, from 1. A simulation keeps 122 numbers of each. */
  readonly paths: number;
  readonly seed: string;
  /** Equity, relative to the start, at or below which an account counts as ruined. */
  readonly ruinAt: number;
  /** Mean days of a block. Default: the cube root of the number of days. */
  readonly meanBlock?: number;
}

/**
 * Makes many paths of a finished run: its daily returns drawn again in blocks, and its round trips in another order.
 *
 * Equity of a path begins at 1. Its drawdown is measured at the end of days or round trips, as that of the run next to
 * it. Neither has a drawdown within a day. The result is a function of the report and the options.
 */
export function createMonteCarlo(report: BacktestReport, options: MonteCarloOptions): MonteCarloReport {
  const { run } = report;
  const parts = [simulateBlocks(report, options), simulateTrips(report, options)];
  return {
    kind: "monteCarlo",
    run: {
      strategy: run.strategy.id,
      markets: run.markets,
      startMs: run.startMs,
      endMs: run.endMs,
      stateRoot: run.engine.stateRoot,
      command: run.command,
    },
    paths: options.paths,
    seed: options.seed,
    ruinAt: options.ruinAt,
    methods: parts.filter((part) => "steps" in part),
    skipped: parts.filter((part) => "reason" in part),
  };
}

function simulateBlocks(report: BacktestReport, options: MonteCarloOptions): MethodReport | SkippedMethod {
  const equity = report.daily.map((sample) => Number(sample.equity));
  if (equity.some((value) => value <= 0)) return skip("blocks", "equity was zero or less at the end of a day");
  const returns = computeDailyReturns(equity);
  if (returns.length < DAYS_MIN) return skip("blocks", `the run has ${returns.length} full days, at least ${DAYS_MIN}`);
  const meanBlock = Math.min(options.meanBlock ?? chooseMeanBlock(returns.length), returns.length);
  const source = resampleReturns(returns, meanBlock, seedRandom(options.seed, "monteCarlo/blocks"));
  const recorded = equity.slice(1).map((value) => value / equity[0]!);
  return { ...measure("blocks", source, recorded, options), meanBlock };
}

function simulateTrips(report: BacktestReport, options: MonteCarloOptions): MethodReport | SkippedMethod {
  const { roundTrips, summary } = report;
  const { total, kept } = roundTrips;
  if (kept.length < total) return skip("trips", `the report has ${kept.length} of ${total} round trips`);
  const closed = kept.filter(({ exitMs }) => exitMs !== null);
  if (closed.length < TRADES_MIN) {
    return skip("trips", `the run has ${closed.length} closed round trips, at least ${TRADES_MIN}`);
  }
  const deposit = Number(summary.initialEquity);
  const results: number[] = [];
  const recorded: number[] = [];
  let equity = deposit;
  for (const { net } of closed) {
    results.push(Number(net) / equity);
    equity += Number(net);
    if (equity <= 0) return skip("trips", "the round trips lost all of the deposit");
    recorded.push(equity / deposit);
  }
  const source = shuffleTrips(results, seedRandom(options.seed, "monteCarlo/trips"));
  return { ...measure("trips", source, recorded, options), meanBlock: null };
}

function skip(method: Method, reason: string): SkippedMethod {
  return { method, reason };
}

function measure(
  method: Method,
  source: PathSource,
  recorded: readonly number[],
  { paths, ruinAt }: MonteCarloOptions,
): Omit<MethodReport, "meanBlock"> {
  const { finals, drawdowns, ruined, lost, fan } = simulatePaths(source, paths, ruinAt);
  const { drawdown } = measurePath(recorded);
  // A path of the same days or trips in the same order differs from the run by rounding alone.
  const deeper = drawdowns.reduce((count, value) => (value >= drawdown * (1 - 1e-12) ? count + 1 : count), 0);
  return {
    method,
    steps: source.steps,
    recorded: { final: recorded.at(-1)!, drawdown },
    final: OUTCOME_SHARES.map((share) => computeQuantile(finals, share)),
    drawdown: OUTCOME_SHARES.map((share) => computeQuantile(drawdowns, share)),
    loss: computeShare(lost, paths),
    ruin: computeShare(ruined, paths),
    deeper: computeShare(deeper, paths),
    fan,
  };
}
