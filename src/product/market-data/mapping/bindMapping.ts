/** Turns a mapping and the header of a file into a layout. */
import { quote } from "../errors.ts";
import { buyerIsMakerCell, hoursCell } from "../readers/known.ts";
import type {
  CandleSpec,
  ColumnIndex,
  ColumnType,
  IntervalSpec,
  JsonSpec,
  Layout,
  StreamSpec,
  TimeUnit,
} from "../readers/layout.ts";
import { parseIsoTime, parseOffset } from "../scan/isoTime.ts";
import { compileTimeFormat, splitTimeFormat } from "../scan/textTime.ts";
import { bindPrice, bindSize } from "./bindAmounts.ts";
import { bindDepth, bindQuotes } from "./bindBook.ts";
import { Binder } from "./binder.ts";
import type { LoadedMapping } from "./loadMapping.ts";
import type { ColumnRef, Mapping, MappingStream, PriceRef } from "./schema.ts";
import { dateOfName, FILE_NAME } from "./since.ts";
import { parseDuration } from "./units.ts";

const RATE_DECIMALS = { fraction: 9, percent: 7, bps: 5 } as const;

/** The beginning of a file that a mapping is bound to. */
export interface FileStart {
  readonly file: string;
  readonly path: string;
  /** Names of the columns, paths of the fields of JSON, or, without a header, the cells of the first row. */
  readonly names: readonly string[];
  /** Cells of the first rows. */
  readonly rows: readonly (readonly string[])[];
  /** Name of a column with the instrument of a row, where it is none of the usual. */
  readonly symbol?: string | undefined;
}

/** @throws {DataError} DATA_LAYOUT if the file lacks a column, MAPPING_INVALID if the mapping contradicts itself */
export function bindMapping({ mapping, sha256, file: mappingFile }: BoundFile, start: FileStart): Layout {
  const binder = new Binder(mapping, mappingFile, start.file, start.names);
  const where = bindWhere(mapping, binder);
  const time = binder.column(mapping.time.column, timeCell(mapping, start, binder));
  const { received } = mapping.time;
  const receivedAt =
    received === undefined
      ? undefined
      : binder.column(received.column, { type: "time", unit: received.unit as TimeUnit });
  const timeOfDay = bindTimeOfDay(mapping, time, binder);
  const streams = mapping.streams.map((stream) => bindStream(stream, time, binder));
  for (const column of mapping.nullWhenEmpty ?? []) binder.column(column, { type: "presence" });
  const isSymbol = (name: string): boolean =>
    name === start.symbol || (mapping.header !== false && SYMBOL_NAME.test(name));
  binder.watchSymbols(isSymbol, start.names, start.rows);
  return {
    name: mapping.mapping,
    columns: binder.columns(),
    header: mapping.header === true,
    separator: (mapping.separator ?? ",").charCodeAt(0),
    streams,
    allow: mapping.allow ?? [],
    notes: mapping.notes ?? [],
    ...(mapping.skipLines === undefined ? {} : { skipLines: mapping.skipLines }),
    ...(mapping.order === "newestFirst" ? { newestFirst: true } : {}),
    ...(timeOfDay === undefined ? {} : { timeOfDay }),
    ...(receivedAt === undefined ? {} : { received: receivedAt }),
    ...(where.length === 0 ? {} : { where }),
    ...(mapping.json === undefined ? {} : { json: mapping.json as JsonSpec }),
    ...(sha256 === undefined ? {} : { mappingSha256: sha256 }),
  };
}

/** A mapping with its file, or one that was drafted from the data and has none. */
type BoundFile = Omit<LoadedMapping, "sha256"> & { readonly sha256?: string };

function bindTimeOfDay({ time }: Mapping, date: ColumnIndex, binder: Binder): Layout["timeOfDay"] {
  if (time.timeColumn === undefined) return undefined;
  const format = splitTimeFormat(time.format!)!.time;
  return { date, time: binder.column(time.timeColumn, { type: "textTime", format, offsetMinutes: 0 }) };
}

/** Names of a column that says which instrument a row is of; in JSON of the last key of a path. */
const SYMBOL_NAME =
  /(^|\.)(symbol|ticker|pair|instrument|instrument_name|instrument_id|inst_id|instid|coin|contract|market|product_id|currency_pair)$/i;

/** The columns by which rows are chosen. */
function bindWhere({ where = {}, symbol, header }: Mapping, binder: Binder): ColumnIndex[] {
  const chosen: [ColumnRef, unknown][] = Object.entries(where).map(([name, take]) => [
    header === false && /^\d+$/.test(name) ? Number(name) : name,
    take,
  ]);
  if (symbol !== undefined) chosen.push([symbol.column, symbol.take]);
  return chosen.map(([ref, take]) => binder.column(ref, { type: "where", take: [take].flat().map(String) }));
}

function timeCell({ time }: Mapping, { path, file }: FileStart, binder: Binder): ColumnType {
  const offsetMinutes = parseOffset(time.zone ?? "UTC") ?? 0;
  if (time.unit === "iso") return { type: "isoTime", offsetMinutes };
  if (time.unit === "text") {
    const format =
      time.timeColumn === undefined ? compileTimeFormat(time.format!) : splitTimeFormat(time.format!)?.date;
    return { type: "textTime", format: format!, offsetMinutes };
  }
  const unit = time.unit as TimeUnit;
  if (time.since === undefined) return { type: "time", unit };
  const sinceMs = time.since === FILE_NAME ? dateOfName(path) : parseIsoTime(time.since, offsetMinutes);
  if (sinceMs === undefined) {
    throw binder.invalid(`the times count from the date in the name of the file, and ${quote(file)} has none`);
  }
  return { type: "time", unit, sinceMs: time.since === FILE_NAME ? sinceMs - offsetMinutes * 60_000 : sinceMs };
}

function bindStream(stream: MappingStream, time: ColumnIndex, binder: Binder): StreamSpec {
  const optional = "skipEmpty" in stream && stream.skipEmpty === true;
  const bound = bindKind(stream, time, optional ? binder.optional() : binder);
  const takesLast = "duplicate" in stream && stream.duplicate === "last";
  return { ...bound, skipEmpty: optional ? amountsOf(bound) : [], ...(takesLast ? { duplicate: "last" } : {}) };
}

/** The columns of a stream that hold amounts. */
function amountsOf(spec: StreamSpec): ColumnIndex[] {
  const size = "size" in spec && spec.size !== undefined && "column" in spec.size ? [spec.size.column] : [];
  switch (spec.shape) {
    case "trade":
    case "point":
      return [spec.price, ...size];
    case "candle":
      return [spec.open, spec.high, spec.low, spec.close, ...size];
    case "funding":
      return [spec.rate];
    case "depth":
      return [spec.price, ...size];
    // An empty cell is a value that its series lacks.
    case "series":
      return [];
    // An empty cell is a level that the side does not have.
    case "levels":
    case "quote":
      return [];
  }
}

function bindKind(stream: MappingStream, time: ColumnIndex, binder: Binder): StreamSpec {
  const base = { time, everyMs: 0, skipEmpty: [] };
  switch (stream.kind) {
    case "trades": {
      const price = bindPrice(stream.price, binder);
      const { side, id } = stream;
      return {
        ...base,
        kind: "trade",
        shape: "trade",
        price,
        size: bindSize(stream.size, binder, "positive"),
        ...(side === undefined ? {} : { side: bindSide(side, binder) }),
        ...(id === undefined
          ? { ids: "none" as const }
          : { id: binder.column(id.column, { type: "decimal", decimals: 0, sign: "nonNegative" }), ids: id.rule }),
      };
    }
    case "bars":
      return {
        ...base,
        ...bindCandle(stream, binder),
        kind: "bar",
        size: bindSize(stream.volume, binder, "nonNegative"),
      };
    case "mark":
    case "index":
      if ("open" in stream) return { ...base, ...bindCandle(stream, binder), kind: stream.kind };
      return {
        ...base,
        kind: stream.kind,
        shape: "point",
        price: bindPrice(stream.price, binder),
        spacingMs: stream.spacing === undefined ? 0 : parseDuration(stream.spacing),
      };
    case "depth":
      return { ...base, ...bindDepth(stream, binder) };
    case "series":
      return {
        ...base,
        kind: "series",
        shape: "series",
        values: Object.values(stream.values).map((column) => binder.exact(column)),
        names: Object.keys(stream.values),
        delayMs: parseDuration(stream.delay),
        spacingMs: stream.spacing === undefined ? 0 : parseDuration(stream.spacing),
      };
    case "quotes":
      return { ...base, ...bindQuotes(stream, binder) };
    case "funding": {
      const { rate } = stream;
      return {
        ...base,
        everyMs: stream.settleEvery === undefined ? 0 : parseDuration(stream.settleEvery),
        kind: "funding",
        shape: "funding",
        rate: binder.amount(rate.column, RATE_DECIMALS[rate.unit as keyof typeof RATE_DECIMALS], "any", {
          rounds: true,
          ...(rate.unit === "percent" ? { percentSign: true } : {}),
        }),
        interval: bindInterval(stream.interval, binder),
        offsetMs: stream.offset === undefined ? 0 : parseDuration(stream.offset),
      };
    }
  }
}

function bindInterval(interval: string | { readonly hoursColumn: ColumnRef }, binder: Binder): IntervalSpec {
  return typeof interval === "string"
    ? { from: "constant", ms: parseDuration(interval) }
    : { from: "hours", column: binder.column(interval.hoursColumn, hoursCell) };
}

interface Candle {
  readonly label: "open" | "close";
  readonly interval: string;
  readonly open: PriceRef;
  readonly high: PriceRef;
  readonly low: PriceRef;
  readonly close: PriceRef;
  readonly openOutside?: "refuse" | "clamp";
}

function bindCandle(stream: Candle, binder: Binder): Omit<CandleSpec, "kind" | "time" | "everyMs" | "skipEmpty"> {
  return {
    shape: "candle",
    label: stream.label,
    interval: { from: "constant", ms: parseDuration(stream.interval) },
    open: bindPrice(stream.open, binder),
    high: bindPrice(stream.high, binder),
    low: bindPrice(stream.low, binder),
    close: bindPrice(stream.close, binder),
    clampOpen: stream.openOutside === "clamp",
  };
}

type SideRef = NonNullable<Extract<MappingStream, { kind: "trades" }>["side"]>;

function bindSide(side: SideRef, binder: Binder): ColumnIndex {
  if ("buyerIsMaker" in side) return binder.column(side.buyerIsMaker, buyerIsMakerCell);
  const both = side.buy.find((word) => side.sell.includes(word));
  if (both !== undefined) throw binder.invalid(`${quote(both)} means buy and sell`);
  return binder.column(side.column, {
    type: "word",
    words: [...side.buy.map((word) => [word, 1] as const), ...side.sell.map((word) => [word, -1] as const)],
  });
}
