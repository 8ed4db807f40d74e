/** Failures of this folder: `place` says where (a path inside the input or the document), `message` what to do. */
export type ReportErrorCode =
  /** A report was asked for before any block was recorded. */
  | "REPORT_EMPTY"
  /** A recorded value is not a storable whole number, is out of its range, or time went back. */
  | "REPORT_INPUT"
  /** The text is not JSON. */
  | "REPORT_MALFORMED"
  /** The document was written by another version of the schema. */
  | "REPORT_VERSION"
  /** The document does not fit the schema. */
  | "REPORT_SCHEMA"
  /** No renderer has this name. */
  | "REPORT_FORMAT";

/** Thrown by the recorder, by `createReport`, by `readReport` and by `getFormat`. */
export class ReportError extends Error {
  override readonly name = "ReportError";
  readonly code: ReportErrorCode;
  readonly place: string;

  constructor(code: ReportErrorCode, place: string, reason: string, options?: ErrorOptions) {
    super(place === "" ? reason : `${place}: ${reason}`, options);
    this.code = code;
    this.place = place;
  }
}
