import type { FormatName } from "../../report/formats.ts";
import type { MetricId, MetricReason } from "../../report/metrics/definitions.ts";
import type { RunJob } from "./job.ts";

/** Figures of a run, or of one of its strategies. */
export interface RunFigures {
  /** Every metric of a report by its id, rounded as there; null where it has no value. */
  readonly metrics: Readonly<Partial<Record<MetricId, number | string | null>>>;
  /** Why a metric is null. */
  readonly reasons: Readonly<Partial<Record<MetricId, MetricReason>>>;
  /** The last value of each of the strategy's own figures; the first 50 names. Of several strategies together, none. */
  readonly own: Readonly<Record<string, number>>;
  readonly daily: DailyReturns | null;
}

/** One of several strategies of a run, with its account. */
export interface StrategyRecord extends RunFigures {
  readonly name: string;
  readonly outcome: "completed" | "wipedOut";
}

/** Result of a run in a few kilobytes: a function of its job, without a clock or a machine. */
export interface RunRecord extends RunFigures {
  /** `hashJob` of the job. */
  readonly hash: string;
  readonly job: RunJob;
  /** `failed` has an error and no figures. */
  readonly outcome: "completed" | "wipedOut" | "failed";
  readonly error: RunFailure | null;
  /** State root and effects head as `0x` hex; null for a failed run. */
  readonly root: string | null;
  readonly head: string | null;
  readonly blocks: number;
  /** First and last block, milliseconds since 1970; null for a failed run. */
  readonly startMs: number | null;
  readonly endMs: number | null;
  /**
   * Several strategies by name, each alone: the figures of the run are then those of all accounts together. Otherwise
   * empty.
   */
  readonly strategies: readonly StrategyRecord[];
}

/**
 * Returns by UTC day, in whole numbers of 1e-8, each rounded to the nearest: 1_000_000 is 1 %. After a day whose equity
 * is zero or less, every return is 0. A deposit or withdrawal after the start counts as a return.
 */
export interface DailyReturns {
  /** The first 00:00 UTC of the run; the first return is of the day that begins there. */
  readonly fromMs: number;
  readonly returns: readonly number[];
  /** From the start of the run to the first 00:00, and from the last 00:00 to its end. */
  readonly before: number;
  readonly after: number;
}

/** Why a run failed. */
export interface RunFailure {
  readonly code: string;
  readonly message: string;
  readonly place?: string;
  readonly hint?: string;
  /** Whether the same job fails in the same way each time. Others are not stored: the next call makes them again. */
  readonly isFinal: boolean;
}

/** A job, and the outputs that are wanted besides its record. */
export interface RunRequest {
  readonly job: RunJob;
  readonly report?: ReportRequest;
}

/** A report to render, with words that do not decide the result. */
export interface ReportRequest {
  readonly format: FormatName;
  /** The command that makes the report again. */
  readonly command: string;
  /** The name of each source of the data. */
  readonly dataNames?: readonly string[];
}

/** Answer to a request. */
export interface RunResult {
  readonly record: RunRecord;
  /** Text of the report that was asked for; left out where the run failed before its first block. */
  readonly report?: string;
  /** Whether the record was in a store already. */
  readonly isKept?: boolean;
}
