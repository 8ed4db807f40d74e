import type { BacktestResult } from "../../backtest/backtestResult.ts";
import type { RecordedStatistics } from "../../report/input.ts";
import { computeMetrics } from "../../report/metrics/computeMetrics.ts";
import { hashJob, type RunJob } from "./job.ts";
import type { DailyReturns, RunFailure, RunFigures, RunRecord } from "./record.ts";

/** Names of the strategy's own figures that a record keeps. */
const OWN_MOST = 50;

/** Record of a run that reached its end, or the end of its money. */
export function createRecord(job: RunJob, result: BacktestResult): RunRecord {
  const { input, root, head, blocks, strategies } = result;
  const { statistics } = input.recording;
  return {
    hash: hashJob(job),
    job,
    outcome: outcomeOf(result),
    error: null,
    root,
    head,
    blocks,
    startMs: statistics.startTimeMs,
    endMs: statistics.endTimeMs,
    ...createFigures(result),
    strategies:
      strategies.length === 1
        ? []
        : strategies.map((one) => ({ name: one.name, outcome: outcomeOf(one), ...createFigures(one) })),
  };
}

function outcomeOf({ stopped }: Pick<BacktestResult, "stopped">): "completed" | "wipedOut" {
  return stopped === undefined ? "completed" : "wipedOut";
}

/** Those of a report, without its curves and lists, which take a tenth of a run. */
function createFigures({ input, metrics: own }: Pick<BacktestResult, "input" | "metrics">): RunFigures {
  const { recording } = input;
  const metrics = computeMetrics(recording);
  return {
    metrics: Object.fromEntries(metrics.map(({ id, value }) => [id, value])),
    reasons: Object.fromEntries(metrics.flatMap(({ id, reason }) => (reason ? [[id, reason]] : []))),
    own: Object.fromEntries(
      Object.entries(own)
        .slice(0, OWN_MOST)
        .map(([name, { last }]) => [name, last]),
    ),
    daily: createDailyReturns(recording.initialEquity, recording.statistics),
  };
}

/** Record of a run that failed. */
export function createFailedRecord(job: RunJob, error: RunFailure): RunRecord {
  return {
    hash: hashJob(job),
    job,
    outcome: "failed",
    error,
    root: null,
    head: null,
    blocks: 0,
    startMs: null,
    endMs: null,
    metrics: {},
    reasons: {},
    own: {},
    daily: null,
    strategies: [],
  };
}

/** Null for a run that no 00:00 UTC is part of. */
function createDailyReturns(
  initialEquity: number,
  { daily, finalEquity }: Pick<RecordedStatistics, "daily" | "finalEquity">,
): DailyReturns | null {
  const [first] = daily;
  if (first === undefined) return null;
  return {
    fromMs: first.timeMs,
    returns: daily.slice(1).map(({ equity }, at) => toReturn(daily[at]!.equity, equity)),
    before: toReturn(initialEquity, first.equity),
    after: toReturn(daily.at(-1)!.equity, finalEquity),
  };
}

/** In 1e-8, to the nearest; 0 where there was nothing to lose. */
function toReturn(from: number, to: number): number {
  return from <= 0 ? 0 : Math.round((to / from - 1) * 1e8) + 0;
}
