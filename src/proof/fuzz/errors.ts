export type FuzzErrorCode =
  | "CORPUS_VERSION" // a corpus or a campaign of another protocol version or format
  | "CORPUS_CORRUPT" // a file of a corpus that is damaged
  | "CORPUS_MISSING" // no such corpus
  | "CAMPAIGN_MISSING" // nothing there to go on with
  | "CAMPAIGN_DIFFERS" // a campaign that was begun with other settings
  | "INVARIANT_UNKNOWN" // a pattern that names no invariant
  | "INVARIANT_MISSING" // no such module of invariants
  | "INVARIANT_BROKEN" // a module of invariants that does not load
  | "INVARIANT_INVALID" // a module whose default export is no invariant and no list of them
  | "EXPLOIT_ACCOUNT" // an attacker that the scenario of an exploit search does not fund
  | "EXPLOIT_VARIANT" // a variant that the scenario of an exploit search does not have
  | "REGRESSION_UNSAID" // a failure that no scenario file can do again exactly; its case does
  | "WORKER_LOST"; // a thread ended on its own

/** Where and what to do. */
export interface FuzzErrorPlace {
  readonly place?: string | undefined;
  readonly hint?: string;
  readonly cause?: unknown;
}

/** A search that cannot be run. */
export class FuzzError extends Error {
  override readonly name = "FuzzError";
  readonly code: FuzzErrorCode;
  readonly place: string | undefined;
  readonly hint: string | undefined;

  constructor(code: FuzzErrorCode, reason: string, { place, hint, cause }: FuzzErrorPlace = {}) {
    super(reason, cause === undefined ? undefined : { cause });
    this.code = code;
    this.place = place;
    this.hint = hint;
  }
}

/** Narrows by name and code; works across two copies of the package. */
export function isFuzzError(error: unknown, code?: FuzzErrorCode): error is FuzzError {
  return (
    error instanceof Error &&
    error.name === "FuzzError" &&
    (code === undefined || (error as Partial<FuzzError>).code === code)
  );
}
