export type ReplayErrorCode =
  | "OPTION_INVALID" // a setting of the replay with an impossible value
  | "MARKET_IMPOSSIBLE" // tick, lot or parameters that the venue refuses, or that do not fit the data
  | "DATA_UNUSABLE" // data that cannot drive a venue
  | "RUN_ENDED"; // a recorded order book was read after the end of its run, by a context that was kept

/** The fault, and how to fix it. */
export interface ReplayErrorPlace {
  readonly place: string;
  readonly hint?: string;
}

/** Recorded data that cannot be replayed as requested. `place` names option or market; `hint` says what to do. */
export class ReplayError extends Error {
  override readonly name = "ReplayError";
  readonly code: ReplayErrorCode;
  readonly place: string;
  readonly hint: string | undefined;
  readonly exitCode: 1 | 2;

  constructor(code: ReplayErrorCode, reason: string, { place, hint }: ReplayErrorPlace) {
    super(reason);
    this.code = code;
    this.place = place;
    this.hint = hint;
    this.exitCode = code === "DATA_UNUSABLE" || code === "RUN_ENDED" ? 1 : 2;
  }
}

/** Narrows by name and code; it works also where two copies of the package are loaded. */
export function isReplayError(error: unknown, code?: ReplayErrorCode): error is ReplayError {
  return (
    error instanceof Error &&
    error.name === "ReplayError" &&
    (code === undefined || (error as Partial<ReplayError>).code === code)
  );
}
