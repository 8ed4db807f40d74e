/**
 * Market data as the rest of the project reads it: a stream of events in one total order, in chunks of typed columns. A
 * manifest has the source of every row and the findings in it.
 *
 * **Total order.** Events are ordered by
 *
 *   1. `timeMs`, when the fact was known (a bar is known at its close, at `openTime + interval`);
 *   2. the rank of the kind: index, mark, funding, trade, depth, quote, series, bar (the order of `EVENT_KINDS`);
 *   3. the sequence: the order in which the sources were given, then the order of the rows in the source.
 *
 * At one instant reference prices are therefore known before funding is settled on them, and funding is settled before
 * anyone trades. A trade comes before the change of the book that it causes, and a quote after the book that shows it.
 * A bar is the last event at its instant and is unknown before it: its open is not visible early.
 */

/** Kinds of events. The number is stored on tape. */
export const EventKind = {
  index: 1,
  mark: 2,
  funding: 3,
  trade: 4,
  depth: 5,
  bar: 6,
  quote: 7,
  series: 8,
} as const;

/** Name of a kind of events. */
export type EventKindName = keyof typeof EventKind;
/** Number of a kind of events, as a tape stores it. */
export type EventKindCode = (typeof EventKind)[EventKindName];

/** The kinds in the order of their rank. */
export const EVENT_KINDS: readonly EventKindName[] = [
  "index",
  "mark",
  "funding",
  "trade",
  "depth",
  "quote",
  "series",
  "bar",
];

/** Name of a kind by its number. */
export const KIND_NAMES: ReadonlyMap<number, EventKindName> = new Map(
  EVENT_KINDS.map((kind) => [EventKind[kind], kind]),
);

/** Numbers of the kinds whose prices and sizes are on the grid of their market. */
export const GRID_KINDS: ReadonlySet<number> = new Set([
  EventKind.trade,
  EventKind.bar,
  EventKind.depth,
  EventKind.quote,
]);

/** No event of any kind. */
export const NO_EVENTS: Readonly<Record<EventKindName, number>> = {
  index: 0,
  mark: 0,
  funding: 0,
  trade: 0,
  depth: 0,
  quote: 0,
  series: 0,
  bar: 0,
};

/** Bits of the column `flags` of a depth event. */
export const BookFlag = {
  /** The row belongs to a snapshot of the whole book. */
  snapshot: 1,
  /** The first row of a snapshot: every level before it is gone. */
  first: 2,
  /** Changes before this row are missing: levels may be wrong until the next snapshot. */
  gap: 4,
} as const;

/**
 * Consecutive events as columns; row `i` of every column belongs to one event, and rows 0 .. count - 1 are valid. All
 * numbers are exact integers. A column that a kind does not use is 0 in its rows. Chunks are for reading: the producer
 * never reuses the arrays, and columns that no row of a chunk uses may share one array of zeros.
 *
 * | kind    | price      | size   | side  | open, high, low        | rate | intervalMs            | id         |
 * |---------|------------|--------|-------|------------------------|------|-----------------------|------------|
 * | index   | index      |        |       | of the interval, or 0  |      | 0 for a point sample  |            |
 * | mark    | mark       |        |       | of the interval, or 0  |      | 0 for a point sample  |            |
 * | funding |            |        |       |                        | rate | length of the period  |            |
 * | trade   | trade      | size   | taker |                        |      |                       | of the venue, or 0 |
 * | depth   | level      | new size of the level; 0 where it is gone | book |  |  |                | of the update, or 0 |
 * | quote   | best price, 0 for none | size there | book |        |      |                       | of the update, or 0 |
 * | bar     | close      | volume |       | of the bar             |      | length of the bar     |            |
 * | series  | whole part | fraction |     |                        |      | how late it is known  | of the series |
 *
 * A quote is two rows with one time: first the best bid, then the best ask.
 *
 * A value of a series has a name and no unit, so it has two words: its whole part, at most `LIMIT`, and its fraction in
 * 1e-15, both with its sign. Its `id` is the place of its series in `manifest.series`. Its own time is `timeMs -
 * intervalMs`.
 */
export interface EventChunk {
  readonly count: number;
  /** `EventKind`. */
  readonly kind: Uint8Array;
  /** Index into `manifest.markets`. */
  readonly market: Uint16Array;
  /** Side of the taker of a trade: 1 buy, -1 sell, 0 not known. Side of a level or a quote: 1 bid, -1 ask. */
  readonly side: Int8Array;
  /** Milliseconds since 1970-01-01T00:00:00Z; never falls from row to row, nor from chunk to chunk. */
  readonly timeMs: Float64Array;
  /** 1e-8 USD per unit of base (`PriceE8`). */
  readonly price: Float64Array;
  /**
   * 1e-8 units of base (`SizeE8`). The volume of a bar may exceed `LIMIT` (9e15): it is an exact integer all the same,
   * up to 2.3e18, because the reader refuses a volume that a double cannot hold.
   */
  readonly size: Float64Array;
  /** First price of the interval, 1e-8 USD. */
  readonly open: Float64Array;
  /** Highest price of the interval, 1e-8 USD. */
  readonly high: Float64Array;
  /** Lowest price of the interval, 1e-8 USD. */
  readonly low: Float64Array;
  /** Funding rate of the whole period `intervalMs`, parts per billion (`Ppb`); longs pay when positive. */
  readonly rate: Float64Array;
  /** Length of the bar or of the funding period. A bar covers [timeMs - intervalMs, timeMs). */
  readonly intervalMs: Float64Array;
  /** The venue's id of a trade, or of an update of the book. */
  readonly id: Float64Array;
  /** `BookFlag` of depth events. */
  readonly flags: Uint8Array;
}

/** Kinds of events that can drive a market. Of those that it has, the first does. */
export const DRIVERS = ["depth", "quote", "trade", "bar", "mark", "index"] as const;
export type Driver = (typeof DRIVERS)[number];

/** The first event of those that drive a market. */
export interface MarketStart {
  /**
   * An order book, its best prices, trades, bars, or, where it has none, reference prices: then no order trades in it.
   */
  readonly driver: Driver;
  /** Length of the bars that drive it; 0 where trades or single prices do. */
  readonly intervalMs: number;
  /** First price of the driver, 1e-8 USD; 0 where the range has none. */
  readonly firstPrice: number;
  /** When that price is there; Infinity where the range has none. */
  readonly fromMs: number;
}

/** A named series of a market: values that the venue does not use, for strategies to read. */
export interface SeriesSummary {
  readonly market: string;
  readonly name: string;
  /** Values. */
  readonly events: number;
  /** When the first and the last value were known; 0 without values. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** A market of a stream, with what its rows show. */
export interface MarketSummary {
  readonly name: string;
  /**
   * Greatest common divisor of the prices of trades, bars, levels and quotes, 1e-8 USD; 0 without any. A tick must
   * divide it.
   */
  readonly priceStep: number;
  /** Greatest common divisor of the sizes of trades, bars, levels and quotes, 1e-8 base; 0 without any. */
  readonly sizeStep: number;
  /** Events by kind. */
  readonly events: Readonly<Record<EventKindName, number>>;
  /** Time of the first and of the last event. Series count only where a market has nothing else. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Undefined where nothing drives the market, and in tapes of version 1, which have to be read for it. */
  readonly start?: MarketStart;
}

/** What can be wrong with a row or between rows. */
export type FindingKind =
  | "malformed" // a value or a row that is not what the layout says
  | "precision" // more digits than the scale holds
  | "unsorted" // an event earlier than the one before it
  | "rounded" // a volume of more digits than a double has, or a rate of more digits than the scale has: rounded toward zero
  | "duplicate" // a second row equal to an earlier one
  | "conflict" // a second row for the same bar, instant or trade id, with other contents
  | "idOrder" // a trade id below an earlier one, where the layout says that ids rise
  | "badOhlc" // open or close outside low..high, or low above high
  | "unitSwitch" // the time unit changes inside the file
  | "nullRow" // a row without values, as some venues write for an idle or down minute
  | "gap" // an expected row, trade id or update of the book is missing
  | "stale" // a change of the book that comes before its first snapshot, or that the snapshot has already
  | "offSchedule" // a funding time that is not on the schedule of its interval
  | "clock" // a row that was received before the venue sent it, or before the row above it
  | "oneSided"; // trades that all have the same taker side

/** Findings of one kind in one source. */
export interface Finding {
  readonly kind: FindingKind;
  /** Index into `manifest.sources`. */
  readonly source: number;
  /** How many rows (for a gap: how many gaps). */
  readonly count: number;
  /**
   * What was done with them: "skipped", "truncated toward zero", "kept the first", "kept", "open clamped", "not
   * filled", …
   */
  readonly treatment: string;
  /** The first few, in order. */
  readonly samples: readonly FindingSample[];
}

/** One place at which a finding occurred. */
export interface FindingSample {
  /** Line of the file, from 1, header included. */
  readonly line: number;
  /** Column by its name in the layout; empty when the row as a whole is meant. */
  readonly column: string;
  readonly reason: string;
}

/** Which kinds of findings are not errors. Recorded in the manifest. */
export interface QualityPolicy {
  /** Errors by default that become findings. `unitSwitch` cannot be allowed. */
  readonly allow?: readonly FindingKind[];
  /**
   * Findings by default (`gap`, `nullRow`, `rounded`, `offSchedule`, `stale`, `clock`, `oneSided`) that become errors.
   */
  readonly deny?: readonly FindingKind[];
}

/** One file to read. */
export interface SourceFile {
  readonly path: string;
  /** Name of the market; by default derived from the file name. */
  readonly market?: string;
  /**
   * Name of a known layout (`aggTrades`, `markPriceKlines`, ...), or path of a mapping file (`.yaml`, `.yml`). Default:
   * sniffed.
   */
  readonly layout?: string;
  /** How long after its own time a value of a series is known, ms. Default: that of the layout. */
  readonly delayMs?: number;
}

/** A file as it was read. */
export interface SourceSummary {
  /** File name without folders. */
  readonly file: string;
  readonly market: string;
  /** Layout or mapping by name. */
  readonly layout: string;
  /** SHA-256 of the mapping file, where one was used. */
  readonly mappingSha256?: string;
  /** `scanner` for plain numeric text, `csv` for quoted text. */
  readonly dialect: "scanner" | "csv" | "json" | "parquet";
  readonly bytes: number;
  readonly sha256: string;
  /** Data rows in the file, header not counted, skipped rows counted. */
  readonly rows: number;
  readonly events: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** Sentences that belong in the assumptions of every report made from this file. */
  readonly notes: readonly string[];
}

/** Everything about a stream that is not a row. */
export interface TapeManifest {
  readonly format: "perplab-tape";
  /** 2 has the start of each market, 3 order books, 4 series. */
  readonly version: 1 | 2 | 3 | 4;
  readonly markets: readonly MarketSummary[];
  /** By the `id` of their events; absent without series. */
  readonly series?: readonly SeriesSummary[];
  readonly sources: readonly SourceSummary[];
  readonly events: number;
  readonly counts: Readonly<Record<EventKindName, number>>;
  /** Time of the first and of the last event; 0 without events. Series count only where there is nothing else. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly quality: {
    readonly allow: readonly FindingKind[];
    readonly deny: readonly FindingKind[];
    readonly findings: readonly Finding[];
  };
  /** Scales of the integer columns, as powers of ten. */
  readonly scales: { readonly price: 8; readonly size: 8; readonly rate: 9; readonly time: "ms"; readonly series?: 15 };
}

/** Half-open range of time: fromMs <= timeMs < toMs. */
export interface TimeRange {
  readonly fromMs?: number;
  readonly toMs?: number;
}

/** A stream of events that can be read any number of times: a tape, or source files read directly. */
export interface EventSource {
  readonly manifest: TapeManifest;
  /**
   * The events in total order, in chunks of at most 65,536 rows; memory does not grow with the stream.
   * Integrity is checked as the stream is read: a damaged tape chunk or a source file that changed is an error.
   */
  chunks(range?: TimeRange): AsyncIterable<EventChunk>;
  /** Releases the file. */
  close(): Promise<void>;
}

/** How far a long operation is. */
export interface ImportProgress {
  /** Bytes of the source files as stored (compressed where they are). */
  readonly bytesDone: number;
  readonly bytesTotal: number;
  readonly rows: number;
}

/** Source files to read, and how. */
export interface ReadOptions extends QualityPolicy {
  readonly sources: readonly SourceFile[];
  readonly onProgress?: (progress: ImportProgress) => void;
}

/** Source files to import, and the tape to write. */
export interface ImportOptions extends ReadOptions {
  /** Path of the tape to write; it appears only when it is complete. */
  readonly out: string;
}

/*
 * Entry points (see index.ts):
 *   importFiles(options: ImportOptions): Promise<TapeManifest>    source files to a tape
 *   openTape(path: string): Promise<EventSource>                  a tape as a stream
 *   readSources(options: ReadOptions): Promise<EventSource>       source files as a stream, without a tape
 *   openData(paths: readonly string[], policy?): Promise<EventSource>   whichever of the two the arguments are
 *   parseSource(text: string): SourceFile                         "[MARKET[:LAYOUT[+DELAY]]=]PATH" of the command line
 * Every failure is a DataError with code, file, line, column and hint.
 */
