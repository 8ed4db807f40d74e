/**
 * The report of a backtest as plain JSON.
 *
 * Money, prices and sizes are canonical decimal text (USD, USD per base, base). Rates of funding are decimal text too.
 * Times are whole milliseconds since 1970-01-01T00:00:00Z; metrics that are ratios are numbers. The schema is the one
 * source of the types. A change that breaks a reader raises `SCHEMA_VERSION`. Version 3 has the round trips, the
 * deepest drawdowns, and the liquidation price along every market's curve. Version 4 has the figures of the strategy's
 * own with their curves. Version 5 has the reports of the strategies of a run with several. Options that they do not
 * share (latency, seed) are null in the report of all together. Version 6 has what each
 * market was replayed from. Version 7 has latencies that are no constant.
 */
import { type Static, Type } from "typebox";
import { type MetricId, metricDefinitions } from "./metrics/definitions.ts";

export const SCHEMA_VERSION = 7;

const closed = { additionalProperties: false } as const;

/** Canonical decimal text. */
const Text = Type.String({ pattern: "^-?(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?$" });
const Time = Type.Integer();
const Count = Type.Integer({ minimum: 0 });
const Side = Type.Union([Type.Literal("buy"), Type.Literal("sell")]);
const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);

const DataFile = Type.Object(
  {
    name: Type.String(),
    sha256: Type.String(),
    rows: Count,
    fromMs: Nullable(Time),
    toMs: Nullable(Time),
    findings: Type.Array(
      Type.Object(
        {
          kind: Type.String(),
          line: Nullable(Count),
          column: Nullable(Type.String()),
          count: Count,
          sample: Type.String(),
        },
        closed,
      ),
    ),
  },
  closed,
);

/** What a market was replayed from, the coarsest first. */
const Fidelity = Type.Union([
  Type.Literal("bars"),
  Type.Literal("trades"),
  Type.Literal("topOfBook"),
  Type.Literal("orderBook"),
]);
export type Fidelity = Static<typeof Fidelity>;

const Driver = Type.Object(
  {
    fidelity: Type.Array(Type.Object({ market: Type.String(), data: Fidelity }, closed)),
    /**
     * From sending to a block, ms; null where it is no constant. Of several strategies null where they differ, as are
     * leverage and seed.
     */
    latencyMs: Nullable(Type.Number({ minimum: 0 })),
    /** The same as it was given: ms, a distribution, or the name of a file. */
    latency: Nullable(Type.String()),
    leverage: Nullable(Type.Number()),
    makerFee: Text,
    takerFee: Text,
    spreadTicks: Nullable(Type.Number()),
    participation: Nullable(Text),
    impact: Nullable(Type.String()),
    markSource: Type.String(),
    fundingSource: Type.String(),
    blockCadence: Type.String(),
    signatures: Type.Union([Type.Literal("verify"), Type.Literal("elide")]),
    seed: Nullable(Type.String()),
    other: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }, closed)),
  },
  closed,
);

const Run = Type.Object(
  {
    strategy: Type.Object(
      {
        id: Type.String(),
        params: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
      },
      closed,
    ),
    markets: Type.Array(Type.String(), { minItems: 1 }),
    startMs: Time,
    endMs: Time,
    data: Type.Array(DataFile),
    driver: Driver,
    engine: Type.Object(
      {
        protocolVersion: Type.String(),
        genesisHash: Type.String(),
        stateRoot: Type.String(),
        effectsHead: Type.String(),
        blocks: Count,
        transactions: Count,
      },
      closed,
    ),
    performance: Type.Object(
      { wallMs: Type.Number({ minimum: 0 }), peakMemoryBytes: Type.Number({ minimum: 0 }) },
      closed,
    ),
    command: Type.String(),
    assumptions: Type.Array(Type.String()),
    /** What a reader must not miss. */
    notices: Type.Array(Type.String()),
    /** Why the run ended before its data did. */
    stopped: Nullable(
      Type.Object(
        {
          reason: Type.Union([Type.Literal("wipedOut"), Type.Literal("strategyFailed")]),
          height: Count,
          timeMs: Time,
          text: Type.String(),
        },
        closed,
      ),
    ),
  },
  closed,
);

const MetricSchema = Type.Object(
  {
    id: Type.Unsafe<MetricId>(Type.Enum(Object.keys(metricDefinitions))),
    version: Type.Integer({ minimum: 1 }),
    value: Type.Union([Type.Number(), Text, Type.Null()]),
    reason: Type.Optional(Type.String()),
  },
  closed,
);

const Span = Type.Object(
  { peak: Text, trough: Text, peakMs: Time, troughMs: Time, recoveredMs: Nullable(Time) },
  closed,
);

const Summary = Type.Object(
  {
    initialEquity: Text,
    finalEquity: Text,
    finalBuyAndHold: Nullable(Text),
    maxDrawdown: Nullable(Span),
    /** The deepest five, each from its peak to the first time back at it; the deepest first. */
    drawdowns: Type.Array(Span),
    metrics: Type.Array(MetricSchema),
  },
  closed,
);

const AttributionSchema = Type.Object(
  {
    price: Text,
    funding: Text,
    fees: Text,
    liquidation: Text,
    total: Text,
    residual: Text,
    transfers: Text,
    markets: Type.Array(
      Type.Object(
        { market: Type.String(), price: Text, funding: Text, fees: Text, liquidationFees: Text, tradedValue: Text },
        closed,
      ),
    ),
  },
  closed,
);

/** Columns of equal length. */
const AccountSeries = Type.Object(
  {
    timeMs: Type.Array(Time),
    equity: Type.Array(Text),
    balance: Type.Array(Text),
    maintenance: Type.Array(Text),
    /**
     * maintenance / equity of the margin account where it is highest; null when equity is not positive; 0 when flat.
     */
    marginRatio: Type.Array(Nullable(Type.Number())),
    funding: Type.Array(Text),
    fees: Type.Array(Text),
    /** (peak - equity) / peak. */
    drawdown: Type.Array(Type.Number()),
    buyAndHold: Type.Array(Nullable(Text)),
  },
  closed,
);

const MarketSeries = Type.Object(
  {
    market: Type.String(),
    timeMs: Type.Array(Time),
    size: Type.Array(Text),
    mark: Type.Array(Nullable(Text)),
    last: Type.Array(Nullable(Text)),
    funding: Type.Array(Text),
    /** Liquidation price of the position while other marks are unchanged; null where there is none. */
    liquidation: Type.Array(Nullable(Text)),
  },
  closed,
);

/**
 * A position of one market from flat to flat, or through zero. Of a fill through zero, value and fee are shared by
 * size: the part that closes is rounded down, the rest opens the next trip.
 */
const RoundTrip = Type.Object(
  {
    market: Type.String(),
    side: Type.Union([Type.Literal("long"), Type.Literal("short")]),
    entryMs: Time,
    /** Null while the position is open at the end of the run. */
    exitMs: Nullable(Time),
    /** Greatest size of the position. */
    size: Text,
    /**
     * Means over the fills that increased the position, and over those that reduced it, rounded down; null without one.
     */
    entryPrice: Text,
    exitPrice: Nullable(Text),
    /** Value of the fills that increased the position. */
    entryValue: Text,
    fills: Count,
    /** Of prices, without fees and funding; the unrealised part is that of an open trip. */
    realizedPnl: Text,
    unrealizedPnl: Text,
    fees: Text,
    liquidationFees: Text,
    funding: Text,
    /** realizedPnl + unrealizedPnl + funding - fees - liquidationFees. */
    net: Text,
    /** Lowest and highest realised plus unrealised PnL at any block: worst is at most 0, best at least 0. */
    worst: Text,
    best: Text,
    isLiquidated: Type.Boolean(),
  },
  closed,
);

const Fill = Type.Object(
  {
    timeMs: Time,
    market: Type.String(),
    side: Side,
    size: Text,
    price: Text,
    value: Text,
    fee: Text,
    role: Type.Union([Type.Literal("maker"), Type.Literal("taker")]),
    realizedPnl: Text,
    orderId: Type.String(),
    liquidationId: Nullable(Type.String()),
    liquidationFee: Text,
  },
  closed,
);

const Liquidation = Type.Object(
  {
    id: Type.String(),
    timeMs: Time,
    market: Type.String(),
    side: Type.Union([Type.Literal("long"), Type.Literal("short")]),
    size: Text,
    mark: Text,
    equity: Text,
    maintenance: Text,
    stages: Type.Array(Type.String()),
    fills: Type.Array(
      Type.Object({ timeMs: Time, kind: Type.String(), size: Text, price: Text, value: Text, fee: Text }, closed),
    ),
    insuranceDelta: Text,
    deficit: Text,
  },
  closed,
);

const Events = <T extends Parameters<typeof Type.Array>[0]>(item: T) =>
  Type.Object(
    { /** How many there were; `kept` may hold fewer, evenly spread. */ total: Count, kept: Type.Array(item) },
    closed,
  );

const fields = {
  kind: Type.Literal("backtest"),
  schemaVersion: Type.Literal(SCHEMA_VERSION),
  run: Run,
  summary: Summary,
  attribution: AttributionSchema,
  account: AccountSeries,
  markets: Type.Array(MarketSeries),
  daily: Type.Array(
    Type.Object({ timeMs: Time, equity: Text, buyAndHold: Nullable(Text), funding: Text, fees: Text }, closed),
  ),
  fills: Events(Fill),
  roundTrips: Type.Object(
    {
      /** Closed and open. */
      total: Count,
      open: Count,
      /** Closed trips in the order in which they closed, evenly spread where there were more; then the open ones. */
      kept: Type.Array(RoundTrip),
      /** Net of all trips, kept or not. With `outside` it is the total of the attribution. */
      net: Text,
      /** What belongs to no trip: funding after a close, covered deficits and socialised losses. */
      outside: Text,
    },
    closed,
  ),
  funding: Events(Type.Object({ timeMs: Time, market: Type.String(), rate: Text, amount: Text }, closed)),
  adjustments: Type.Array(Type.Object({ timeMs: Time, kind: Type.String(), amount: Text }, closed)),
  liquidations: Events(Liquidation),
  insurance: Events(Type.Object({ timeMs: Time, cause: Type.String(), amount: Text, balance: Text }, closed)),
  /** Figures of the strategy's own, in the order of their first values. */
  ownMetrics: Type.Array(
    Type.Object(
      {
        name: Type.String(),
        count: Count,
        last: Type.Number(),
        least: Type.Number(),
        greatest: Type.Number(),
        mean: Type.Number(),
        /** Thinned so that every extreme is kept. */
        timeMs: Type.Array(Time),
        values: Type.Array(Type.Number()),
      },
      closed,
    ),
  ),
  orders: Type.Object(
    {
      placed: Count,
      amended: Count,
      cancelled: Count,
      expired: Count,
      /** Orders and amendments that were refused. All that were sent: placed + amended + refused. */
      refused: Count,
    },
    closed,
  ),
  rejections: Type.Array(
    Type.Object(
      {
        code: Type.String(),
        count: Count,
        /** Orders and amendments refused with this code, of all that were sent; null where none was refused with it. */
        share: Nullable(Type.Number({ minimum: 0, maximum: 1 })),
        firstMs: Time,
        lastMs: Time,
      },
      closed,
    ),
  ),
};

/** The report of one strategy, which has none of others in it. */
const StrategyReport = Type.Object({ ...fields, strategies: Type.Array(Type.Never(), { maxItems: 0 }) }, closed);

/** Schema of a report as JSON; `readReport` checks documents against it. */
export const backtestReportSchema = Type.Object(
  {
    ...fields,
    /**
     * Of a run with several strategies, by name; the report itself is then that of all accounts together. A market of
     * an account is one of its markets, called "<strategy> <market>". Empty for a run of one strategy.
     */
    strategies: Type.Array(Type.Object({ name: Type.String(), report: StrategyReport }, closed)),
  },
  { ...closed, $id: "perplab/backtest-report/5" },
);

/** A report of a run, of one strategy or of several. */
export type BacktestReport = Static<typeof backtestReportSchema>;
export type StrategyReport = Static<typeof StrategyReport>;
export type ReportMetric = BacktestReport["summary"]["metrics"][number];
export type ReportRoundTrip = BacktestReport["roundTrips"]["kept"][number];
export type ReportLiquidation = BacktestReport["liquidations"]["kept"][number];
