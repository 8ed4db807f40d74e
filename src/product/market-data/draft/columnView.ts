import type { ColumnRef } from "../mapping/schema.ts";
import { findColumns, type Role } from "./roles.ts";
import type { Sample } from "./sample.ts";

const NULLS = new Set(["", "null", "NULL", "None", "nan", "NaN"]);

/** The columns of a sample as a draft reads them. */
export class ColumnView {
  readonly sample: Sample;
  readonly hasDecimalComma: boolean;

  constructor(sample: Sample) {
    this.sample = sample;
    const cells = sample.rows.slice(0, 200).flat();
    const commas = cells.filter((cell) => /^-?\d+,\d+$/.test(cell)).length;
    this.hasDecimalComma = sample.separator !== "," && commas > 0 && !cells.some((cell) => /^-?\d+\.\d+$/.test(cell));
  }

  /** Columns whose names mean a role; none where there are no names. */
  find(role: Role): number[] {
    return this.sample.names === undefined ? [] : findColumns(this.sample.names, role);
  }

  /** How the mapping names a column. */
  ref(column: number): ColumnRef {
    return this.sample.refs?.[column] ?? (this.sample.hasHeader ? this.sample.names![column]! : column + 1);
  }

  /** How a message names a column. */
  label(column: number): string {
    const name = this.sample.names?.[column];
    return name === undefined || name === "" ? `column ${column + 1}` : `column ${JSON.stringify(name)}`;
  }

  texts(column: number): string[] {
    return this.sample.rows.map((row) => row[column]!);
  }

  /** Numbers of a column, NaN where a cell is empty; `undefined` if another cell is no number. */
  numbers(column: number): number[] | undefined {
    const numbers: number[] = [];
    for (const text of this.texts(column)) {
      const isNull = NULLS.has(text);
      const value = isNull ? Number.NaN : Number(this.hasDecimalComma ? text.replace(",", ".") : text);
      if (!isNull && (text === "" || Number.isNaN(value))) return undefined;
      numbers.push(value);
    }
    return numbers.some((value) => !Number.isNaN(value)) ? numbers : undefined;
  }

  /** Most digits after the point in columns of the sample, exponents counted. */
  decimals(columns: readonly number[]): number {
    let most = 0;
    for (const column of columns) {
      for (const text of this.texts(column)) {
        const [, fraction = "", exponent = "0"] = /[.,](\d*?)0*(?:[eE]([-+]?\d+))?$/.exec(text) ?? [];
        most = Math.max(most, fraction.length - Number(exponent));
      }
    }
    return most;
  }
}

/** The middle of a list of numbers, without NaN; 0 of none. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}
