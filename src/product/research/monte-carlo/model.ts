import type { Share } from "../statistics/quantiles.ts";

/** Shares at which the quantiles of an outcome are given. */
export const OUTCOME_SHARES = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99] as const;

/** How paths are made of a recorded run. */
export type Method = "blocks" | "trips";

/** The results of the paths of one method. Equity is relative to the start of the run. */
export interface MethodReport {
  readonly method: Method;
  /** Days or round trips of a path. */
  readonly steps: number;
  /** Mean days of a block; null where round trips are put into another order. */
  readonly meanBlock: number | null;
  /** The run itself, measured at the same steps. */
  readonly recorded: { readonly final: number; readonly drawdown: number };
  /** Quantiles by `OUTCOME_SHARES`. */
  readonly final: readonly number[];
  readonly drawdown: readonly number[];
  /** Share of paths that ended below their start. */
  readonly loss: Share;
  /** Share of paths that reached the ruin level. */
  readonly ruin: Share;
  /** Share of paths whose drawdown was at least that of the run. */
  readonly deeper: Share;
  /** Quantiles of equity by `FAN_SHARES`, after so many steps: the mean of those of chunks of 1,000 paths. */
  readonly fan: readonly { readonly step: number; readonly equity: readonly number[] }[];
}

/** A method that could not be used, and why. */
export interface SkippedMethod {
  readonly method: Method;
  readonly reason: string;
}

/** Many paths made of one run: how much of its result was the order of events. */
export interface MonteCarloReport {
  readonly kind: "monteCarlo";
  readonly run: {
    readonly strategy: string;
    readonly markets: readonly string[];
    readonly startMs: number;
    readonly endMs: number;
    readonly stateRoot: string;
    readonly command: string;
  };
  readonly paths: number;
  readonly seed: string;
  readonly ruinAt: number;
  readonly methods: readonly MethodReport[];
  readonly skipped: readonly SkippedMethod[];
}
