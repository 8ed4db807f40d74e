/**
 * A layout says how the rows of a text file become numbers (its columns) and how the numbers become events (its
 * streams). Known venues' layouts and users' mapping files are both turned into this one form.
 */
import type { TimeFormat } from "../scan/textTime.ts";
import type { FindingKind } from "../types.ts";

/** Unit of an integer time. */
export type TimeUnit = "s" | "ms" | "us" | "ns";

/** How the text of one column becomes a number. */
export type ColumnType =
  /** Not read. */
  | { readonly type: "skip" }
  /** Not read, but an empty cell marks the row as one without values. */
  | { readonly type: "presence" }
  /** A whole number in units of 10^-decimals. */
  | {
      readonly type: "decimal";
      /** Digits after the point that the scale holds; negative drops digits before it and is not used for amounts. */
      readonly decimals: number;
      readonly sign: "positive" | "nonNegative" | "any";
      /**
       * A size: may exceed the protocol's limit; digits beyond those of a double are rounded toward zero and counted.
       */
      readonly wide?: boolean;
      /**
       * Digits that the scale does not hold are cut and counted as `rounded`, where else they are a `precision`
       * finding.
       */
      readonly rounds?: boolean;
      /** `1e-05` is accepted and read exactly. */
      readonly exponents?: boolean;
      /** The point is a comma. */
      readonly comma?: boolean;
      /** A plus sign may be in front. */
      readonly plusSign?: boolean;
      /** A percent sign may follow. */
      readonly percentSign?: boolean;
      /** An empty cell is NaN, and the streams that want it leave the row out. */
      readonly optional?: boolean;
    }
  /**
   * A decimal of a series, exact in two numbers: the whole part in its own column, the fraction in one after all
   * columns (`fractionOf`).
   */
  | {
      readonly type: "exact";
      readonly exponents?: boolean;
      readonly comma?: boolean;
      readonly plusSign?: boolean;
      /** An empty cell is NaN: the row has no value of this series. Else it is malformed. */
      readonly optional?: boolean;
    }
  /** Time as a number; becomes milliseconds, rounded down. */
  | {
      readonly type: "time";
      readonly unit: TimeUnit;
      /** What it counts from, in milliseconds since 1970, if not from there: then any count is a time. */
      readonly sinceMs?: number;
    }
  /** ISO 8601 date and time; without a designator it is in the zone `offsetMinutes` east of UTC. */
  | { readonly type: "isoTime"; readonly offsetMinutes: number }
  /** Date and time in the order of a format; without a zone it is in the zone `offsetMinutes` east of UTC. */
  | { readonly type: "textTime"; readonly format: TimeFormat; readonly offsetMinutes: number }
  /** One of a few words. */
  | { readonly type: "word"; readonly words: readonly (readonly [text: string, value: number])[] }
  /**
   * The symbol of the row's instrument, the same in all rows; another is an error. Empty: the first row that is read
   * sets it.
   */
  | { readonly type: "symbol"; symbol: string }
  /** Rows with one of these texts are read, all others passed over. */
  | { readonly type: "where"; readonly take: readonly string[] };

export interface LayoutColumn {
  readonly name: string;
  readonly cell: ColumnType;
}

/** Column of a layout by its place, from 0. */
export type ColumnIndex = number;

/** How a size becomes base units. */
export type SizeSpec =
  /** The column holds 1e-8 base after its scale, times a whole multiplier. */
  | { readonly from: "base"; readonly column: ColumnIndex; readonly multiplier: number }
  /** The column holds quote value in 1e-8; divided by the row's price, rounded down. */
  | { readonly from: "quote"; readonly column: ColumnIndex }
  /** The file has no size; every row gets this one (1e-8 base). */
  | { readonly from: "constant"; readonly size: number };

/**
 * Order of trade ids. Either each follows the one before it, they rise with holes, each occurs once in any order, or
 * there are none.
 */
export type IdRule = "contiguous" | "rising" | "unique" | "none";

interface StreamBase {
  readonly time: ColumnIndex;
  /**
   * Rows whose time is not at whole multiples of this are left out, by design and not as a finding; 0 takes every row.
   */
  readonly everyMs: number;
  /** Rows in which one of these columns is empty are left out. */
  readonly skipEmpty: readonly ColumnIndex[];
  /** Of several rows for one bar or instant the last is taken, and counted. */
  readonly duplicate?: "last";
}

export type IntervalSpec =
  | { readonly from: "constant"; readonly ms: number }
  /** Last millisecond of the interval, as Binance states it; interval = closeTime - time + 1. */
  | { readonly from: "closeTime"; readonly column: ColumnIndex }
  | { readonly from: "hours"; readonly column: ColumnIndex };

/** Prices of an interval. */
export interface CandleSpec extends StreamBase {
  readonly kind: "bar" | "mark" | "index";
  readonly shape: "candle";
  /** What `time` states. */
  readonly label: "open" | "close";
  readonly interval: IntervalSpec;
  readonly open: ColumnIndex;
  readonly high: ColumnIndex;
  readonly low: ColumnIndex;
  readonly close: ColumnIndex;
  /** Only for bars. */
  readonly size?: SizeSpec;
  /** An open outside low..high is moved to the nearer of the two instead of being refused. */
  readonly clampOpen: boolean;
}

/** A reference price at an instant. */
export interface PointSpec extends StreamBase {
  readonly kind: "mark" | "index";
  readonly shape: "point";
  readonly price: ColumnIndex;
  /** Expected distance of the points, for gaps; 0 where there is none. */
  readonly spacingMs: number;
  /** Of several points at one time the last is taken, and no other is a finding. */
  readonly takesLast?: true;
}

export interface TradeSpec extends StreamBase {
  readonly kind: "trade";
  readonly shape: "trade";
  readonly price: ColumnIndex;
  readonly size: SizeSpec;
  /** Column whose value is the taker's side; absent if the file has none. */
  readonly side?: ColumnIndex;
  readonly id?: ColumnIndex;
  readonly ids: IdRule;
}

export interface FundingSpec extends StreamBase {
  readonly kind: "funding";
  readonly shape: "funding";
  readonly rate: ColumnIndex;
  readonly interval: IntervalSpec;
  /** Time of the first settlement of a day; later ones follow at whole intervals. */
  readonly offsetMs: number;
}

/**
 * Order of the ids of a book's updates. Either each names the one that it follows, each is one more than the one before
 * it, they rise with holes, or there are none.
 */
export type UpdateRule = "chained" | "contiguous" | "rising" | "none";

/** Which rows belong to snapshots of the whole book: all, those with 1 in a column, or none. */
export type SnapshotRows = "all" | "none" | ColumnIndex;

/** Levels of an order book, one a row: a change, or a part of a snapshot. */
export interface DepthSpec extends StreamBase {
  readonly kind: "depth";
  readonly shape: "depth";
  readonly price: ColumnIndex;
  /** Size that the level has now; 0 where it is gone. */
  readonly size: SizeSpec;
  /** 1 bid, -1 ask. */
  readonly side: ColumnIndex;
  readonly snapshot: SnapshotRows;
  /**
   * Rows of a snapshot may differ in time: it ends with the first row of none. Default: also with another id or time.
   */
  readonly snapshotIsRun?: true;
  /** Without a snapshot the book is empty at first, instead of unknown. */
  readonly startsEmpty: boolean;
  readonly id?: ColumnIndex;
  readonly previous?: ColumnIndex;
  readonly updates: UpdateRule;
}

/** Columns of one level; NaN in both where a side has fewer levels. */
export interface LevelColumns {
  readonly price: ColumnIndex;
  readonly size: SizeSpec;
}

/** The best levels of a book, a snapshot a row. */
export interface LevelsSpec extends StreamBase {
  readonly kind: "depth";
  readonly shape: "levels";
  /** From the best price on. */
  readonly bids: readonly LevelColumns[];
  readonly asks: readonly LevelColumns[];
  readonly id?: ColumnIndex;
}

/** Best bid and best ask. */
export interface QuoteSpec extends StreamBase {
  readonly kind: "quote";
  readonly shape: "quote";
  readonly bid: LevelColumns;
  readonly ask: LevelColumns;
  /** A row has one side, 1 bid or -1 ask, and the other stays as it was. */
  readonly side?: ColumnIndex;
  readonly id?: ColumnIndex;
}

/** Named values that the venue does not use: one event for each value of a row. */
export interface SeriesSpec extends StreamBase {
  readonly kind: "series";
  readonly shape: "series";
  /** Columns of exact values. */
  readonly values: readonly ColumnIndex[];
  /** Column with the number of the group that a row belongs to; absent where all rows are alike. */
  readonly group?: ColumnIndex;
  /** Names of the series, by group, then by value. */
  readonly names: readonly string[];
  /** A row covers a time that begins at its own, and is not known before its end; absent for a sample. */
  readonly covers?: IntervalSpec;
  /** How long after that a value is known, ms. */
  readonly delayMs: number;
  /** What the delay counts from, for the note of the layout; absent in mappings, which have notes of their own. */
  readonly knownAfter?: string;
  /** Expected distance of the values of a series, for gaps; 0 where there is none, or where a row covers a time. */
  readonly spacingMs: number;
}

export type StreamSpec =
  | SeriesSpec
  | CandleSpec
  | PointSpec
  | TradeSpec
  | FundingSpec
  | DepthSpec
  | LevelsSpec
  | QuoteSpec;

/** Where the rows of a JSON file are. */
export interface JsonSpec {
  /** A value on each line, or the elements of one array. */
  readonly in: "lines" | "array";
  /** Path of that array; absent where the document is the array. */
  readonly array?: string;
  /** Arrays of each value whose elements are the rows; absent where a value is a row. */
  readonly rows?: readonly string[];
}

/** A layout bound to one file: its columns are in the order of the file. */
export interface Layout {
  readonly name: string;
  readonly columns: readonly LayoutColumn[];
  readonly header: boolean;
  /** Byte between cells. */
  readonly separator: number;
  readonly streams: readonly StreamSpec[];
  /** Lines before the header, or before the first row where there is none. */
  readonly skipLines?: number;
  /** The file begins with its latest row. */
  readonly newestFirst?: boolean;
  /** Column with the time of day, which is added to that of the date. */
  readonly timeOfDay?: { readonly date: ColumnIndex; readonly time: ColumnIndex };
  /** Column with the time at which a recorder received a row. */
  readonly received?: ColumnIndex;
  /** Columns by which rows are chosen. */
  readonly where?: readonly ColumnIndex[];
  /** The file is JSON; names of columns are then paths. */
  readonly json?: JsonSpec;
  readonly allow: readonly FindingKind[];
  readonly notes: readonly string[];
  readonly mappingSha256?: string;
}
