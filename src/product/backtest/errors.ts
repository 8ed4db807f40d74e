import { isReplayError } from "../replay/errors.ts";
import type { BacktestResult } from "./backtestResult.ts";

/** Codes of a run that could not be made. Stable; callers may match on them. */
export type BacktestErrorCode =
  | "OPTION_INVALID" // a setting of the run with an impossible value
  | "MARKET_IMPOSSIBLE" // tick, lot or parameters that the venue refuses, or that do not fit the data
  | "DATA_UNUSABLE" // data that cannot drive a venue
  | "STRATEGY_FAILED" // a hook threw
  | "OUTPUT_EXISTS" // a file would be overwritten
  | "TABLE_UNKNOWN" // a file name whose last word is not the name of a table
  | "RUN_ENDED" // a recorded order book was read after the end of its run, by a context that was kept
  | "REPLAY_REFUSED"; // the venue refused a transaction of the driver; a fault in perplab

/** Where and what to do. */
export interface BacktestErrorPlace {
  readonly place?: string;
  readonly hint?: string;
  readonly cause?: unknown;
}

const USAGE: ReadonlySet<BacktestErrorCode> = new Set([
  "OPTION_INVALID",
  "MARKET_IMPOSSIBLE",
  "OUTPUT_EXISTS",
  "TABLE_UNKNOWN",
]);

/** A run that could not be made. `place` names option, market, file or hook; `hint` says what to do. */
export class BacktestError extends Error {
  override readonly name = "BacktestError";
  readonly code: BacktestErrorCode;
  readonly place: string | undefined;
  readonly hint: string | undefined;
  readonly exitCode: 1 | 2;
  /** `STRATEGY_FAILED`: the run up to the block after which the hook threw, marked as stopped. */
  result: BacktestResult | undefined;

  constructor(code: BacktestErrorCode, reason: string, { place, hint, cause }: BacktestErrorPlace = {}) {
    super(reason, cause === undefined ? undefined : { cause });
    this.code = code;
    this.place = place;
    this.hint = hint;
    this.exitCode = USAGE.has(code) ? 2 : 1;
  }
}

/** Turns a `ReplayError` into a `BacktestError`; any other error stays unchanged. */
export function toBacktestError(error: unknown): unknown {
  if (!isReplayError(error)) return error;
  const { code, message, place, hint } = error;
  return new BacktestError(code, message, { place, ...(hint === undefined ? {} : { hint }), cause: error });
}

/** Narrows by name and code; it works also where two copies of the package are loaded. */
export function isBacktestError(error: unknown, code?: BacktestErrorCode): error is BacktestError {
  return (
    error instanceof Error &&
    error.name === "BacktestError" &&
    (code === undefined || (error as Partial<BacktestError>).code === code)
  );
}
