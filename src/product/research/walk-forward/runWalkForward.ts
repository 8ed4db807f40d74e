import { computeSharpe } from "../../report/metrics/dailyReturns.ts";
import { measurePath } from "../monte-carlo/equityPaths.ts";
import type { RunEngine } from "../runs/engine.ts";
import type { RunJob } from "../runs/job.ts";
import type { RunFailure, RunRecord } from "../runs/record.ts";
import { computeProbabilisticSharpe } from "../statistics/sharpeTests.ts";
import { type MetricKey, readValue } from "../sweep/metricKey.ts";
import type { SweepPlan } from "../sweep/planSweep.ts";
import { rankValue } from "../sweep/rankCells.ts";
import { joinTests } from "./curve.ts";
import { describeDrift } from "./drift.ts";
import type { WalkForwardReport, WindowResult } from "./model.ts";
import type { Span, Window } from "./planWindows.ts";

/** Inputs of a walk-forward. */
export interface WalkForwardParts {
  readonly strategy: string;
  /** The points of the grid, with jobs over any span of the data. */
  readonly plan: SweepPlan;
  readonly windows: readonly Window[];
  /** The metric that chooses. */
  readonly metric: MetricKey;
  readonly engine: RunEngine;
  readonly onDone?: (runs: number) => void;
  readonly signal?: AbortSignal;
}

const YEAR_MS = 365 * 86_400_000;

/**
 * Runs every point over the training span of every window, then the best of each over its test.
 *
 * Among equal points the first of the grid is chosen, so the result is a function of data, grid and plan.
 */
export async function runWalkForward(parts: WalkForwardParts): Promise<WalkForwardReport> {
  const { plan, windows, strategy, metric } = parts;
  const { axes, cells } = plan;
  const choices: Choice[] = [];
  let runs = 0;
  let failures = 0;
  let first: RunFailure | null = null;
  const count = ({ error }: RunRecord) => {
    runs++;
    if (error === null) return;
    failures++;
    first ??= error;
  };
  const trainings = windows.flatMap(({ train }) => cells.map(({ job }) => over(job, train)));
  let choice = startChoice();
  for await (const record of runJobs(parts, trainings)) {
    consider(choice, runs % cells.length, record, rankValue(record, metric));
    count(record);
    parts.onDone?.(runs);
    if (runs % cells.length > 0) continue;
    choices.push(choice);
    choice = startChoice();
  }

  const tested = windows.flatMap(({ test }, place) => {
    const { point } = choices[place]!;
    return point === null ? [] : [{ place, job: over(cells[point]!.job, test) }];
  });
  const tests = new Map<number, RunRecord>();
  let next = 0;
  for await (const record of runJobs(
    parts,
    tested.map(({ job }) => job),
  )) {
    tests.set(tested[next++]!.place, record);
    count(record);
    parts.onDone?.(runs);
  }

  const results = windows.map((window, place) => toResult(metric, window, choices[place]!, tests.get(place)));
  const curve = joinTests(windows.map(({ test }, place) => ({ ...test, daily: tests.get(place)?.daily ?? null })));
  const sharpe = computeSharpe(curve.returns);
  const trades = results.filter(({ outcome }) => outcome !== "flat" && outcome !== "failed");
  return {
    kind: "walkForward",
    strategy,
    metric,
    axes,
    points: cells.map(({ point }) => point),
    windows: results,
    curve,
    outOfSample: {
      totalReturn: (curve.equity.at(-1) ?? 1) - 1,
      maxDrawdown: measurePath(curve.equity).drawdown,
      sharpe: "value" in sharpe ? sharpe.value : null,
      probabilisticSharpe: computeProbabilisticSharpe(curve.returns) ?? null,
      gains: trades.filter(({ testReturn }) => (testReturn ?? 0) > 0).length,
      tests: trades.length,
    },
    efficiency: computeEfficiency(results),
    drift: describeDrift(
      axes,
      cells.map(({ point }) => point),
      results,
    ),
    failed: { runs: failures, of: runs, first },
  };
}

async function* runJobs({ engine, signal }: WalkForwardParts, jobs: readonly RunJob[]): AsyncGenerator<RunRecord> {
  const events = signal === undefined ? {} : { signal };
  for await (const { record } of engine.run(
    jobs.map((job) => ({ job })),
    events,
  ))
    yield record;
}

/** The best point of a window so far. */
interface Choice {
  point: number | null;
  rank: number;
  record: RunRecord | null;
  ranked: number;
}

function startChoice(): Choice {
  return { point: null, rank: Number.NEGATIVE_INFINITY, record: null, ranked: 0 };
}

function consider(choice: Choice, point: number, record: RunRecord, rank: number | null): void {
  if (rank === null) return;
  choice.ranked++;
  if (choice.point !== null && rank <= choice.rank) return;
  choice.point = point;
  choice.rank = rank;
  choice.record = record;
}

function toResult(metric: MetricKey, window: Window, choice: Choice, test: RunRecord | undefined): WindowResult {
  const { point, record, ranked } = choice;
  return {
    ...window,
    chosen: point,
    trainValue: record === null ? null : readNumber(record, metric),
    testValue: test === undefined ? null : readNumber(test, metric),
    trainReturn: record === null ? null : readReturn(record),
    testReturn: test === undefined ? null : readReturn(test),
    outcome: test?.outcome ?? "flat",
    error: test?.error ?? null,
    ranked,
    root: test?.root ?? null,
  };
}

function readNumber(record: RunRecord, metric: MetricKey): number | null {
  const value = readValue(record, metric);
  return value === null ? null : Number(value);
}

function readReturn(record: RunRecord): number | null {
  return readNumber(record, "totalReturn");
}

/** The same run over a span of the data. */
function over(job: RunJob, { fromMs, toMs }: Span): RunJob {
  return { ...job, options: { ...job.options, fromMs, toMs } };
}

/** A window that lost everything has no logarithm: its growth counts as a loss of 99.99 %. */
const LEAST_GROWTH = 1e-4;

function computeEfficiency(results: readonly WindowResult[]): number | null {
  let train = 0;
  let test = 0;
  let windows = 0;
  for (const result of results) {
    if (result.trainReturn === null || result.testReturn === null) continue;
    windows++;
    train += annualGrowth(result.trainReturn, result.train);
    test += annualGrowth(result.testReturn, result.test);
  }
  return windows === 0 || train <= 0 ? null : test / train;
}

function annualGrowth(ratio: number, { fromMs, toMs }: Span): number {
  return (Math.log(Math.max(1 + ratio, LEAST_GROWTH)) * YEAR_MS) / (toMs - fromMs);
}
