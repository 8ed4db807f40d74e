export type WalkForwardErrorCode =
  | "WINDOWS_INVALID" // spans from which no windows can be made
  | "METRIC_UNKNOWN"; // parameters cannot be chosen by this metric

/** A walk-forward that cannot be planned. `place` names the option, `hint` what to do. */
export class WalkForwardError extends Error {
  override readonly name = "WalkForwardError";
  readonly exitCode = 2;
  readonly code: WalkForwardErrorCode;
  readonly place: string;
  readonly hint: string;

  constructor(code: WalkForwardErrorCode, reason: string, { place, hint }: { place: string; hint: string }) {
    super(reason);
    this.code = code;
    this.place = place;
    this.hint = hint;
  }
}
