export type StoreErrorCode =
  | "STORE_LOCKED" // another process uses the folder
  | "STORE_FOLDER" // the folder cannot be made or written to, or is a file
  | "STORE_FORMAT" // the folder contains something else
  | "STORE_VERSION" // written by another version of the format or of the protocol
  | "STORE_GENESIS" // the folder contains the chain of another genesis
  | "STORE_CORRUPT" // damaged in a part that was stored durably
  | "STORE_DIFFERS" // readable, but the replay gives other effects
  | "STORE_EXISTS" // the folder already contains a chain, and a state to start from was given
  | "STORE_WRITE" // a write or a sync failed
  | "STORE_CLOSED" // read from or written to after it was closed
  | "DUMP_FORMAT" // not a dump, or cut short
  | "DUMP_VERSION" // written by another version of the format or of the protocol
  | "DUMP_CORRUPT"; // damaged, or its state has another root than its header

export interface StoreErrorPlace {
  readonly file?: string;
  readonly offset?: number;
  readonly hint?: string;
  readonly cause?: unknown;
}

/** The store of a host cannot be read, or written. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly code: StoreErrorCode;
  readonly file: string | undefined;
  readonly offset: number | undefined;
  readonly hint: string | undefined;

  constructor(code: StoreErrorCode, reason: string, { file, offset, hint, cause }: StoreErrorPlace = {}) {
    const where = [...(file === undefined ? [] : [file]), ...(offset === undefined ? [] : [`byte ${offset}`])];
    super(`${where.length === 0 ? "" : `${where.join(", ")}: `}${reason}`, cause === undefined ? undefined : { cause });
    this.code = code;
    this.file = file;
    this.offset = offset;
    this.hint = hint;
  }
}
