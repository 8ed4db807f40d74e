import { countOf } from "../../../ground/math/counts.ts";
import type { JobEngine } from "../../jobs/engine.ts";
import { computeDailyReturns } from "../../report/metrics/dailyReturns.ts";
import { DAYS_MIN, TRADES_MIN } from "../../report/metrics/definitions.ts";
import type { BacktestReport } from "../../report/model.ts";
import { computeQuantile, computeShare } from "../statistics/quantiles.ts";
import { chooseMeanBlock } from "../statistics/stationaryBootstrap.ts";
import { CHUNK_PATHS, type PathOutcomes } from "./chunk.ts";
import { measurePath } from "./equityPaths.ts";
import { type Method, type MethodReport, type MonteCarloReport, OUTCOME_SHARES, type SkippedMethod } from "./model.ts";
import { type Sample, simulateSamples } from "./pathJobs.ts";

/** Options of a simulation. */
export interface MonteCarloOptions {
  /** Paths of each method; whole, from 1. A simulation keeps two numbers of each. */
  readonly paths: number;
  readonly seed: string;
  /** Equity, relative to the start, at or below which an account counts as ruined. */
  readonly ruinAt: number;
  /** Mean days of a block. Default: the cube root of the number of days. */
  readonly meanBlock?: number;
}

/** A method that can be used: the numbers that its paths are made of, and the run itself at the same steps. */
interface Plan {
  readonly sample: Sample;
  /** Equity of the run after each step, relative to its start. */
  readonly recorded: readonly number[];
}

/** Which methods a report allows. */
export interface MonteCarloPlan {
  readonly plans: readonly Plan[];
  readonly skipped: readonly SkippedMethod[];
  /** Steps of all paths of all methods together: what a simulation takes grows with it. */
  readonly steps: number;
}

/** Chooses the methods that a report allows, and takes their numbers from it. */
export function planMonteCarlo(report: BacktestReport, { paths, meanBlock }: MonteCarloOptions): MonteCarloPlan {
  const parts = [planBlocks(report, meanBlock), planTrips(report)];
  const plans = parts.filter((part) => "sample" in part);
  return {
    plans,
    skipped: parts.filter((part) => "reason" in part),
    steps: plans.reduce((sum, { recorded }) => sum + recorded.length * paths, 0),
  };
}

/**
 * Makes many paths of a finished run: its daily returns drawn again in blocks, and its round trips in another order.
 *
 * Equity of a path begins at 1. Its drawdown is measured at the end of days or round trips, as that of the run next to
 * it. Neither has a drawdown within a day. The result is a function of the report and the options, and does not depend
 * on the engine: paths are drawn in chunks of 1,000, each with a random stream of its own.
 *
 * @param engine knows the kind `paths`
 * @param onDone receives the number of paths that are done, over all methods
 */
export async function createMonteCarlo(
  report: BacktestReport,
  options: MonteCarloOptions,
  engine: JobEngine,
  onDone: (paths: number) => void = () => undefined,
): Promise<MonteCarloReport> {
  const { run } = report;
  const { paths, seed, ruinAt } = options;
  const { plans, skipped } = planMonteCarlo(report, options);
  const samples = plans.map(({ sample }) => sample);
  let done = 0;
  const outcomes = await simulateSamples(engine, { seed, ruinAt, samples, paths }, () => {
    done += CHUNK_PATHS;
    onDone(Math.min(done, paths * plans.length));
  });
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
    paths,
    seed,
    ruinAt,
    methods: plans.map((plan, at) => measure(plan, outcomes[at]!, paths)),
    skipped,
  };
}

function planBlocks(report: BacktestReport, given: number | undefined): Plan | SkippedMethod {
  const equity = report.daily.map((sample) => Number(sample.equity));
  if (equity.some((value) => value <= 0)) return skip("blocks", "equity was zero or less at the end of a day");
  const returns = computeDailyReturns(equity);
  if (returns.length < DAYS_MIN)
    return skip("blocks", `the run has ${countOf(returns.length, "full day")}, at least ${DAYS_MIN}`);
  const meanBlock = Math.min(given ?? chooseMeanBlock(returns.length), returns.length);
  const recorded = equity.slice(1).map((value) => value / equity[0]!);
  return { sample: { method: "blocks", returns, meanBlock }, recorded };
}

function planTrips({ roundTrips, summary }: BacktestReport): Plan | SkippedMethod {
  const { total, kept } = roundTrips;
  if (kept.length < total) return skip("trips", `the report has ${kept.length} of ${total} round trips`);
  const closed = kept.filter(({ exitMs }) => exitMs !== null);
  if (closed.length < TRADES_MIN) {
    return skip("trips", `the run has ${countOf(closed.length, "closed round trip")}, at least ${TRADES_MIN}`);
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
  return { sample: { method: "trips", results }, recorded };
}

function skip(method: Method, reason: string): SkippedMethod {
  return { method, reason };
}

function measure({ sample, recorded }: Plan, outcomes: PathOutcomes, paths: number): MethodReport {
  const { finals, drawdowns, ruined, fan } = outcomes;
  const { drawdown } = measurePath(recorded);
  const lost = finals.reduce((count, value) => (value < 1 ? count + 1 : count), 0);
  // A path of the same days or trips in the same order differs from the run by rounding alone.
  const deeper = drawdowns.reduce((count, value) => (value >= drawdown * (1 - 1e-12) ? count + 1 : count), 0);
  return {
    method: sample.method,
    steps: recorded.length,
    recorded: { final: recorded.at(-1)!, drawdown },
    final: OUTCOME_SHARES.map((share) => computeQuantile(finals, share)),
    drawdown: OUTCOME_SHARES.map((share) => computeQuantile(drawdowns, share)),
    loss: computeShare(lost, paths),
    ruin: computeShare(ruined, paths),
    deeper: computeShare(deeper, paths),
    fan,
    meanBlock: sample.method === "blocks" ? sample.meanBlock : null,
  };
}
