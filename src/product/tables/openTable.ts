import { extname } from "node:path";
import { CsvEncoder } from "./csv.ts";
import { DraftFile } from "./draftFile.ts";
import type { TableEncoder } from "./encoder.ts";
import { TableError } from "./errors.ts";
import type { Row, Table } from "./table.ts";

/** Endings of files that hold a table. */
export const TABLE_ENDINGS = [".csv", ".parquet"] as const;

/** A table that is written row by row, in bounded memory. */
export interface TableWriter<T extends Table> {
  readonly table: T;
  readonly path: string;
  /** Temporary name, until `publish`. */
  readonly draft: string;
  /** Rows so far. */
  readonly rows: number;
  /**
   * @throws {TableError} TABLE_VALUE
   * @throws the system's error, for example where the disk is full
   */
  write(row: Row<T>): void;
  /** Completes the file under its temporary name. */
  close(): void;
  /** Gives a closed file its name. */
  publish(): void;
  /** Removes what was written; an old file of the name stays. */
  abandon(): void;
}

/**
 * Begins a table under a temporary name; the ending of the path chooses the format.
 *
 * @throws {TableError} TABLE_FORMAT
 * @throws the system's error where the file cannot be made
 */
export async function openTable<T extends Table>(path: string, table: T): Promise<TableWriter<T>> {
  const Encoder = await loadEncoder(path);
  return new FileWriter(path, table, Encoder);
}

type EncoderClass = new (table: Table, sink: (data: string | Uint8Array) => void) => TableEncoder;

/** The Parquet library is loaded only for a Parquet file. */
async function loadEncoder(path: string): Promise<EncoderClass> {
  switch (extname(path).toLowerCase()) {
    case ".csv":
      return CsvEncoder;
    case ".parquet":
      return (await import("./parquet.ts")).ParquetEncoder;
    default: {
      const hint = `use ${TABLE_ENDINGS.join(" or ")}`;
      throw new TableError("TABLE_FORMAT", path, "the ending names no format of a table", hint);
    }
  }
}

class FileWriter<T extends Table> implements TableWriter<T> {
  readonly table: T;
  readonly #file: DraftFile;
  readonly #encoder: TableEncoder;
  #rows = 0;

  constructor(path: string, table: T, Encoder: EncoderClass) {
    this.table = table;
    this.#file = new DraftFile(path);
    this.#encoder = new Encoder(table, (data) => this.#file.append(data));
  }

  get path(): string {
    return this.#file.path;
  }

  get draft(): string {
    return this.#file.draft;
  }

  get rows(): number {
    return this.#rows;
  }

  write(row: Row<T>): void {
    this.#encoder.write(row);
    this.#rows++;
  }

  close(): void {
    this.#encoder.finish();
    this.#file.close();
  }

  publish(): void {
    this.#file.publish();
  }

  abandon(): void {
    this.#file.abandon();
  }
}
