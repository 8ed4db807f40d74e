/** Which layout a file has: by name if the user says so, else by its header, else by whether its first row fits. */
import { DataError, quote } from "../errors.ts";
import { readCells, unitOf } from "../scan/cells.ts";
import type { KnownLayout } from "./known.ts";
import type { Layout, TimeUnit } from "./layout.ts";
import { KNOWN_LAYOUTS } from "./table.ts";

const COMMA = 44;

/** The first rows of a file, as cells. `second` is absent in a file of one row. */
export interface FileHead {
  readonly file: string;
  /** Path as given, whose folders may name the layout as the exchange's folders do. */
  readonly path: string;
  readonly first: readonly string[];
  readonly second?: readonly string[];
}

/**
 * Finds and binds the known layout of a file.
 *
 * @param name layout by name, if the user gave one
 * @returns `undefined` if no name is given and no known layout has the file's columns
 * @throws {DataError} DATA_LAYOUT if the file does not have the layout of that name
 */
export function detectLayout(head: FileHead, name?: string): Layout | undefined {
  if (name !== undefined) {
    const layout = KNOWN_LAYOUTS.find((known) => known.name === name);
    if (layout === undefined) {
      throw new DataError("DATA_LAYOUT", `there is no layout ${quote(name)}`, {
        file: head.file,
        hint: `use ${KNOWN_LAYOUTS.map((known) => known.name).join(", ")}, or the path of a mapping file (.yaml)`,
      });
    }
    return bindLayout(layout, head);
  }
  const named = findKnownLayout(head);
  return named === undefined ? undefined : bindLayout(named, head);
}

/** The known layout whose columns a file has; of several the one that its path names. */
function findKnownLayout(head: FileHead): KnownLayout | undefined {
  const header = isHeader(head.first);
  const fitting = KNOWN_LAYOUTS.filter((known) =>
    header ? hasHeader(known, head.first) : sniffUnit(known, head.first) !== undefined && fits(known, head.first),
  );
  return fitting.find((known) => splitPath(head.path).includes(known.name)) ?? fitting[0];
}

/** Words of a path between its separators: `futures/um/markPriceKlines/x.zip`, `BTC-markPriceKlines-1h.csv`. */
function splitPath(path: string): string[] {
  return path.split(/[\\/_.-]/);
}

/** A header begins with a letter; a row of every known layout begins with a digit. */
export function isHeader(cells: readonly string[]): boolean {
  return /^\p{L}/u.test(cells[0] ?? "");
}

function hasHeader(known: KnownLayout, cells: readonly string[]): boolean {
  return (
    cells.length === known.columns.length &&
    known.columns.every((names, index) => names.includes(cells[index]!.trim().toLowerCase()))
  );
}

function fits(known: KnownLayout, cells: readonly string[]): boolean {
  const unit = sniffUnit(known, cells);
  if (unit === undefined) return false;
  const layout = build(known, unit, false);
  return readCells(layout, cells, new Float64Array(layout.columns.length)).every((fault) => fault.truncated === true);
}

/** Unit of time by the digits of the time cell. */
function sniffUnit(known: KnownLayout, cells: readonly string[]): TimeUnit | undefined {
  const text = cells[known.timeColumn] ?? "";
  if (!/^\d{9,20}$/.test(text)) return undefined;
  return unitOf(Number(text));
}

function bindLayout(known: KnownLayout, head: FileHead): Layout {
  const header = isHeader(head.first);
  if (header && !hasHeader(known, head.first)) {
    throw new DataError("DATA_LAYOUT", `the header is ${quote(head.first.join(","))}, not that of ${known.name}`, {
      file: head.file,
      line: 1,
      hint: `${known.name} has ${known.columns.map(([own]) => own).join(",")}; for other columns write a mapping file`,
    });
  }
  const row = header ? head.second : head.first;
  if (row === undefined) throw new DataError("DATA_EMPTY", "the file has a header and no rows", { file: head.file });
  // A first row that is itself wrong is reported by the reader, as a row.
  return build(known, sniffUnit(known, row) ?? "ms", header);
}

function build(known: KnownLayout, unit: TimeUnit, header: boolean): Layout {
  return {
    name: known.name,
    columns: known.cells(unit).map((cell, index) => ({ name: known.columns[index]![0]!, cell })),
    header,
    separator: COMMA,
    streams: known.streams,
    allow: [],
    notes: unit === "us" || unit === "ns" ? [`Times in ${unit} were rounded down to milliseconds.`] : [],
  };
}
