import { formatDecimal } from "../../ground/math/decimal.ts";
import type { Column } from "./columns.ts";
import type { Sink, TableEncoder } from "./encoder.ts";
import { requireValue, type Table } from "./table.ts";

/** Characters of text that are held before they are written. */
const CHUNK = 65_536;

/**
 * CSV after RFC 4180 with `\n` between rows: a line of column names, then a line a row. A cell without a value is
 * empty, an empty text is `""`.
 */
export class CsvEncoder implements TableEncoder {
  readonly #table: Table;
  readonly #columns: readonly (readonly [name: string, column: Column])[];
  readonly #sink: Sink;
  #held: string;
  #rows = 0;

  constructor(table: Table, sink: Sink) {
    this.#table = table;
    this.#columns = Object.entries(table.columns);
    this.#sink = sink;
    this.#held = `${this.#columns.map(([name]) => quote(name)).join(",")}\n`;
  }

  write(row: Readonly<Record<string, unknown>>): void {
    this.#rows++;
    let separator = "";
    for (const [name, column] of this.#columns) {
      const value = row[name];
      requireValue(this.#table, this.#rows, name, value);
      this.#held += separator + formatCell(column, value);
      separator = ",";
    }
    this.#held += "\n";
    if (this.#held.length >= CHUNK) this.#flush();
  }

  finish(): void {
    this.#flush();
  }

  #flush(): void {
    this.#sink(this.#held);
    this.#held = "";
  }
}

function formatCell({ kind, decimals }: Column, value: unknown): string {
  if (value === null) return "";
  switch (kind) {
    case "time":
      return new Date(value as number).toISOString();
    case "text":
      return quote(value as string);
    case "decimal":
      return formatDecimal(value as number | bigint, decimals);
    // Adding 0 turns -0, which has no text of its own, into 0.
    case "whole":
      return String((value as number) + 0);
    case "ratio":
      return String((value as number) + 0);
    case "flag":
      return String(value);
  }
}

function quote(text: string): string {
  return text === "" || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
