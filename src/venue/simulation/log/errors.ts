export type LogErrorCode =
  | "LOG_MISSING" // no such file
  | "LOG_FORMAT" // not a block log, or its header is damaged
  | "LOG_VERSION" // written by another version of the format or of the protocol
  | "LOG_CORRUPT" // damaged before its end
  | "LOG_DIFFERS" // readable, but the replay gives another result
  | "LOG_SIGNATURE" // a recorded signature check that differs from a new check of the signature
  | "LOG_HEIGHT" // the log does not reach the requested height
  | "SUBJECT_NOT_FOUND"; // no such transaction or liquidation in the block

/** Where and what to do. */
export interface LogErrorPlace {
  readonly file: string;
  /** Byte of the file. */
  readonly offset?: number;
  /** Block at fault. */
  readonly height?: number;
  readonly hint?: string;
  readonly cause?: unknown;
}

/** A block log that cannot be read, or that does not replay. */
export class LogError extends Error {
  override readonly name = "LogError";
  readonly code: LogErrorCode;
  readonly file: string;
  readonly offset: number | undefined;
  readonly height: number | undefined;
  readonly hint: string | undefined;

  constructor(code: LogErrorCode, reason: string, { file, offset, height, hint, cause }: LogErrorPlace) {
    const where = [
      file,
      ...(height === undefined ? [] : [`block ${height}`]),
      ...(offset === undefined ? [] : [`byte ${offset}`]),
    ].join(", ");
    super(`${where}: ${reason}`, cause === undefined ? undefined : { cause });
    this.code = code;
    this.file = file;
    this.offset = offset;
    this.height = height;
    this.hint = hint;
  }
}

/** Narrows by name and code; it works also where two copies of the package are loaded. */
export function isLogError(error: unknown, code?: LogErrorCode): error is LogError {
  return (
    error instanceof Error &&
    error.name === "LogError" &&
    (code === undefined || (error as Partial<LogError>).code === code)
  );
}
