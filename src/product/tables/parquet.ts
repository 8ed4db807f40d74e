import type { SchemaElement } from "hyparquet";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import type { Column } from "./columns.ts";
import type { Sink, TableEncoder } from "./encoder.ts";
import { requireValue, type Table } from "./table.ts";

/** Rows that are held before they are written as one row group. */
export const ROW_GROUP = 16_384;

/**
 * Parquet with Snappy. Every value is exact: decimals are DECIMAL(18, n) over INT64, moments TIMESTAMP(ms, UTC).
 * Meaning and unit of the columns are in the metadata under `perplab.columns`.
 */
export class ParquetEncoder implements TableEncoder {
  readonly #table: Table;
  readonly #names: readonly string[];
  readonly #writer: ParquetWriter;
  readonly #bytes: SinkWriter;
  #held: unknown[][];
  #rows = 0;

  constructor(table: Table, sink: Sink) {
    this.#table = table;
    const columns = Object.entries(table.columns);
    this.#names = columns.map(([name]) => name);
    this.#held = this.#names.map(() => []);
    this.#bytes = new SinkWriter(sink);
    const described = columns.map(([name, { unit, about }]) => [name, { unit, about }]);
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: [{ name: table.name, num_children: columns.length }, ...columns.map(toElement)],
      kvMetadata: [
        { key: "perplab.table", value: table.name },
        { key: "perplab.columns", value: JSON.stringify(Object.fromEntries(described)) },
      ],
      createdBy: "perplab",
    });
  }

  write(row: Readonly<Record<string, unknown>>): void {
    this.#rows++;
    for (const [place, name] of this.#names.entries()) {
      const value = row[name];
      requireValue(this.#table, this.#rows, name, value);
      this.#held[place]!.push(toStored(this.#table.columns[name]!, value));
    }
    if (this.#held[0]!.length === ROW_GROUP) this.#flush();
  }

  finish(): void {
    if (this.#held[0]!.length > 0) this.#flush();
    this.#writer.finish();
    this.#bytes.flush();
  }

  #flush(): void {
    const columnData = this.#names.map((name, place) => ({ name, data: this.#held[place]! }));
    this.#writer.write({ columnData, rowGroupSize: ROW_GROUP });
    this.#held = this.#names.map(() => []);
  }
}

/** Hands its bytes on after every row group, so that no more than one is held. */
class SinkWriter extends ByteWriter {
  readonly #sink: Sink;

  constructor(sink: Sink) {
    super(65_536);
    this.#sink = sink;
  }

  flush(): void {
    if (this.index === 0) return;
    this.#sink(this.getBytes());
    this.index = 0;
  }
}

/** Decimals as bigint are unscaled values to the library; a number would pass through floating point. */
function toStored({ kind }: Column, value: unknown): unknown {
  if (value === null) return null;
  if (kind === "decimal" || kind === "whole" || kind === "time") return BigInt(value as number | bigint);
  return value;
}

function toElement([name, column]: readonly [string, Column]): SchemaElement {
  return { name, repetition_type: column.isNullable ? "OPTIONAL" : "REQUIRED", ...typeOf(column) };
}

function typeOf({ kind, decimals }: Column): Omit<SchemaElement, "name"> {
  switch (kind) {
    case "time":
      return {
        type: "INT64",
        converted_type: "TIMESTAMP_MILLIS",
        logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
      };
    case "text":
      return { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } };
    case "decimal":
      return {
        type: "INT64",
        converted_type: "DECIMAL",
        scale: decimals,
        precision: 18,
        logical_type: { type: "DECIMAL", precision: 18, scale: decimals },
      };
    case "whole":
      return { type: "INT64" };
    case "ratio":
      return { type: "DOUBLE" };
    case "flag":
      return { type: "BOOLEAN" };
  }
}
