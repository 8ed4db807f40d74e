/** Turns rows into bytes of one format. */
export interface TableEncoder {
  /** @throws {TableError} TABLE_VALUE */
  write(row: Readonly<Record<string, unknown>>): void;
  /** Writes what is still held, and the end of the file. */
  finish(): void;
}

/** Takes the next bytes of a file, in order. */
export type Sink = (data: string | Uint8Array) => void;
