/**
 * A table whose rows the page carries as data. The first are written into the page, and its script sorts, filters and
 * pages all of them and writes them as CSV. Rows are drawn by the same code on both sides.
 */
import { formatFixed, formatNumber, formatPercent, groupThousands } from "../text/numbers.ts";
import { formatDuration, formatTime } from "../text/times.ts";
import { html, type Markup, toMinus } from "./markup.ts";

/** A cell's value: decimal text where digits must not be lost, null where there is none. */
export type Cell = string | number | null;

export interface TableColumn {
  /** Name in CSV files and in filters, in camel case. */
  readonly key: string;
  readonly label: string;
  readonly kind: "text" | "time" | "duration" | "decimal" | "count" | "percent";
  /** Shown below the label, e.g. "USD". */
  readonly unit?: string;
  /** Of a decimal: digits shown; all of them where absent. */
  readonly digits?: number;
  /** Whether the sign decides the colour, and gains have a "+". */
  readonly isSigned?: boolean;
  /** Whether a long text is broken into lines. */
  readonly isWrapped?: boolean;
  /** What the column means, in a sentence. */
  readonly meaning?: string;
}

export interface DataTable {
  /** Of its CSV file, without the ending. */
  readonly name: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly Cell[])[];
  /** How many there were; `rows` may hold fewer. */
  readonly total: number;
  /** Columns with the beginning and the end of a row: choosing the row zooms the charts to them. */
  readonly zoom?: readonly [fromKey: string, toKey: string];
  /** An example of a filter. */
  readonly example?: string;
}

/** Rows of a page of a table, and of the table before the script has run. */
export const ROWS_PER_PAGE = 25;

/** A value as the table shows it. */
export function formatCell(column: TableColumn, value: Cell): string {
  if (value === null) return "";
  switch (column.kind) {
    case "time":
      // To the second; its CSV file has the milliseconds.
      return formatTime(Math.floor((value as number) / 1_000) * 1_000);
    case "duration":
      return formatDuration(value as number);
    case "percent":
      return withSign(column, toMinus(formatPercent(value as number)));
    case "count":
      return groupThousands(String(value));
    case "decimal":
      return withSign(column, toMinus(formatDecimalCell(value, column.digits)));
    case "text":
      return String(value);
  }
}

function formatDecimalCell(value: string | number, digits: number | undefined): string {
  if (digits === undefined) return groupThousands(String(value));
  // A number may have an exponent, 1e-7, which decimal text has not.
  return typeof value === "number" ? formatNumber(value, digits) : formatFixed(value, digits);
}

function withSign({ isSigned }: TableColumn, text: string): string {
  return isSigned === true && !text.startsWith("\u2212") && /[1-9]/.test(text) ? `+${text}` : text;
}

/** A row of a table. */
export function renderRow({ columns, zoom }: DataTable, row: readonly Cell[], place: number): Markup {
  const cells = columns.map(
    (column, i) => html`<td class="${classOf(column, row[i]!)}">${formatCell(column, row[i]!)}</td>`,
  );
  return zoom === undefined ? html`<tr>${cells}</tr>` : html`<tr data-row="${place}" tabindex="0">${cells}</tr>`;
}

function classOf(column: TableColumn, value: Cell): string {
  if (column.isWrapped === true) return "w";
  if (column.kind === "text")
    return value === "buy" || value === "long" ? "t gain" : value === "sell" || value === "short" ? "t pain" : "t";
  if (column.kind === "time") return "t when";
  if (column.isSigned !== true || value === null) return "n";
  const number = Number(value);
  return number > 0 ? "n gain" : number < 0 ? "n pain" : "n";
}

/** The table with its first rows. `id` is its place among the tables of the page. */
export function renderDataTable(table: DataTable, id: number): Markup {
  const { columns, rows, example } = table;
  const first = rows.slice(0, ROWS_PER_PAGE);
  return html`<div class="data" data-table="${id}">
<div class="tools" hidden><input type="search" placeholder="Filter${example === undefined ? "" : `: ${example}`}" aria-label="Filter rows">
<button type="button" data-do="csv">Download CSV</button></div>
<div class="scroll"><table><thead><tr>${columns.map(renderHead)}</tr></thead><tbody>${first.map((row, i) => renderRow(table, row, i))}</tbody></table></div>
<div class="pager"><span class="count">${formatShown(first.length, rows.length, table)}</span></div></div>
`;
}

function renderHead({ key, label, kind, unit, meaning }: TableColumn): Markup {
  const isText = kind === "text" || kind === "time";
  return html`<th scope="col" data-key="${key}" class="${isText ? "t" : "n"}"${meaning === undefined ? null : html` title="${meaning}"`}>${label}${unit === undefined ? null : html` <small>${unit}</small>`}</th>`;
}

/** How many rows are shown: of those that match, of those that the page keeps, and of all. */
export function formatShown(shown: number, matching: number, { rows, total }: DataTable): string {
  const count = (value: number) => groupThousands(String(value));
  const what = `${matching < rows.length ? "matching " : ""}${matching === 1 ? "row" : "rows"}`;
  const first = shown < matching ? `${count(shown)} of ${count(matching)} ${what} shown` : `${count(matching)} ${what}`;
  return total > rows.length ? `${first}; this page keeps ${count(rows.length)} of ${count(total)}` : first;
}

/** Rows that a filter lets through, in the order of `sort`; places in `table.rows`. */
export function selectRows(
  table: DataTable,
  filter: string,
  sort: { readonly key: string; readonly isDown: boolean } | null,
): number[] {
  const tests = filter
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
    .map((word) => toTest(table, word));
  const places: number[] = [];
  for (const [place, row] of table.rows.entries()) if (tests.every((test) => test(row))) places.push(place);
  const at = sort === null ? -1 : table.columns.findIndex(({ key }) => key === sort.key);
  if (sort === null || at < 0) return places;
  const isText = table.columns[at]!.kind === "text";
  const order = (a: Cell, b: Cell): number => {
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
    const [x, y] = isText ? [String(a), String(b)] : [Number(a), Number(b)];
    const way = x < y ? -1 : x > y ? 1 : 0;
    return sort.isDown ? -way : way;
  };
  return places.sort((a, b) => order(table.rows[a]![at]!, table.rows[b]![at]!) || a - b);
}

type RowTest = (row: readonly Cell[]) => boolean;

/** `pnl<-100` compares a column by its key or label; another word must be part of a cell's text. */
function toTest({ columns }: DataTable, word: string): RowTest {
  const [, key, sign, number] = /^([a-z_][\w.@-]*)(<=|>=|<|>|=)(-?[\d.]+)$/.exec(word) ?? [];
  const at =
    key === undefined
      ? -1
      : columns.findIndex((column) => [column.key, column.label].some((name) => name.toLowerCase() === key));
  if (at >= 0) {
    const wanted = Number(number);
    return (row) => {
      if (row[at] === null) return false;
      const value = Number(row[at]) * (columns[at]!.kind === "percent" ? 100 : 1);
      if (sign === "<") return value < wanted;
      if (sign === ">") return value > wanted;
      if (sign === "<=") return value <= wanted;
      return sign === ">=" ? value >= wanted : value === wanted;
    };
  }
  return (row) => columns.some((column, i) => formatCell(column, row[i]!).toLowerCase().includes(word));
}

/**
 * Rows as CSV with a head: amounts with all their digits, times as ISO 8601, durations in milliseconds. A text that a
 * spreadsheet would run as a formula gets an apostrophe.
 */
export function toCsv({ columns, rows }: DataTable, places: readonly number[]): string {
  const lines = [columns.map(({ key }) => key).join(",")];
  for (const place of places) {
    lines.push(columns.map((column, i) => toCsvCell(column, rows[place]![i]!)).join(","));
  }
  return `${lines.join("\r\n")}\r\n`;
}

function toCsvCell({ kind }: TableColumn, value: Cell): string {
  if (value === null) return "";
  if (kind === "time") return new Date(value as number).toISOString();
  if (kind !== "text") return String(value);
  const text = /^[=+\-@\t\r]/.test(String(value)) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
