import type { Column } from "./columns.ts";
import { TableError } from "./errors.ts";

/** The definition of a table: its name, what one row is, and its columns in order. */
export interface Table<Columns extends Readonly<Record<string, Column>> = Readonly<Record<string, Column>>> {
  readonly name: string;
  /** What one row is, as a full sentence. */
  readonly about: string;
  readonly columns: Columns;
}

/** A row of a table: a value for each column. */
export type Row<T extends Table> = {
  readonly [Name in keyof T["columns"]]: T["columns"][Name] extends Column<infer V> ? V : never;
};

/** Defines a table, so that the types of its rows follow from its columns. */
export function defineTable<const Columns extends Readonly<Record<string, Column>>>(
  name: string,
  about: string,
  columns: Columns,
): Table<Columns> {
  return { name, about, columns };
}

/** Greatest magnitude of an unscaled decimal, exclusive: 18 digits. */
const DECIMAL_LIMIT = 10n ** 18n;
/** Greatest moment of a `Date`, ms. */
const TIME_LIMIT = 8.64e15;

/**
 * Refuses a value that its column cannot hold exactly.
 *
 * @throws {TableError} TABLE_VALUE
 */
export function requireValue(table: Table, row: number, name: string, value: unknown): void {
  const column = table.columns[name]!;
  if (value === null ? column.isNullable : fits(column, value)) return;
  const shown = typeof value === "bigint" ? `${value}` : (JSON.stringify(value) ?? `${value}`);
  throw new TableError("TABLE_VALUE", `${table.name} row ${row}, ${name}`, `${shown} is not a ${describe(column)}`);
}

function fits({ kind }: Column, value: unknown): boolean {
  switch (kind) {
    case "time":
      return Number.isSafeInteger(value) && Math.abs(value as number) <= TIME_LIMIT;
    case "text":
      return typeof value === "string";
    case "decimal":
      if (typeof value === "bigint") return value < DECIMAL_LIMIT && value > -DECIMAL_LIMIT;
      return Number.isSafeInteger(value);
    case "whole":
      return Number.isSafeInteger(value);
    case "ratio":
      return Number.isFinite(value);
    case "flag":
      return typeof value === "boolean";
  }
}

function describe({ kind, decimals }: Column): string {
  switch (kind) {
    case "time":
      return "moment in whole milliseconds";
    case "text":
      return "text";
    case "decimal":
      return `whole number of 1e-${decimals} with at most 18 digits`;
    case "whole":
      return "whole number of at most 2^53 - 1";
    case "ratio":
      return "finite number";
    case "flag":
      return "true or false";
  }
}
