/** Which layout a file has: by name if the user says so, else by its header, else by whether its first row fits. */
import { formatDuration } from "../durations.ts";
import { DataError, quote } from "../errors.ts";
import { readCells, unitOf } from "../scan/cells.ts";
import type { SourceFile } from "../types.ts";
import { widthOf } from "./exactColumns.ts";
import { instrumentOf, severalInstruments } from "./instrument.ts";
import type { KnownLayout, LayoutHeader, RefusedLayout } from "./known.ts";
import type { Layout, TimeUnit } from "./layout.ts";
import { JSON_LAYOUT_NAMES, KNOWN_LAYOUTS, REFUSED_LAYOUTS } from "./table.ts";

const COMMA = 44;

/** The first rows of a file, as cells. `second` is absent in a file of one row. */
export interface FileHead {
  readonly file: string;
  /** As the user named it: folders of the path may name the layout, and the market may be the instrument to take. */
  readonly source: SourceFile;
  readonly first: readonly string[];
  readonly second?: readonly string[];
  /** The rows of the beginning of the file, its header included; for layouts whose rows may be in another order. */
  sample?(): readonly (readonly string[])[];
}

/**
 * Finds and binds the known layout of a file.
 *
 * @param name layout by name, if the user gave one
 * @returns `undefined` if no name is given and no known layout has the file's columns
 * @throws {DataError} DATA_LAYOUT if the file does not have the layout of that name, or has one that is refused
 */
export function detectLayout(head: FileHead, name?: string): Layout | undefined {
  const found = name === undefined ? findByColumns(head) : findByName(head, name);
  if (found === undefined) return undefined;
  if ("reason" in found) throw refused(head, found.reason, found.hint);
  return bindLayout(found, head);
}

function findByName(head: FileHead, name: string): KnownLayout | RefusedLayout {
  const layout = [...KNOWN_LAYOUTS, ...REFUSED_LAYOUTS].find((known) => known.name === name);
  if (layout !== undefined) return layout;
  if ((JSON_LAYOUT_NAMES as readonly string[]).includes(name)) {
    throw new DataError("DATA_LAYOUT", `${name} is a layout of JSON, and the file is none`, {
      file: head.file,
      line: 1,
    });
  }
  throw new DataError("DATA_LAYOUT", `there is no layout ${quote(name)}`, {
    file: head.file,
    hint: `use ${KNOWN_LAYOUTS.map((known) => known.name).join(", ")}, or the path of a mapping file (.yaml)`,
  });
}

function refused({ file }: FileHead, reason: string, hint: string): DataError {
  return new DataError("DATA_LAYOUT", reason, { file, line: 1, hint });
}

/** The layout whose columns a file has; of several the one that its path names. */
function findByColumns(head: FileHead): KnownLayout | RefusedLayout | undefined {
  const header = isHeader(head.first);
  const words = splitPath(head.source.path);
  const isNamed = ({ pathWord, name }: LayoutHeader): boolean => words.includes(pathWord ?? name);
  const known = KNOWN_LAYOUTS.filter((layout) => {
    const isAsked = layout.needsName === "always" || (layout.needsName === "bare" && !header);
    if (isAsked && !isNamed(layout)) return false;
    return header ? hasHeader(layout, head.first) : layout.needsHeader !== true && fits(layout, head.first);
  });
  // Without a header nothing but the path says that the numbers of a row are of no use.
  const unusable = REFUSED_LAYOUTS.filter((layout) =>
    header ? hasHeader(layout, head.first) : head.first.length === layout.columns.length && isNamed(layout),
  );
  const all = [...known, ...unusable];
  return all.find(isNamed) ?? all[0];
}

/** Words of a path between its separators: `futures/um/markPriceKlines/x.zip`, `BTC-markPriceKlines-1h.csv`. */
function splitPath(path: string): string[] {
  return path.split(/[\\/_.-]/);
}

/** A header begins with a letter; a row of every known layout begins with a digit. */
export function isHeader(cells: readonly string[]): boolean {
  return /^\p{L}/u.test(cells[0] ?? "");
}

function hasHeader({ columns, laterColumns = [] }: LayoutHeader, cells: readonly string[]): boolean {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  return (
    names.length >= columns.length &&
    columns.every((known, index) => known.includes(names[index]!)) &&
    names.slice(columns.length).every((name, index) => name === laterColumns[index])
  );
}

function fits(known: KnownLayout, cells: readonly string[]): boolean {
  const unit = sniffUnit(known, cells) ?? (known.hasDates === true ? "ms" : undefined);
  if (unit === undefined) return false;
  const layout = build(known, unit, cells, false);
  const faults = readCells(layout, cells, new Float64Array(widthOf(layout)));
  return faults?.every((fault) => fault.truncated === true) === true;
}

/** Unit of time by the digits of the time cell. */
function sniffUnit(known: KnownLayout, cells: readonly string[]): TimeUnit | undefined {
  const text = cells[known.timeColumn] ?? "";
  if (!/^\d{9,20}(\.\d+)?$/.test(text)) return undefined;
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
  const refusal = known.refuse?.(row, head.source.path);
  if (refusal !== undefined) throw refused(head, refusal.reason, refusal.hint);
  const instrument = instrumentOf(head.source);
  if (known.hasManyInstruments && instrument === undefined) throw severalInstruments(head.file, head.source);
  // A first row that is itself wrong is reported by the reader, as a row.
  const layout = setDelay(build(known, sniffUnit(known, row) ?? "ms", row, header, instrument), head);
  if (known.mayBeNewestFirst !== true || !isNewestFirst(known, head)) return layout;
  return { ...layout, newestFirst: true, notes: [...layout.notes, "The file begins with its newest row."] };
}

/** The delay that the user states, or that of the layout, which every report then names. */
function setDelay(layout: Layout, { file, source }: FileHead): Layout {
  const { delayMs } = source;
  const notes = [...layout.notes];
  const streams = layout.streams.map((spec) => {
    if (spec.shape !== "series") return spec;
    const delay = delayMs ?? spec.delayMs;
    const late = delay === 0 ? "at" : `${formatDuration(delay) ?? `${delay} ms`} after`;
    notes.push(`Values of series are known ${late} ${spec.knownAfter}.`);
    return { ...spec, delayMs: delay };
  });
  if (delayMs !== undefined && !streams.some(({ shape }) => shape === "series")) {
    throw new DataError("SOURCE_INVALID", `the layout ${layout.name} has no series, and only they have a delay`, {
      file,
      hint: `write ${layout.name} without the delay`,
    });
  }
  return { ...layout, streams, notes };
}

/** True if the times of the first rows fall and never rise. */
function isNewestFirst({ timeColumn }: KnownLayout, { sample }: FileHead): boolean {
  const times = (sample?.() ?? []).slice(1).map((row) => Number(row[timeColumn]));
  return times.length > 1 && times[0]! > times.at(-1)! && times.every((time, at) => at === 0 || time <= times[at - 1]!);
}

function build(known: KnownLayout, unit: TimeUnit, row: readonly string[], header: boolean, instrument = ""): Layout {
  const cells = known.cells(unit, row, instrument);
  const where = cells.flatMap(({ type }, index) => (type === "where" ? [index] : []));
  const names = [...known.columns.map(([name]) => name!), ...(known.laterColumns ?? [])];
  const width = Math.max(cells.length, Math.min(row.length, names.length));
  const isFine = unit === "us" || unit === "ns";
  return {
    name: known.name,
    columns: names.slice(0, width).map((name, index) => ({ name, cell: cells[index] ?? { type: "skip" } })),
    header,
    separator: COMMA,
    ...(where.length === 0 ? {} : { where }),
    streams: typeof known.streams === "function" ? known.streams(row) : known.streams,
    allow: known.allow ?? [],
    notes: [...(known.notes ?? []), ...(isFine ? [`Times in ${unit} were rounded down to milliseconds.`] : [])],
  };
}
