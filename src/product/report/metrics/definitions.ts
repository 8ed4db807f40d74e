/** What a metric's value counts. `usd` values are decimal text, all others are numbers. */
export type MetricUnit = "fraction" | "ratio" | "usd" | "count" | "ms";

/** Why a metric has no value. */
export type MetricReason =
  /** Fewer than 14 full UTC days. */
  | "tooFewDays"
  /** Fewer than 10 closed round trips. */
  | "tooFewTrades"
  /** No round trip was closed. */
  | "noRoundTrip"
  /** Daily returns vary by less than 1e-9. */
  | "noVariation"
  /** No day lost money, so there is nothing to divide by. */
  | "noDownside"
  | "noDrawdown"
  /** No round trip lost money. */
  | "noLoss"
  /** Equity was zero or less at some block. */
  | "equityNotPositive"
  /** Money was deposited or withdrawn after the start. */
  | "externalFlow"
  /** No position was ever held. */
  | "noPosition"
  /** No market ever had a mark. */
  | "noPrice"
  /** The account never traded. */
  | "noFill"
  /** The run took no time. */
  | "noTime";

export type MetricGroup = "return" | "risk" | "trading" | "cost";

interface MetricDefinition {
  readonly version: number;
  readonly group: MetricGroup;
  readonly label: string;
  readonly unit: MetricUnit;
  /** One sentence; part of the version: another meaning is another version. */
  readonly definition: string;
}

/** Fewest full UTC days for a ratio of daily returns. */
export const DAYS_MIN = 14;
/** Fewest closed round trips for a ratio of trades. */
export const TRADES_MIN = 10;
/** Markets never close. */
export const PERIODS_PER_YEAR = 365;
export const YEAR_MS = 365 * 86_400_000;
/** Least standard deviation of daily returns that counts as variation. */
export const VARIATION_MIN = 1e-9;

/** Every metric in the order in which reports print them. */
export const metricDefinitions = {
  totalReturn: {
    version: 1,
    group: "return",
    label: "Total return",
    unit: "fraction",
    definition: "Final equity at the mark over initial equity, less one.",
  },
  buyAndHoldReturn: {
    version: 1,
    group: "return",
    label: "Buy and hold",
    unit: "fraction",
    definition:
      "The same money in equal parts in the run's markets from their first mark to the end; no leverage, fees or funding.",
  },
  cagr: {
    version: 1,
    group: "return",
    label: "CAGR",
    unit: "fraction",
    definition: "(final / initial) ^ (365 * 86,400 s / duration) - 1.",
  },
  volatility: {
    version: 2,
    group: "return",
    label: "Volatility",
    unit: "fraction",
    definition:
      "Standard deviation (n - 1) of daily returns between 00:00 UTC samples of equity, times sqrt(365); a run that begins in the first minute of a day has its start as the first sample.",
  },
  sharpe: {
    version: 2,
    group: "return",
    label: "Sharpe",
    unit: "ratio",
    definition: "Mean of daily returns over their standard deviation (n - 1), times sqrt(365); risk-free rate 0.",
  },
  sortino: {
    version: 2,
    group: "return",
    label: "Sortino",
    unit: "ratio",
    definition: "Mean of daily returns over sqrt(sum(min(r, 0)^2) / all days), times sqrt(365); target 0.",
  },
  calmar: {
    version: 1,
    group: "return",
    label: "Calmar",
    unit: "ratio",
    definition: "CAGR over maximum drawdown.",
  },
  maxDrawdown: {
    version: 1,
    group: "risk",
    label: "Max drawdown",
    unit: "fraction",
    definition: "Greatest fall of equity from a peak, relative to the peak, over every block.",
  },
  maxDrawdownDuration: {
    version: 1,
    group: "risk",
    label: "Longest drawdown",
    unit: "ms",
    definition: "Longest time from a peak of equity to the next block at or above it, or to the end.",
  },
  buyAndHoldMaxDrawdown: {
    version: 1,
    group: "risk",
    label: "Max drawdown, buy and hold",
    unit: "fraction",
    definition: "Maximum drawdown of the buy-and-hold curve over every block.",
  },
  peakMarginRatio: {
    version: 1,
    group: "risk",
    label: "Peak margin ratio",
    unit: "fraction",
    definition:
      "Highest maintenance margin over equity, at the end of a block or when a liquidation began; 100 % is the liquidation line.",
  },
  timeNearLiquidation: {
    version: 1,
    group: "risk",
    label: "Time under 1.5x maintenance",
    unit: "ms",
    definition: "Time with equity below 1.5 times the maintenance margin.",
  },
  liquidations: {
    version: 1,
    group: "risk",
    label: "Liquidations",
    unit: "count",
    definition: "Liquidation records of the account.",
  },
  liquidationNotional: {
    version: 1,
    group: "risk",
    label: "Liquidated notional",
    unit: "usd",
    definition: "Value of the account's fills that a liquidation caused.",
  },
  deficit: {
    version: 1,
    group: "risk",
    label: "Deficit after liquidation",
    unit: "usd",
    definition: "Deficits of the account after liquidations, paid by the insurance fund or other accounts.",
  },
  exposure: {
    version: 1,
    group: "trading",
    label: "Time in the market",
    unit: "fraction",
    definition: "Share of the run's time with an open position.",
  },
  fills: { version: 1, group: "trading", label: "Fills", unit: "count", definition: "Fills of the account." },
  roundTrips: {
    version: 1,
    group: "trading",
    label: "Round trips",
    unit: "count",
    definition: "Positions followed from flat to flat, or through zero.",
  },
  winRate: {
    version: 1,
    group: "trading",
    label: "Win rate",
    unit: "fraction",
    definition: "Share of closed round trips with a positive result, net of fees and with funding; draws count.",
  },
  profitFactor: {
    version: 1,
    group: "trading",
    label: "Profit factor",
    unit: "ratio",
    definition: "Sum of winning round trips over sum of losing ones, in USD.",
  },
  expectancy: {
    version: 1,
    group: "trading",
    label: "Expectancy",
    unit: "usd",
    definition: "Mean result of a closed round trip, toward zero to the unit.",
  },
  averageHolding: {
    version: 1,
    group: "trading",
    label: "Average holding",
    unit: "ms",
    definition: "Mean time of a closed round trip.",
  },
  tradedValue: {
    version: 1,
    group: "trading",
    label: "Traded value",
    unit: "usd",
    definition: "Sum of the value of all fills, liquidations included.",
  },
  turnover: {
    version: 1,
    group: "trading",
    label: "Turnover",
    unit: "ratio",
    definition: "Traded value over initial equity.",
  },
  makerShare: {
    version: 1,
    group: "trading",
    label: "Maker share",
    unit: "fraction",
    definition: "Share of the traded value that was filled as maker.",
  },
  rejected: {
    version: 1,
    group: "trading",
    label: "Rejected",
    unit: "count",
    definition: "Transactions of the strategy that the venue refused.",
  },
  makerFees: {
    version: 1,
    group: "cost",
    label: "Maker fees",
    unit: "usd",
    definition: "Fees of maker fills; negative is a rebate.",
  },
  takerFees: { version: 1, group: "cost", label: "Taker fees", unit: "usd", definition: "Fees of taker fills." },
  liquidationFees: {
    version: 1,
    group: "cost",
    label: "Liquidation fees",
    unit: "usd",
    definition: "Fees of liquidation fills, paid to the insurance fund.",
  },
  fundingPaid: {
    version: 1,
    group: "cost",
    label: "Funding paid",
    unit: "usd",
    definition: "Sum of settled funding payments by the account.",
  },
  fundingReceived: {
    version: 1,
    group: "cost",
    label: "Funding received",
    unit: "usd",
    definition: "Sum of settled funding payments to the account.",
  },
} as const satisfies Record<string, MetricDefinition>;

/** Id of a metric, for example `maxDrawdown`. */
export type MetricId = keyof typeof metricDefinitions;

/** The definition with its literal types widened. */
export function getMetricDefinition(id: MetricId): MetricDefinition {
  return metricDefinitions[id];
}
