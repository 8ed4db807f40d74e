import type { RunFailure, RunRecord } from "../runs/record.ts";
import type { Axis, Point } from "../sweep/grid/grid.ts";
import type { MetricKey } from "../sweep/metricKey.ts";
import type { Curve } from "./curve.ts";
import type { Window } from "./planWindows.ts";

/** A window after its runs. */
export interface WindowResult extends Window {
  /** Place of the chosen point in the grid; null where no run of training had a value. The test was then flat. */
  readonly chosen: number | null;
  /** The metric of the chosen point in training, and in the test. */
  readonly trainValue: number | null;
  readonly testValue: number | null;
  /** Return of the chosen point in training, and in the test. */
  readonly trainReturn: number | null;
  readonly testReturn: number | null;
  readonly outcome: RunRecord["outcome"] | "flat";
  readonly error: RunFailure | null;
  /** Runs of training that had a value, of all. */
  readonly ranked: number;
  /** State root of the test, as `0x` hex; null where there was none. */
  readonly root: string | null;
}

/** How an axis of the grid moved from window to window. */
export interface Drift {
  readonly axis: string;
  /** The chosen value of each window as text; null for a flat one. */
  readonly values: readonly (string | null)[];
  /** Windows whose value differs from that of the window before. */
  readonly changes: number;
  /** Values that were chosen at least once, and values of the axis. */
  readonly distinct: number;
  readonly offered: number;
}

/** A walk-forward: parameters chosen on the past and tried on what came after it, again and again. */
export interface WalkForwardReport {
  readonly kind: "walkForward";
  readonly strategy: string;
  readonly metric: MetricKey;
  readonly axes: readonly Axis[];
  readonly points: readonly Point[];
  readonly windows: readonly WindowResult[];
  /** Equity of the tests one after the other. */
  readonly curve: Curve;
  readonly outOfSample: {
    /** Equity at the end over equity at the start, less one. */
    readonly totalReturn: number;
    /** Greatest fall from a peak at the end of days. */
    readonly maxDrawdown: number;
    /** Annual; null where there is none. */
    readonly sharpe: number | null;
    /** Probability that the true Sharpe ratio is above 0; null where there is none. */
    readonly probabilisticSharpe: number | null;
    /** Tests with a gain, of all that were not flat. */
    readonly gains: number;
    readonly tests: number;
  };
  /**
   * Annual growth in the tests over annual growth in training, both as means of the windows' logarithmic growth; null
   * where training did not gain. Near 1, the chosen values gained in the tests as they did in training.
   */
  readonly efficiency: number | null;
  readonly drift: readonly Drift[];
  readonly failed: FailedRuns;
}

/** Runs of training and tests without a result. */
export interface FailedRuns {
  readonly runs: number;
  /** All runs that were made. */
  readonly of: number;
  /** The failure of the first of them; null where none failed. */
  readonly first: RunFailure | null;
}
