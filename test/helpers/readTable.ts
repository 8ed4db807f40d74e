import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { parse } from "csv-parse/sync";
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import type { Column } from "../../src/product/tables/columns.ts";
import type { Table } from "../../src/product/tables/table.ts";

/** A row as a test compares it: decimals as unscaled bigint, moments in milliseconds. */
export type ReadRow = Record<string, unknown>;

/** Reads a table back by libraries of others, exactly: no decimal passes through floating point. */
export async function readTable(path: string, table: Table): Promise<ReadRow[]> {
  return extname(path) === ".csv" ? readCsv(path, table) : await readParquet(path, table);
}

/** The row as `readTable` returns it. */
export function toReadRow(table: Table, row: Readonly<Record<string, unknown>>): ReadRow {
  const cells = Object.entries(table.columns).map(([name, { kind }]) => {
    const value = row[name];
    if (value === null) return [name, null];
    if (kind === "decimal") return [name, BigInt(value as number | bigint)];
    return [name, typeof value === "number" ? value + 0 : value];
  });
  return Object.fromEntries(cells);
}

function readCsv(path: string, { columns }: Table): ReadRow[] {
  const missing = Symbol("missing");
  const lines = parse(readFileSync(path, "utf8"), {
    columns: (header: string[]) => {
      if (header.join() !== Object.keys(columns).join()) throw new Error(`columns are ${header.join()}`);
      return header;
    },
    cast: (cell, { quoting, header }) => (header || quoting || cell !== "" ? cell : missing),
  }) as unknown as Record<string, string | symbol>[];
  return lines.map((line) =>
    Object.fromEntries(
      Object.entries(line).map(([name, cell]) => [
        name,
        typeof cell === "symbol" ? null : readCell(columns[name]!, cell),
      ]),
    ),
  );
}

function readCell({ kind, decimals }: Column, cell: string): unknown {
  switch (kind) {
    case "time":
      return Date.parse(cell);
    case "text":
      return cell;
    case "decimal": {
      const [whole = "", fraction = ""] = cell.split(".");
      if (fraction.length > decimals || fraction.endsWith("0")) throw new Error(`${cell} is not canonical`);
      return BigInt(whole + fraction.padEnd(decimals, "0"));
    }
    case "whole":
    case "ratio":
      return Number(cell);
    case "flag":
      return cell === "true" ? true : cell === "false" ? false : cell;
  }
}

/** The library turns a decimal into a double; without its annotation it returns the stored integer. */
async function readParquet(path: string, { columns }: Table): Promise<ReadRow[]> {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  for (const element of metadata.schema.slice(1)) {
    const column = columns[element.name];
    if (column?.kind !== "decimal") continue;
    if (element.scale !== column.decimals) throw new Error(`${element.name} has scale ${element.scale}`);
    delete element.converted_type;
    delete element.logical_type;
  }
  const rows = await parquetReadObjects({ file, metadata });
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(columns).map(([name, { kind }]) => {
        const value = row[name] ?? null;
        if (value instanceof Date) return [name, value.getTime()];
        return [name, kind === "whole" && typeof value === "bigint" ? Number(value) : value];
      }),
    ),
  );
}
