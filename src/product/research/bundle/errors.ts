export type BundleErrorCode =
  | "BUNDLE_FORMAT" // not a bundle, or one of another version of the format
  | "BUNDLE_DAMAGED" // bytes that do not fit the checksum of the bundle
  | "BUNDLE_VERSION" // made by another version of perplab, of its protocol, or of a package of the strategy
  | "BUNDLE_UNTRUSTED" // a bundle that contains code, without permission to run it
  | "BUNDLE_DATA"; // data that is missing, not needed, or not the data of the bundle

/** Where and what to do. */
export interface BundleErrorPlace {
  readonly place: string;
  readonly hint?: string;
  readonly cause?: unknown;
}

const USAGE: ReadonlySet<BundleErrorCode> = new Set(["BUNDLE_UNTRUSTED"]);

/** A bundle that cannot be read, or that may not be run. */
export class BundleError extends Error {
  override readonly name = "BundleError";
  readonly code: BundleErrorCode;
  readonly place: string;
  readonly hint: string | undefined;
  readonly exitCode: 1 | 2;

  constructor(code: BundleErrorCode, reason: string, { place, hint, cause }: BundleErrorPlace = { place: "" }) {
    super(reason, cause === undefined ? undefined : { cause });
    this.code = code;
    this.place = place;
    this.hint = hint;
    this.exitCode = USAGE.has(code) ? 2 : 1;
  }
}
