export type TableErrorCode =
  /** A value does not fit its column, or a row names a column that the table does not have. */
  | "TABLE_VALUE"
  /** The ending of a file names no format of a table. */
  | "TABLE_FORMAT";

/** Failures of this folder: `place` is the table's file or its row and column. */
export class TableError extends Error {
  override readonly name = "TableError";
  readonly code: TableErrorCode;
  readonly place: string;
  readonly hint: string | undefined;

  constructor(code: TableErrorCode, place: string, reason: string, hint?: string) {
    super(`${place}: ${reason}`);
    this.code = code;
    this.place = place;
    this.hint = hint;
  }
}
