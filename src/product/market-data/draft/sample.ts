/** The first rows of a file of unknown columns: its separator, its header, and where the rows begin. */
import { parse } from "csv-parse/sync";
import type { JsonSpec } from "../readers/layout.ts";
import { findColumns } from "./roles.ts";

const SEPARATORS = [",", ";", "\t", "|"] as const;
const ROWS_MAX = 2000;
/** A header is looked for in the first rows; the table has as many columns as most of these. */
const TOP_ROWS = 50;

export interface Sample {
  readonly separator: (typeof SEPARATORS)[number];
  /** Lines before the header, or before the first row where there is none. */
  readonly skipLines: number;
  /** Names of the columns; without them the columns are counted from 1. */
  readonly names: readonly string[] | undefined;
  /** Whether the mapping names its columns: there is a header, and the rows follow it at once. */
  readonly hasHeader: boolean;
  readonly columns: number;
  /** Cells without spaces around them; every row has all columns. */
  readonly rows: readonly (readonly string[])[];
  /** Where the rows of a JSON file are, and the path of each column. */
  readonly json?: JsonSpec;
  readonly refs?: readonly string[];
}

/** @returns `undefined` if the text is no table */
export function takeSample(text: string): Sample | undefined {
  let best: { separator: Sample["separator"]; rows: string[][]; columns: number; fitting: number } | undefined;
  for (const separator of SEPARATORS) {
    const rows = readRows(text, separator);
    if (rows === undefined) continue;
    const top = rows.slice(0, TOP_ROWS);
    const columns = mostFrequent(top.map((row) => row.length));
    if (columns === undefined || columns < 2) continue;
    const fitting = top.filter((row) => row.length === columns).length;
    const isBetter =
      best === undefined || fitting > best.fitting || (fitting === best.fitting && columns > best.columns);
    if (isBetter) best = { separator, rows, columns, fitting };
  }
  if (best === undefined) return undefined;
  const { separator, rows, columns } = best;
  const top = rows.findIndex((row) => row.length === columns);
  const first = rows[top]!;
  const names = isHeader(first) ? first : undefined;
  const begin = rows.findIndex((row, index) => index >= top + (names === undefined ? 0 : 1) && isData(row, columns));
  if (begin < 0) return undefined;
  const hasHeader = names !== undefined && begin === top + 1;
  // A header of several lines, as of a table with levels: the name of the time may be in a later one.
  const time = rows
    .slice(top + 1, begin)
    .flatMap((row) => findColumns(row, "time").map((at) => [at, row[at]!] as const));
  return {
    separator,
    skipLines: hasHeader ? top : begin,
    names: names?.map((name, column) => time.find(([at]) => at === column)?.[1] ?? name),
    hasHeader,
    columns,
    rows: rows.slice(begin).filter((row) => row.length === columns),
  };
}

function readRows(text: string, delimiter: string): string[][] | undefined {
  try {
    const rows: string[][] = parse(text, {
      delimiter,
      relax_column_count: true,
      trim: true,
      record_delimiter: ["\n", "\r\n"],
      to: ROWS_MAX,
    });
    return rows.map((row) => row.map((cell) => cell.trim()));
  } catch {
    return undefined; // quotes that do not close with this separator
  }
}

/** A header has a name of letters, and no number. */
function isHeader(row: readonly string[]): boolean {
  return (
    row.some((cell) => /^[<("]?\p{L}/u.test(cell)) && !row.some((cell) => /^[-+]?[\d.,]+(e[-+]?\d+)?$/i.test(cell))
  );
}

/** A row has all columns and at least one digit. */
function isData(row: readonly string[], columns: number): boolean {
  return row.length === columns && row.some((cell) => /^[-+]?\d/.test(cell));
}

/** The value that occurs most often, of several the greatest; `undefined` of none. */
export function mostFrequent(values: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let best: number | undefined;
  for (const [value, count] of counts) {
    const most = best === undefined ? 0 : counts.get(best)!;
    if (count > most || (count === most && value > best!)) best = value;
  }
  return best;
}
