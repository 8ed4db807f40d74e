/**
 * The form of a mapping file: a YAML page with the meaning of the columns of some CSV, JSON or Parquet. With it a file
 * of any origin can be read without code. Strict: an unknown key is an error. `data/README.md` explains every key with
 * examples.
 */
import { type Static, type TSchema, Type } from "typebox";

const strict = { additionalProperties: false };
const Text = Type.String({ minLength: 1, maxLength: 400 });
const Name = Type.String({ pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$" });

/** A column by its name in the header, by its number from 1 where there is no header, or by its path in JSON. */
const Column = Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Integer({ minimum: 1, maximum: 1000 })]);
/** A length of time: `30s`, `1m`, `5m`, `1h`, `8h`, `1d`. */
const Duration = Type.String({ pattern: "^[1-9][0-9]{0,5}(ms|s|m|h|d)$" });
const Decimal = Type.String({ pattern: "^[0-9]{1,12}(\\.[0-9]{1,12})?$" });
/** Power of ten that the column is to be multiplied by: -8 for satoshi. */
const Scale = Type.Integer({ minimum: -8, maximum: 8 });

const Price = Type.Union([Column, Type.Object({ column: Column, scale: Type.Optional(Scale) }, strict)]);

const Size = Type.Union([
  Column,
  Type.Object({ column: Column, unit: Type.Literal("base"), scale: Type.Optional(Scale) }, strict),
  Type.Object({ column: Column, unit: Type.Literal("quote"), scale: Type.Optional(Scale) }, strict),
  Type.Object({ column: Column, unit: Type.Literal("contracts"), multiplier: Decimal }, strict),
  Type.Object({ constant: Decimal }, strict),
]);

const Time = Type.Object(
  {
    column: Column,
    unit: Type.Union(["s", "ms", "us", "ns", "iso", "text"].map((unit) => Type.Literal(unit))),
    /** Form of a `text` time, such as `DD/MM/YYYY HH:mm:ss`. */
    format: Type.Optional(Type.String({ minLength: 4, maxLength: 40 })),
    /** The time of day is in a column of its own; `format` is then that of both, with a space between them. */
    timeColumn: Type.Optional(Column),
    /** When a recorder received the row, to be compared with the time. */
    received: Type.Optional(
      Type.Object(
        { column: Column, unit: Type.Union(["s", "ms", "us", "ns"].map((unit) => Type.Literal(unit))) },
        strict,
      ),
    ),
    /** What a count counts from, instead of 1970: a date, or `fileName` for the date in the name of the file. */
    since: Type.Optional(Type.String({ minLength: 8, maxLength: 40 })),
    /** Zone of `iso` and `text` times and of `since` without a designator: `UTC` or an offset such as `+08:00`. */
    zone: Type.Optional(Type.String({ pattern: "^(UTC|Z|[+-][0-9]{2}:[0-9]{2})$" })),
  },
  strict,
);

const Words = Type.Array(Type.String({ minLength: 1, maxLength: 20 }), { minItems: 1, maxItems: 8 });
const Side = Type.Union([
  /** Words for the side of the taker. */
  Type.Object({ column: Column, buy: Words, sell: Words }, strict),
  /** Words for whether the buyer was the maker. */
  Type.Object({ buyerIsMaker: Column }, strict),
]);

/** Leave out rows in which an amount of this stream is empty; each counts as a finding. */
const skipEmpty = Type.Optional(Type.Boolean());

/** Of several rows for one bar or instant: `last` takes the last, and counts the others. By default they are errors. */
const duplicate = Type.Optional(Type.Literal("last"));

const TradesStream = Type.Object(
  {
    kind: Type.Literal("trades"),
    skipEmpty,
    price: Price,
    size: Size,
    side: Type.Optional(Side),
    id: Type.Optional(
      Type.Object(
        { column: Column, rule: Type.Union(["contiguous", "rising", "unique"].map((rule) => Type.Literal(rule))) },
        strict,
      ),
    ),
  },
  strict,
);

const candle = {
  skipEmpty,
  duplicate,
  label: Type.Union([Type.Literal("open"), Type.Literal("close")]),
  interval: Duration,
  open: Price,
  high: Price,
  low: Price,
  close: Price,
  /** What to do with an open outside low..high: `refuse` (the default) or `clamp` it to the nearer bound. */
  openOutside: Type.Optional(Type.Union([Type.Literal("refuse"), Type.Literal("clamp")])),
};

const BarsStream = Type.Object({ kind: Type.Literal("bars"), ...candle, volume: Size }, strict);
const ReferenceKind = Type.Union([Type.Literal("mark"), Type.Literal("index")]);
const CandleReferenceStream = Type.Object({ kind: ReferenceKind, ...candle }, strict);
const PointReferenceStream = Type.Object(
  {
    kind: ReferenceKind,
    skipEmpty,
    duplicate,
    price: Price,
    /** Distance at which points are expected; without it gaps are not looked for. */
    spacing: Type.Optional(Duration),
  },
  strict,
);

const FundingStream = Type.Object(
  {
    kind: Type.Literal("funding"),
    skipEmpty,
    duplicate,
    rate: Type.Object(
      {
        column: Column,
        /** A percent sign after the number is accepted with `percent`. */
        unit: Type.Union(["fraction", "percent", "bps"].map((unit) => Type.Literal(unit))),
      },
      strict,
    ),
    /** Period that the rate is for. */
    interval: Type.Union([Duration, Type.Object({ hoursColumn: Column }, strict)]),
    /** The column is a running rate: only rows at whole multiples of this since midnight UTC settle. */
    settleEvery: Type.Optional(Duration),
    /** Time of the first settlement of a day after midnight UTC: `4h` for 04:00, 12:00 and 20:00. */
    offset: Type.Optional(Duration),
  },
  strict,
);

const Rule = (...rules: string[]) => Type.Union(rules.map((rule) => Type.Literal(rule)));
/** Words for the side of a level. */
const BookSide = Type.Object({ column: Column, bid: Words, ask: Words }, strict);
const UpdateId = Type.Union([
  Type.Object({ column: Column, rule: Rule("contiguous", "rising") }, strict),
  /** Each update names the one that it follows. */
  Type.Object({ column: Column, previous: Column }, strict),
]);

/** Changes of an order book, or snapshots of it, one level a row. */
const ChangesStream = Type.Object(
  {
    kind: Type.Literal("depth"),
    skipEmpty,
    price: Price,
    /** The size that the level has now: 0 where it is gone. */
    size: Size,
    side: BookSide,
    /** `all` rows are of snapshots, or those with these words in a column. Default: none is. */
    snapshot: Type.Optional(
      Type.Union([Type.Literal("all"), Type.Object({ column: Column, yes: Words, no: Words }, strict)]),
    ),
    /** The book is empty before the first change. Default: it is not known before the first snapshot. */
    startsEmpty: Type.Optional(Type.Boolean()),
    id: Type.Optional(UpdateId),
  },
  strict,
);

/** Name of the columns of a side's levels: `{i}` is the number of the level. */
const LevelName = Type.String({ minLength: 4, maxLength: 100, pattern: "\\{i\\}" });
const LevelSize = Type.Union([
  LevelName,
  Type.Object({ column: LevelName, unit: Type.Literal("base"), scale: Type.Optional(Scale) }, strict),
  Type.Object({ column: LevelName, unit: Type.Literal("quote"), scale: Type.Optional(Scale) }, strict),
  Type.Object({ column: LevelName, unit: Type.Literal("contracts"), multiplier: Decimal }, strict),
]);
const LevelNames = Type.Object({ price: LevelName, size: LevelSize }, strict);

/** The best levels of an order book, all in each row. */
const LevelsStream = Type.Object(
  {
    kind: Type.Literal("depth"),
    /** Levels of a side. */
    levels: Type.Integer({ minimum: 1, maximum: 1000 }),
    /** Number of the best level in the names of the columns. */
    firstLevel: Type.Optional(Type.Union([Type.Literal(0), Type.Literal(1)])),
    bids: LevelNames,
    asks: LevelNames,
    id: Type.Optional(Column),
  },
  strict,
);

const Best = Type.Object({ price: Price, size: Size }, strict);

/** Best bid and best ask. */
const QuotesStream = Type.Object(
  { kind: Type.Literal("quotes"), bid: Best, ask: Best, id: Type.Optional(Column) },
  strict,
);

/** The best price of one side in each row, while the other stays as it was. */
const OneSidedQuotesStream = Type.Object(
  { kind: Type.Literal("quotes"), side: BookSide, price: Price, size: Size, id: Type.Optional(Column) },
  strict,
);

/** Name of a series, as strategies read it. */
const SeriesName = Type.String({ pattern: "^[A-Za-z][A-Za-z0-9_.-]{0,63}$" });

/** Values that strategies read by name. */
const SeriesStream = Type.Object(
  {
    kind: Type.Literal("series"),
    /** Empty cells are no values, and are counted. Default: they are errors. */
    skipEmpty,
    /** Columns by the names of their series. */
    values: Type.Record(SeriesName, Column, { minProperties: 1, maxProperties: 64, ...strict }),
    /** How long after its time a row is known: `0s` for at once. A row that covers a time is known at its end. */
    delay: Type.String({ pattern: "^[0-9]{1,6}(ms|s|m|h|d)$" }),
    /** Distance at which values are expected; without it gaps are not looked for. */
    spacing: Type.Optional(Duration),
  },
  strict,
);

/** A path of fields in JSON: `data.list`, `levels[0]`. */
const Path = Type.String({ minLength: 1, maxLength: 200 });
const Json = Type.Object(
  {
    /** A value on each line, or the elements of one array. */
    in: Rule("lines", "array"),
    /** Path of that array. Default: the document is the array. */
    array: Type.Optional(Path),
    /** Arrays of each value whose elements are the rows. Default: a value is a row. */
    rows: Type.Optional(Type.Array(Path, { minItems: 1, maxItems: 8 })),
  },
  strict,
);

const Word = Type.Union([Type.String({ minLength: 1, maxLength: 64 }), Type.Number(), Type.Boolean()]);
/** Texts of columns in the rows that are read; all others are passed over. */
const Where = Type.Record(
  Type.String({ minLength: 1, maxLength: 200 }),
  Type.Union([Word, Type.Array(Word, { minItems: 1, maxItems: 100 })]),
  { minProperties: 1, maxProperties: 8 },
);

/** The page as a whole; each stream is then checked against the schema of its kind. */
const MappingPage = Type.Object(
  {
    mapping: Name,
    about: Type.Optional(Text),
    /** The first row names the columns. Of Parquet always, of JSON never. */
    header: Type.Optional(Type.Boolean()),
    json: Type.Optional(Json),
    /** Number of columns, where there is no header. */
    columns: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    /** Lines before the header, or before the first row. */
    skipLines: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    /** The file begins with its newest row. */
    order: Type.Optional(Type.Union([Type.Literal("oldestFirst"), Type.Literal("newestFirst")])),
    /** The point of its numbers. */
    decimal: Type.Optional(Type.Union([Type.Literal("."), Type.Literal(",")])),
    where: Type.Optional(Where),
    /** `where` with one column: of a file with several instruments the rows of one. */
    symbol: Type.Optional(Type.Object({ column: Column, take: Type.String({ minLength: 1, maxLength: 64 }) }, strict)),
    separator: Type.Optional(Type.Union([",", ";", "\t", "|"].map((text) => Type.Literal(text)))),
    /** Accept `1e-05` and read it exactly. */
    exponents: Type.Optional(Type.Boolean()),
    /** Accept a plus sign in front of a number. */
    plusSigns: Type.Optional(Type.Boolean()),
    /** Columns that are empty in a row without values. */
    nullWhenEmpty: Type.Optional(Type.Array(Column, { minItems: 1, maxItems: 8 })),
    time: Time,
    streams: Type.Array(Type.Object({ kind: Type.String() }), { minItems: 1, maxItems: 8 }),
    /** Findings that are no errors in this file. */
    allow: Type.Optional(
      Type.Array(
        Type.Union(
          ["malformed", "precision", "unsorted", "duplicate", "conflict", "idOrder", "badOhlc"].map((kind) =>
            Type.Literal(kind),
          ),
        ),
      ),
    ),
    /** Sentences that every report made from the file repeats. */
    notes: Type.Optional(Type.Array(Text, { maxItems: 20 })),
  },
  strict,
);

export type ColumnRef = Static<typeof Column>;
export type PriceRef = Static<typeof Price>;
export type SizeRef = Static<typeof Size>;
export type TradesStream = Static<typeof TradesStream>;
export type BarsStream = Static<typeof BarsStream>;
export type CandleReferenceStream = Static<typeof CandleReferenceStream>;
export type PointReferenceStream = Static<typeof PointReferenceStream>;
export type FundingStream = Static<typeof FundingStream>;
export type ChangesStream = Static<typeof ChangesStream>;
export type LevelsStream = Static<typeof LevelsStream>;
export type QuotesStream = Static<typeof QuotesStream> | Static<typeof OneSidedQuotesStream>;
export type BookStream = ChangesStream | LevelsStream | QuotesStream;
export type SeriesStream = Static<typeof SeriesStream>;
export type MappingStream =
  | SeriesStream
  | TradesStream
  | BarsStream
  | CandleReferenceStream
  | PointReferenceStream
  | FundingStream
  | BookStream;
/** A mapping file after it was parsed and checked. */
export type Mapping = Omit<Static<typeof MappingPage>, "streams"> & { readonly streams: readonly MappingStream[] };

export const MAPPING_PAGE: TSchema = MappingPage;

/** The schema of a stream, by its kind and, for reference prices and books, by how its rows are. */
export function streamSchema(stream: { readonly kind: string }): TSchema | undefined {
  switch (stream.kind) {
    case "trades":
      return TradesStream;
    case "bars":
      return BarsStream;
    case "mark":
    case "index":
      return "open" in stream ? CandleReferenceStream : PointReferenceStream;
    case "funding":
      return FundingStream;
    case "depth":
      return "levels" in stream ? LevelsStream : ChangesStream;
    case "series":
      return SeriesStream;
    case "quotes":
      return "side" in stream ? OneSidedQuotesStream : QuotesStream;
    default:
      return undefined;
  }
}

/** JSON Schema of a mapping file, for editors. */
export const mappingSchema: TSchema = Type.Object(
  {
    ...MappingPage.properties,
    streams: Type.Array(
      Type.Union([
        TradesStream,
        BarsStream,
        CandleReferenceStream,
        PointReferenceStream,
        FundingStream,
        ChangesStream,
        LevelsStream,
        QuotesStream,
        OneSidedQuotesStream,
        SeriesStream,
      ]),
      { minItems: 1, maxItems: 8 },
    ),
  },
  strict,
);
