/** Failures of reading market data: one error, one place, what to do about it. */
import type { FindingKind } from "./types.ts";

export type DataErrorCode =
  | "DATA_MALFORMED"
  | "DATA_PRECISION"
  | "DATA_UNSORTED"
  | "DATA_DUPLICATE"
  | "DATA_BAD_OHLC"
  | "DATA_UNIT_SWITCH"
  | "DATA_NULL_ROW"
  | "DATA_GAP"
  | "DATA_LAYOUT"
  | "DATA_EMPTY"
  | "DATA_CHANGED"
  | "SOURCE_INVALID"
  | "MAPPING_INVALID"
  | "FILE_MISSING"
  | "FILE_UNREADABLE"
  | "GZIP_TRUNCATED"
  | "GZIP_CORRUPT"
  | "ZIP_UNSUPPORTED"
  | "ZIP_CORRUPT"
  | "TAPE_CORRUPT"
  | "TAPE_VERSION";

/** The code of the error that a finding becomes when it is not allowed. */
export const FINDING_CODES: Readonly<Record<FindingKind, DataErrorCode>> = {
  malformed: "DATA_MALFORMED",
  precision: "DATA_PRECISION",
  unsorted: "DATA_UNSORTED",
  duplicate: "DATA_DUPLICATE",
  badOhlc: "DATA_BAD_OHLC",
  unitSwitch: "DATA_UNIT_SWITCH",
  nullRow: "DATA_NULL_ROW",
  gap: "DATA_GAP",
};

/** Where and what to do. */
export interface DataErrorPlace {
  readonly file?: string;
  /** Line of the file, from 1. */
  readonly line?: number;
  readonly column?: string;
  /** Byte of a binary file, from 0. */
  readonly offset?: number;
  /** What the reader can do about it. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/** A file that cannot be read as market data. The message carries the place; the hint says what to do. */
export class DataError extends Error {
  override readonly name = "DataError";
  readonly code: DataErrorCode;
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly column: string | undefined;
  readonly offset: number | undefined;
  readonly hint: string | undefined;

  constructor(code: DataErrorCode, reason: string, place: DataErrorPlace = {}) {
    super(describe(reason, place), place.cause === undefined ? undefined : { cause: place.cause });
    this.code = code;
    this.file = place.file;
    this.line = place.line;
    this.column = place.column;
    this.offset = place.offset;
    this.hint = place.hint;
  }
}

/** Narrows by name and code; works across two copies of the package. */
export function isDataError(error: unknown, code?: DataErrorCode): error is DataError {
  return (
    error instanceof Error &&
    error.name === "DataError" &&
    (code === undefined || (error as Partial<DataError>).code === code)
  );
}

function describe(reason: string, { file, line, column, offset }: DataErrorPlace): string {
  const parts: string[] = [];
  if (file !== undefined) parts.push(line === undefined ? file : `${file}:${line}`);
  if (column !== undefined && column !== "") parts.push(`column ${column}`);
  if (offset !== undefined) parts.push(`byte ${offset}`);
  return parts.length === 0 ? reason : `${parts.join(", ")}: ${reason}`;
}

/** Text as it may stand in a message: quoted, control characters escaped, cut. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text);
}
