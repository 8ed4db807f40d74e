/** Turns a mapping and the header of a file into a layout. */
import { findNearest } from "../../../ground/collections/nearest.ts";
import { PRICE_DECIMALS, SIZE_DECIMALS } from "../../../ground/math/fixed.ts";
import { DataError, quote } from "../errors.ts";
import { buyerIsMakerCell, hoursCell } from "../readers/known.ts";
import type {
  CandleSpec,
  ColumnIndex,
  ColumnType,
  IntervalSpec,
  Layout,
  LayoutColumn,
  SizeSpec,
  StreamSpec,
} from "../readers/layout.ts";
import { parseOffset } from "../scan/isoTime.ts";
import { compileTimeFormat, splitTimeFormat } from "../scan/textTime.ts";
import type { LoadedMapping } from "./loadMapping.ts";
import type { ColumnRef, Mapping, MappingStream, PriceRef, SizeRef } from "./schema.ts";
import { parseDuration, parseUnits } from "./units.ts";

const RATE_DECIMALS = { fraction: 9, percent: 7, bps: 5 } as const;

/**
 * @param first cells of the first line of the file
 * @param row   cells of its first row
 * @throws {DataError} DATA_LAYOUT if the file lacks a column, MAPPING_INVALID if the mapping contradicts itself
 */
export function bindMapping(
  { mapping, sha256, file: mappingFile }: BoundFile,
  file: string,
  first: readonly string[],
  row: readonly string[] = first,
): Layout {
  const binder = new Binder(mapping, mappingFile, file, first);
  const time = binder.column(mapping.time.column, timeCell(mapping));
  const timeOfDay = bindTimeOfDay(mapping, time, binder);
  const streams = mapping.streams.map((stream) => bindStream(stream, time, binder));
  for (const column of mapping.nullWhenEmpty ?? []) binder.column(column, { type: "presence" });
  const symbol = bindSymbol(mapping, row, binder);
  return {
    name: mapping.mapping,
    columns: binder.columns(),
    header: mapping.header,
    separator: (mapping.separator ?? ",").charCodeAt(0),
    streams,
    allow: mapping.allow ?? [],
    notes: mapping.notes ?? [],
    ...(mapping.skipLines === undefined ? {} : { skipLines: mapping.skipLines }),
    ...(mapping.order === "newestFirst" ? { newestFirst: true } : {}),
    ...(timeOfDay === undefined ? {} : { timeOfDay }),
    ...(symbol === undefined ? {} : { symbol }),
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

/** Header names of a column that says which instrument a row is of. */
const SYMBOL_NAME =
  /^(symbol|ticker|pair|instrument|instrument_name|instrument_id|inst_id|instid|coin|contract|market|product_id|currency_pair)$/i;

/** Chooses the rows of one symbol, or holds a column of symbols to the one of the first row. */
function bindSymbol({ symbol, header }: Mapping, row: readonly string[], binder: Binder): ColumnIndex | undefined {
  if (symbol !== undefined) {
    return binder.column(symbol.column, { type: "symbol", symbol: symbol.take, skipsOthers: true });
  }
  if (header) binder.watchSymbols(SYMBOL_NAME, row);
  return undefined;
}

function timeCell({ time }: Mapping): ColumnType {
  const offsetMinutes = parseOffset(time.zone ?? "UTC") ?? 0;
  if (time.unit === "iso") return { type: "isoTime", offsetMinutes };
  if (time.unit === "text") {
    const format =
      time.timeColumn === undefined ? compileTimeFormat(time.format!) : splitTimeFormat(time.format!)?.date;
    return { type: "textTime", format: format!, offsetMinutes };
  }
  return { type: "time", unit: time.unit as "s" | "ms" | "us" | "ns" };
}

/** Gives columns their types, and refuses to give one column two. */
class Binder {
  readonly mapping: Mapping;
  private readonly mappingFile: string;
  private readonly file: string;
  private readonly names: readonly string[];
  private readonly cells: ColumnType[];

  constructor(mapping: Mapping, mappingFile: string, file: string, first: readonly string[]) {
    this.mapping = mapping;
    this.mappingFile = mappingFile;
    this.file = file;
    this.names = mapping.header
      ? first
      : Array.from({ length: mapping.columns ?? first.length }, (_, index) => String(index + 1));
    this.cells = this.names.map(() => ({ type: "skip" }));
  }

  private isOptional = false;

  /** The same binder, for the columns of a stream that leaves out rows with empty cells. */
  optional(): Binder {
    const view: Binder = Object.create(this);
    view.isOptional = true;
    return view;
  }

  /** Every row has the symbol of the first, in columns of that name that nothing else reads. */
  watchSymbols(name: RegExp, row: readonly string[]): void {
    for (const [index, column] of this.names.entries()) {
      const symbol = row[index]?.trim() ?? "";
      if (!name.test(column.trim()) || this.cells[index]!.type !== "skip" || symbol === "") continue;
      this.cells[index] = { type: "symbol", symbol, skipsOthers: false };
    }
  }

  columns(): LayoutColumn[] {
    return this.names.map((name, index) => ({ name, cell: this.cells[index]! }));
  }

  column(ref: ColumnRef, cell: ColumnType): ColumnIndex {
    const index = this.find(ref);
    const known = this.cells[index]!;
    if (known.type !== "skip" && JSON.stringify(known) !== JSON.stringify(cell)) {
      throw new DataError("MAPPING_INVALID", `column ${ref} is read in two different ways`, {
        file: this.mappingFile,
        hint: "one column can be one thing: a time, a price, a size, a rate, a side or an id",
      });
    }
    this.cells[index] = cell;
    return index;
  }

  /** @param more what a number of this column may be beyond the usual */
  amount(
    ref: ColumnRef,
    decimals: number,
    sign: "positive" | "nonNegative" | "any",
    more: { readonly wide?: true; readonly rounds?: true } = {},
  ): ColumnIndex {
    if (decimals < 0) {
      throw new DataError("MAPPING_INVALID", `column ${ref} has a scale finer than the tape's`, {
        file: this.mappingFile,
      });
    }
    const exponents = this.mapping.exponents === true;
    return this.column(ref, {
      type: "decimal",
      decimals,
      sign,
      ...more,
      ...(exponents ? { exponents } : {}),
      ...(this.mapping.decimal === "," ? { comma: true } : {}),
      ...(this.isOptional ? { optional: true } : {}),
    });
  }

  private find(ref: ColumnRef): ColumnIndex {
    if (this.mapping.header !== (typeof ref === "string")) {
      throw new DataError(
        "MAPPING_INVALID",
        this.mapping.header
          ? `column ${ref}: a file with a header names its columns`
          : `column ${quote(String(ref))}: a file without a header counts its columns from 1`,
        { file: this.mappingFile },
      );
    }
    const index = typeof ref === "string" ? this.names.indexOf(ref) : ref - 1;
    if (index < 0 || index >= this.names.length) {
      throw new DataError("DATA_LAYOUT", `there is no column ${ref}; the columns are ${this.names.join(", ")}`, {
        file: this.file,
        line: 1,
        hint: this.names.some((name) => name.includes("\uFFFD"))
          ? "the header is not UTF-8: convert the file, as with iconv -f GB18030 -t UTF-8"
          : `${this.suggest(ref)}the mapping ${this.mapping.mapping} needs it`,
      });
    }
    if (this.names.indexOf(this.names[index]!) !== this.names.lastIndexOf(this.names[index]!)) {
      throw new DataError("DATA_LAYOUT", `two columns have the name ${ref}`, { file: this.file, line: 1 });
    }
    return index;
  }

  private suggest(ref: ColumnRef): string {
    const nearest = typeof ref === "string" ? findNearest(ref, this.names) : undefined;
    return nearest === undefined ? "" : `did you mean ${nearest}? `;
  }

  invalid(reason: string): DataError {
    return new DataError("MAPPING_INVALID", reason, { file: this.mappingFile });
  }
}

function bindStream(stream: MappingStream, time: ColumnIndex, binder: Binder): StreamSpec {
  const optional = stream.skipEmpty === true;
  const bound = bindKind(stream, time, optional ? binder.optional() : binder);
  return { ...bound, skipEmpty: optional ? amountsOf(bound) : [] };
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
        size: bindSize(stream.size, binder, false),
        ...(side === undefined ? {} : { side: bindSide(side, binder) }),
        ...(id === undefined
          ? { ids: "none" as const }
          : { id: binder.column(id.column, { type: "decimal", decimals: 0, sign: "nonNegative" }), ids: id.rule }),
      };
    }
    case "bars":
      return { ...base, ...bindCandle(stream, binder), kind: "bar", size: bindSize(stream.volume, binder, true) };
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
    case "funding": {
      const { rate } = stream;
      return {
        ...base,
        everyMs: stream.settleEvery === undefined ? 0 : parseDuration(stream.settleEvery),
        kind: "funding",
        shape: "funding",
        rate: binder.amount(rate.column, RATE_DECIMALS[rate.unit as keyof typeof RATE_DECIMALS], "any", {
          rounds: true,
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

function bindPrice(price: PriceRef, binder: Binder): ColumnIndex {
  const ref = typeof price === "object" ? price.column : price;
  const scale = typeof price === "object" ? (price.scale ?? 0) : 0;
  return binder.amount(ref, PRICE_DECIMALS + scale, "positive");
}

const WIDE = { wide: true } as const;

/** A trade has a size above zero; a bar's volume may be zero. */
function bindSize(size: SizeRef, binder: Binder, volume: boolean): SizeSpec {
  const sign = volume ? "nonNegative" : "positive";
  if (typeof size !== "object") {
    return { from: "base", column: binder.amount(size, SIZE_DECIMALS, sign, WIDE), multiplier: 1 };
  }
  if ("constant" in size) {
    const value = parseUnits(size.constant);
    if (value === undefined || value.units === 0)
      throw binder.invalid(`the constant size ${size.constant} cannot be used`);
    return { from: "constant", size: value.units };
  }
  switch (size.unit) {
    case "base": {
      const column = binder.amount(size.column, SIZE_DECIMALS + (size.scale ?? 0), sign, WIDE);
      return { from: "base", column, multiplier: 1 };
    }
    case "quote":
      return { from: "quote", column: binder.amount(size.column, SIZE_DECIMALS + (size.scale ?? 0), sign, WIDE) };
    case "contracts": {
      const multiplier = parseUnits(size.multiplier);
      if (multiplier === undefined || multiplier.units === 0) {
        throw binder.invalid(`the multiplier ${size.multiplier} cannot be used`);
      }
      // contracts * digits * 10^-places, in 1e-8 base: the column keeps 8 - places digits.
      const column = binder.amount(size.column, SIZE_DECIMALS - multiplier.places, sign, WIDE);
      return { from: "base", column, multiplier: multiplier.digits };
    }
  }
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
