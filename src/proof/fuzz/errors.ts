export type FuzzErrorCode =
  | "CORPUS_VERSION" // a corpus or campaign with another protocol version or format
  | "CORPUS_CORRUPT" // a damaged file of a corpus
  | "CORPUS_MISSING" // no such corpus
  | "CAMPAIGN_MISSING" // no campaign to resume
  | "CAMPAIGN_DIFFERS" // a campaign with other settings
  | "INVARIANT_UNKNOWN" // a pattern that matches no invariant
  | "INVARIANT_MISSING" // no such module of invariants
  | "INVARIANT_BROKEN" // a module of invariants that does not load
  | "INVARIANT_INVALID" // a module whose default export is neither an invariant nor a list of invariants
  | "EXPLOIT_ACCOUNT" // an attacker that the scenario of an exploit search does not fund
  | "EXPLOIT_VARIANT" // a variant that the scenario of an exploit search does not have
  | "WORLD_EXPECTED" // a scenario without an alphabet, where a world is to be explored
  | "REGRESSION_UNSAID" // a failure that no scenario file can reproduce exactly; its case can
  | "CASE_TIMEOUT" // a case that took more CPU time than its limit, as a job of a queue; the search reports it as a failure
  | "WORKER_LOST"; // a thread that ended by itself

/** Place of the error and its remedy. */
export interface FuzzErrorPlace {
  readonly place?: string | undefined;
  readonly hint?: string;
  readonly cause?: unknown;
}

/** Error of a search that cannot run. */
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

/** Narrows by name and code. Works across two copies of the package. */
export function isFuzzError(error: unknown, code?: FuzzErrorCode): error is FuzzError {
  return (
    error instanceof Error &&
    error.name === "FuzzError" &&
    (code === undefined || (error as Partial<FuzzError>).code === code)
  );
}
