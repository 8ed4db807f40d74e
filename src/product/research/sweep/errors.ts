export type SweepErrorCode =
  | "GRID_INVALID" // an axis that is not `name=values`, or whose values cannot be read
  | "GRID_EMPTY" // no axis, an axis without a value, or conditions that no point meets
  | "GRID_TOO_LARGE" // more points than a sweep may have
  | "AXIS_UNKNOWN" // an axis that is neither a parameter of the strategy nor an option of a run
  | "AXIS_AMBIGUOUS" // a name that is both a parameter of the strategy and an option of a run
  | "AXIS_REPEATED" // a name that is given twice
  | "WHERE_INVALID" // a condition that cannot be read, or that compares different kinds of values
  | "METRIC_UNKNOWN" // no metric of that name
  | "CELLS_FAILED"; // some runs of a sweep or a walk-forward have no result

/** Where and what to do. */
export interface SweepErrorPlace {
  readonly place?: string;
  readonly hint?: string;
}

/** A sweep that was asked for wrongly (exit code 2), or whose runs failed (exit code 1). */
export class SweepError extends Error {
  override readonly name = "SweepError";
  readonly code: SweepErrorCode;
  readonly place: string | undefined;
  readonly hint: string | undefined;
  readonly exitCode: 1 | 2;

  constructor(code: SweepErrorCode, reason: string, { place, hint }: SweepErrorPlace = {}) {
    super(reason);
    this.code = code;
    this.place = place;
    this.hint = hint;
    this.exitCode = code === "CELLS_FAILED" ? 1 : 2;
  }
}
