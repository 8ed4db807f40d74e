/** Types of the columns of a table, with their units and meaning. */

declare const held: unique symbol;

/** One column. `V` is the type of its values in code. */
export interface Column<V = unknown> {
  readonly kind: "time" | "text" | "decimal" | "whole" | "ratio" | "flag";
  /** Digits after the point of a `decimal`; 0 for the others. */
  readonly decimals: number;
  /** Unit as a reader knows it: USD, base, USD per base; empty where there is none. */
  readonly unit: string;
  /** Meaning, as a short sentence without a full stop. */
  readonly about: string;
  /** Whether a row may have no value here: null in code, an empty cell in CSV, null in Parquet. */
  readonly isNullable: boolean;
  readonly [held]?: V;
}

/** A moment: whole milliseconds since 1970-01-01T00:00:00Z. CSV: ISO 8601 text in UTC. Parquet: TIMESTAMP(ms, UTC). */
export function time(about: string): Column<number> {
  return { kind: "time", decimals: 0, unit: "UTC", about, isNullable: false };
}

/** A text. Parquet: UTF-8, with a dictionary where that is smaller. */
export function text(about: string): Column<string> {
  return { kind: "text", decimals: 0, unit: "", about, isNullable: false };
}

/**
 * An exact decimal: a whole number of 10^-decimals in code. CSV: canonical decimal text. Parquet: DECIMAL(18,
 * decimals).
 *
 * @param decimals digits after the point
 * @param unit     of the decimal, for example `USD`
 */
export function decimal(decimals: number, unit: string, about: string): Column<number | bigint> {
  return { kind: "decimal", decimals, unit, about, isNullable: false };
}

/** A whole number. Parquet: INT64. */
export function whole(about: string, unit = ""): Column<number> {
  return { kind: "whole", decimals: 0, unit, about, isNullable: false };
}

/** A finite double. CSV: the shortest text that reads back as the same double. Parquet: DOUBLE. */
export function ratio(about: string, unit = ""): Column<number> {
  return { kind: "ratio", decimals: 0, unit, about, isNullable: false };
}

/** True or false. CSV: `true`, `false`. Parquet: BOOLEAN. */
export function flag(about: string): Column<boolean> {
  return { kind: "flag", decimals: 0, unit: "", about, isNullable: false };
}

/** The same column, whose rows may have no value. */
export function nullable<V>(column: Column<V>): Column<V | null> {
  return { ...column, isNullable: true } as Column<V | null>;
}
