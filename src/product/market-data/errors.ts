/** Failures of reading market data: one error, one place, what to do about it. */
import type { FindingKind } from "./types.ts";

/** Codes of failures of reading market data. Stable; callers may match on them. */
export type DataErrorCode =
  | "DATA_MALFORMED" // a value that does not fit its column, or a row with too few or too many cells
  | "DATA_PRECISION" // a digit finer than a tape can store
  | "DATA_UNSORTED" // a row earlier than the one before
  | "DATA_ROUNDED" // a volume or rate with more digits than a tape can store, if this is refused
  | "DATA_DUPLICATE" // the same row twice
  | "DATA_CONFLICT" // two rows for one bar, instant or trade id, with different contents
  | "DATA_ID_ORDER" // a trade id below an earlier one, if ids must rise
  | "DATA_BAD_OHLC" // an open or a close outside of low and high
  | "DATA_UNIT_SWITCH" // times change their unit within a file
  | "DATA_NULL_ROW" // a row without values, if such rows are refused
  | "DATA_GAP" // a missing row, if gaps are refused
  | "DATA_STALE" // a change of an order book that no snapshot goes before, where that is refused
  | "DATA_OFF_SCHEDULE" // a funding time off the schedule of its interval, if this is refused
  | "DATA_CLOCK" // a row received before the venue sent it, if this is refused
  | "DATA_ONE_SIDED" // trades that all have one taker side, if this is refused
  | "DATA_LAYOUT" // columns that fit neither a known layout nor the mapping
  | "DATA_EMPTY" // a file without rows
  | "DATA_CHANGED" // a file changed between two readings
  | "SOURCE_INVALID" // a source that is not `[MARKET[:LAYOUT]=]PATH`, or a tape together with other sources
  | "MAPPING_INVALID" // a mapping file that breaks its schema
  | "FILE_MISSING" // no such file
  | "FILE_UNREADABLE" // a file that may not be read
  | "FORMAT_UNSUPPORTED" // a file that is no CSV, JSON or Parquet: bzip2, tar, Excel, a web page, …
  | "PARQUET_CORRUPT" // a Parquet file whose content is damaged
  | "GZIP_TRUNCATED" // a gzip file that ends too early
  | "GZIP_CORRUPT" // a gzip file whose content is damaged
  | "LZ4_TRUNCATED" // an lz4 file that ends too early
  | "LZ4_CORRUPT" // an lz4 file whose content is damaged
  | "ZSTD_TRUNCATED" // a zstd file that ends too early
  | "ZSTD_CORRUPT" // a zstd file whose content is damaged
  | "ZIP_UNSUPPORTED" // a zip file with several files, encryption or another method
  | "ZIP_CORRUPT" // a zip file whose content is damaged
  | "TAPE_CORRUPT" // a tape that is damaged or cut off
  | "TAPE_VERSION"; // a tape of another version, or a machine with another byte order

/** The code of the error that a finding becomes when it is not allowed. */
export const FINDING_CODES: Readonly<Record<FindingKind, DataErrorCode>> = {
  malformed: "DATA_MALFORMED",
  precision: "DATA_PRECISION",
  unsorted: "DATA_UNSORTED",
  rounded: "DATA_ROUNDED",
  duplicate: "DATA_DUPLICATE",
  conflict: "DATA_CONFLICT",
  idOrder: "DATA_ID_ORDER",
  badOhlc: "DATA_BAD_OHLC",
  unitSwitch: "DATA_UNIT_SWITCH",
  nullRow: "DATA_NULL_ROW",
  gap: "DATA_GAP",
  stale: "DATA_STALE",
  offSchedule: "DATA_OFF_SCHEDULE",
  clock: "DATA_CLOCK",
  oneSided: "DATA_ONE_SIDED",
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

/** Text for use in a message: quoted, control characters escaped, cut. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text);
}
