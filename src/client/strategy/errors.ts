/** Failures of a strategy or of its input. */
export type StrategyErrorCode =
  | "PARAM_UNKNOWN" // no parameter of that name
  | "PARAM_INVALID" // a value that the schema refuses, or text that is no `name=value`
  | "PARAM_REPEATED" // named twice
  | "STRATEGY_INVALID" // not a strategy, or one that defines itself wrongly
  | "ORDER_INVALID" // an order that no venue accepts: off the grid, not positive, unknown market
  | "TIMER_INVALID" // not a valid span, too short a period, or a time that has passed
  | "SERIES_UNKNOWN" // a series that the data does not have, or more of its values than are kept
  | "DEPTH_NOT_KEPT" // more levels of a book than a message of the feed has
  | "METRIC_INVALID"; // not a finite number, or more names than are allowed

/** Where and what to do. */
export interface StrategyErrorPlace {
  /** Parameter, field or market at fault. */
  readonly place?: string;
  readonly hint?: string;
}

/** `place` names the parameter or field, `hint` says what to do; wrong parameters are wrong usage (exit code 2). */
export class StrategyError extends Error {
  override readonly name = "StrategyError";
  readonly code: StrategyErrorCode;
  readonly place: string | undefined;
  readonly hint: string | undefined;
  readonly exitCode: 1 | 2;

  constructor(code: StrategyErrorCode, reason: string, { place, hint }: StrategyErrorPlace = {}) {
    super(reason);
    this.code = code;
    this.place = place;
    this.hint = hint;
    this.exitCode = code.startsWith("PARAM_") ? 2 : 1;
  }
}

/** Narrows by name and code; it works also where two copies of the package are loaded. */
export function isStrategyError(error: unknown, code?: StrategyErrorCode): error is StrategyError {
  return (
    error instanceof Error &&
    error.name === "StrategyError" &&
    (code === undefined || (error as Partial<StrategyError>).code === code)
  );
}
