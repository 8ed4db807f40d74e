export type FreezeErrorCode =
  | "FREEZE_RANGE" // blocks that the log does not have, or a last block before the first
  | "FREEZE_TOO_LARGE" // more blocks, transactions or text than a scenario may have
  | "FREEZE_INEXACT"; // blocks that no scenario can express, or that fail a check of every scenario

/** Where and what to do. */
export interface FreezeErrorPlace {
  readonly place: string;
  readonly hint?: string;
  readonly cause?: unknown;
}

/** Codes of a request that is at fault. */
const USAGE: ReadonlySet<FreezeErrorCode> = new Set(["FREEZE_RANGE", "FREEZE_TOO_LARGE"]);

/** Blocks of a log that cannot become a scenario. */
export class FreezeError extends Error {
  override readonly name = "FreezeError";
  readonly code: FreezeErrorCode;
  readonly place: string;
  readonly hint: string | undefined;
  readonly exitCode: 1 | 2;

  constructor(code: FreezeErrorCode, reason: string, { place, hint, cause }: FreezeErrorPlace) {
    super(reason, cause === undefined ? undefined : { cause });
    this.code = code;
    this.place = place;
    this.hint = hint;
    this.exitCode = USAGE.has(code) ? 2 : 1;
  }
}
