/**
 * The input that a driver hands over for a report.
 *
 * A driver does four things:
 *
 *     const recorder = createRecorder({ markets: [{ symbol: "BTC-PERP" }], startTimeMs, initialEquity });
 *     // 1. while a block is read:   recorder.recordFill(...), recordFunding(...), recordOrder(...), recordRejection(...)
 *     // 2. when a block is closed:  recorder.recordMarket(0, {...}) for each market, then recorder.recordBlock({...})
 *     // 3. when the run has ended:  const report = createReport({ run, data, driver, engine, ..., recording: recorder.finish() })
 *     // 4. formats.html.render(report)
 *
 * The recorder is bounded in memory however long the run is. Curves are thinned so that every extreme survives. Events
 * beyond `eventsMax` are counted and summed but not kept one by one. Every figure that needs all blocks (drawdown,
 * exposure, margin ratio, daily equity) is computed block by block, so thinning never changes a metric.
 *
 * Units. Everything is a whole number in the units of `ground/math/fixed.ts`:
 *
 *     Amount   1e-6 USD            equity, balance, fee, PnL, funding, notional
 *     SizeE8   1e-8 base           positive is long in positions; always positive in fills
 *     PriceE8  1e-8 USD per base   fill prices too: ticks * tickSize
 *     Ppb      1e-9                funding rate of one interval
 *     timeMs   milliseconds since 1970-01-01T00:00:00Z, as the block states it
 *
 * Signs. Money is seen from the account: positive is what the account gains. The two exceptions are `fee` (positive is
 * what the account pays, negative is a rebate) and `deficit` (positive is what was missing).
 *
 * Conservation. At every block, balance + sum(unrealizedPnl of markets) + fundingAccrued = equity, and from start to
 * end
 *
 *     equity end - initialEquity =   sum(realizedPnl of fills) + unrealizedPnl at the end
 *                                  + sum(funding payments) + fundingAccrued at the end
 *                                  - sum(fee of fills) - sum(liquidationFee of fills)
 *                                  + sum(adjustments) + sum(transfers)
 *
 * The report prints what is left over as the residual of its PnL attribution. It is 0, or the driver missed an event.
 */
import type { Amount, Ppb, Ppm, PriceE8, SizeE8 } from "../../ground/math/fixed.ts";
import type { Fidelity, StrategyReport } from "./model.ts";

/** Everything that makes one report. */
export interface ReportInput {
  readonly strategy: {
    /** `id` of the strategy as it defines itself. Untrusted text: renderers escape it. */
    readonly id: string;
    /** Parameters as the run used them, defaults included. */
    readonly params: Readonly<Record<string, string | number | boolean>>;
  };
  readonly data: readonly DataFileInput[];
  readonly driver: DriverInput;
  readonly engine: EngineInput;
  /** How long this machine took. Kept apart because it is the only part that two equal runs do not share. */
  readonly performance: { readonly wallMs: number; readonly peakMemoryBytes: number };
  /** The exact command that makes this report again, on one line. */
  readonly command: string;
  /** Facts that a reader must know to trust the numbers; one full sentence each. */
  readonly assumptions: readonly string[];
  /** Warnings that a reader must not miss; one full sentence each, shown at the top. */
  readonly notices: readonly string[];
  /** Why the run ended before its data did; null for a run over all of its data. */
  readonly stopped: StopInput | null;
  /** Figures of the strategy's own, in the order of their first values. */
  readonly ownMetrics: readonly OwnMetricInput[];
  readonly recording: Recording;
  /** Reports of the strategies of a run with several, by name; the input is then of all accounts together. */
  readonly strategies?: readonly { readonly name: string; readonly report: StrategyReport }[];
}

/** A figure that a strategy reports by name. */
export interface OwnMetricInput {
  /** Untrusted text: renderers escape it. */
  readonly name: string;
  /** Values reported, of which the curve may have fewer. */
  readonly count: number;
  readonly last: number;
  readonly least: number;
  readonly greatest: number;
  readonly mean: number;
  /** Thinned curve; every extreme is kept. */
  readonly timeMs: Float64Array;
  readonly values: Float64Array;
}

/** The end of a run that did not reach the end of its data. */
export interface StopInput {
  readonly reason: "wipedOut" | "strategyFailed";
  /** The last block. */
  readonly height: number;
  readonly timeMs: number;
  /** One or more full sentences, shown at the top. May hold text of the strategy: renderers escape it. */
  readonly text: string;
}

/** One input file and its faults. */
export interface DataFileInput {
  /** As the user named it. */
  readonly name: string;
  readonly sha256: string;
  readonly rows: number;
  /** First and last time in the file; null when it has no row. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly findings: readonly DataFindingInput[];
}

/** One kind of defect in one file. */
export interface DataFindingInput {
  /** For example `gap`, `duplicate`, `unsorted`, `malformed`, `precision`, `badOhlc`. */
  readonly kind: string;
  /** Where it was seen first; null where a place has no meaning (a gap between two files). Lines count from 1. */
  readonly line: number | null;
  readonly column: string | null;
  readonly count: number;
  /** The text that was read at the first place, or a short explanation. Untrusted. */
  readonly sample: string;
}

/** How history was turned into blocks. Every value here is printed. */
export interface DriverInput {
  /** The kind of data from which each market was replayed. */
  readonly fidelity: readonly { readonly market: string; readonly data: Fidelity }[];
  /** Null where several strategies differ, as in `leverage` and `seed`. */
  /** Null where latencies vary, or differ between strategies; `latency` is null only where they differ. */
  readonly latencyMs: number | null;
  readonly latency: string | null;
  /** Leverage the account was set to, e.g. 10; null when the strategy chose its own. */
  readonly leverage: number | null;
  readonly makerFee: Ppm;
  readonly takerFee: Ppm;
  /** Distance between the two sides quoted along a bar, in ticks; null when the data is not bars. */
  readonly spreadTicks: number | null;
  /** Share of a bar's volume that can be traded against; null when the data is not bars. */
  readonly participation: Ppm | null;
  /** The rule in words, e.g. `linear, 1 tick per level`; null when the data is not bars. */
  readonly impact: string | null;
  /** Where mark prices come from, e.g. `recorded`, `last trade`. Printed as `mark: last trade`. */
  readonly markSource: string;
  /** Where funding rates come from, e.g. `recorded`, `hyperliquid`, `none`. */
  readonly fundingSource: string;
  /** In words, e.g. `one block per bar point`, `100 ms`. */
  readonly blockCadence: string;
  readonly signatures: "verify" | "elide";
  readonly seed: string | null;
  /** Further settings worth printing, in order. */
  readonly other?: readonly { readonly name: string; readonly value: string }[];
}

/** Values that identify the run exactly. Hashes are `0x` hex text. */
export interface EngineInput {
  readonly protocolVersion: string;
  readonly genesisHash: string;
  readonly stateRoot: string;
  readonly effectsHead: string;
  readonly blocks: number;
  readonly transactions: number;
}

export interface RecorderOptions {
  readonly markets: readonly { readonly symbol: string }[];
  readonly startTimeMs: number;
  /** Equity of the account before the first block: its deposit, flat. */
  readonly initialEquity: Amount;
  /** About how many points a curve keeps; default 4,000, at least 64. */
  readonly pointsMax?: number;
  /** How many fills, funding payments, liquidations and insurance movements are kept each; default 5,000. */
  readonly eventsMax?: number;
  /** Receives every row of the series that the recording only samples. */
  readonly listener?: RecordListener;
  /** Liquidation price of a position, for the points of a market's curve that are kept; without it they have none. */
  readonly liquidationPrice?: (position: MarginedPosition) => PriceE8 | undefined;
}

/** A position, with the values that decide its liquidation price. The object may be reused by the caller. */
export interface MarginedPosition {
  /** Row in `RecorderOptions.markets`. */
  market: number;
  /** Positive is long; not 0. */
  size: SizeE8;
  mark: PriceE8;
  /** Of its margin account, at the same marks. */
  equity: Amount;
  maintenance: Amount;
}

/** Receives the records of a run as they are made, in order and without a bound. It never changes a recording. */
export interface RecordListener {
  /** @param position size after the fill; positive is long */
  onFill?(fill: FillInput, position: SizeE8): void;
  /** The object is used again for the next payment. */
  onFunding?(payment: FundingInput): void;
  onAdjustment?(adjustment: AdjustmentInput): void;
  /** A trip that closed; at the end of the run, one that is open. */
  onRoundTrip?(trip: RoundTrip): void;
  /** Every point of the account's curve. The object is used again for the next one. */
  onPoint?(point: AccountPoint): void;
}

/** The account at a point of its curve, in quote units. */
export interface AccountPoint {
  timeMs: number;
  equity: number;
  balance: number;
  unrealizedPnl: number;
  maintenance: number;
  /** Sums since the start: funding received less paid, and trading and liquidation fees. */
  funding: number;
  fees: number;
  /** Null before the first mark of a market. */
  buyAndHold: number | null;
}

/** A market as the account sees it after a block. The object may be reused by the caller. */
export interface MarketPoint {
  /** Positive is long. Must be the sum of the fills recorded so far: the recorder refuses anything else. */
  size: SizeE8;
  /** 0 while there is none yet. */
  mark: PriceE8;
  /** Last traded price; 0 while there is none yet. */
  last: PriceE8;
  /** Of the open size at the mark, against its entry; without funding and fees. */
  unrealizedPnl: Amount;
  /** Equity and maintenance margin of the margin account that backs the position. Default: those of the account. */
  marginEquity?: Amount;
  marginMaintenance?: Amount;
}

/** The account after a block. The object may be reused by the caller. */
export interface BlockPoint {
  /** Not before the previous block's. */
  timeMs: number;
  /** At the mark, with funding accrued. */
  equity: Amount;
  /** Collateral. */
  balance: Amount;
  /** Maintenance margin of all positions; 0 when flat. */
  maintenance: Amount;
  /**
   * Equity and maintenance margin of the margin account that is nearest to its liquidation, where isolated positions
   * have margin accounts of their own. Default: those of the account.
   */
  riskEquity?: Amount;
  riskMaintenance?: Amount;
  /** Funding owed to (positive) or by the account that is in `equity` but not yet in `balance`. */
  fundingAccrued: Amount;
}

/**
 * Points between which prices move and funding is paid, and nothing else happens, as columns in the order of time. The
 * object may be reused.
 */
export interface PassedPoints {
  readonly count: number;
  readonly times: Float64Array;
  /** Of the account, all of whose positions have one margin account. */
  readonly equity: Float64Array;
  readonly maintenance: Float64Array;
  readonly balance: Float64Array;
  /** By market. */
  readonly markets: readonly PassedMarketPoints[];
  readonly payments: PassedPayments;
}

/** Funding payments at such points, as columns in their order. */
export interface PassedPayments {
  readonly count: number;
  /** The point at whose time it was paid, and whose values have it; never falls. */
  readonly points: Float64Array;
  readonly markets: Float64Array;
  /** As those of `FundingInput`. Size and mark are those of the market at the point. */
  readonly rates: Float64Array;
  readonly amounts: Float64Array;
  readonly indexes: Float64Array;
}

/** One market at such points. */
export interface PassedMarketPoints {
  /** Of all points. */
  readonly size: SizeE8;
  readonly marks: Float64Array;
  readonly lasts: Float64Array;
  readonly unrealizedPnl: Float64Array;
}

export interface FillInput {
  readonly timeMs: number;
  /** Row in `RecorderOptions.markets`. */
  readonly market: number;
  /** Side of the account. */
  readonly side: "buy" | "sell";
  readonly size: SizeE8;
  readonly price: PriceE8;
  /** price * size, positive. */
  readonly value: Amount;
  /** Trading fee; positive is paid, negative is a rebate. Without the liquidation fee. */
  readonly fee: Amount;
  readonly role: "maker" | "taker";
  /** Price PnL that this fill realized, before fees and funding; 0 when it only opens. */
  readonly realizedPnl: Amount;
  /** Text id of the order; empty for a fill without one. */
  readonly orderId: string;
  /** Liquidation that caused the fill of the account; null otherwise. */
  readonly liquidationId: string | null;
  /** Fee paid to the insurance fund for a liquidation fill; 0 otherwise. */
  readonly liquidationFee: Amount;
}

/** A funding payment. The object may be reused by the caller. */
export interface FundingInput {
  readonly timeMs: number;
  readonly market: number;
  /** Rate of the interval; positive means longs pay. */
  readonly rate: Ppb;
  /** Into the account when positive. */
  readonly amount: Amount;
  /** Position that paid or received; positive is long. */
  readonly size: SizeE8;
  /** Mark and index price at the payment. The payment is the rate times the value of the size at the index price. */
  readonly mark: PriceE8;
  readonly index: PriceE8;
}

/** Money that came to the account, or left it, without a fill or a funding payment. */
export interface AdjustmentInput {
  readonly timeMs: number;
  /**
   * `deficitCovered`: the insurance fund or the other side paid what the account was short of (positive).
   * `lossSocialized`: the account paid for another account's deficit (negative).
   * `transfer`: deposit (positive) or withdrawal (negative) after the start. Not PnL. Ratios of returns become n/a.
   */
  readonly kind: "deficitCovered" | "lossSocialized" | "transfer";
  readonly amount: Amount;
}

/**
 * One liquidation record of the account, handed over when it is complete (or the run ends). It explains; it moves no
 * money: its fills are recorded with `recordFill` as well (with its id), and a covered deficit with `recordAdjustment`.
 */
export interface LiquidationInput {
  /** `L-<height>-<n>`. */
  readonly id: string;
  readonly timeMs: number;
  readonly market: number;
  /** Of the position that was liquidated. */
  readonly side: "long" | "short";
  /** Position when it was triggered, positive. */
  readonly size: SizeE8;
  readonly mark: PriceE8;
  /** Equity and maintenance when it was triggered. */
  readonly equity: Amount;
  readonly maintenance: Amount;
  /** In order, e.g. `["open", "bookClosing", "insuranceCover", "completed"]`. */
  readonly stages: readonly string[];
  readonly fills: readonly LiquidationFillInput[];
  /** Change of the insurance fund by this liquidation: fees in, cover out. */
  readonly insuranceDelta: Amount;
  /** Deficit after the last fill, positive; 0 for none. */
  readonly deficit: Amount;
}

export interface LiquidationFillInput {
  readonly timeMs: number;
  /** How it was closed: `book`, `backstop`, `deleveraging`, `closeOut`. */
  readonly kind: string;
  readonly size: SizeE8;
  readonly price: PriceE8;
  readonly value: Amount;
  /** Liquidation fee. */
  readonly fee: Amount;
}

export interface InsuranceInput {
  readonly timeMs: number;
  /** For example `liquidationFee`, `cover`, `funded`. */
  readonly cause: string;
  /** Into the fund when positive. */
  readonly amount: Amount;
  /** Of the fund, after. */
  readonly balance: Amount;
}

/** `refused` counts orders and amendments that the venue rejected, or that named less than one lot. */
export type OrderOutcome = "placed" | "amended" | "cancelled" | "expired" | "refused";

/** Rejections of one code. */
export interface RejectionTotals {
  readonly code: string;
  /** Transactions of any kind. */
  readonly count: number;
  /** Of those, orders and amendments. */
  readonly orders: number;
  readonly firstTimeMs: number;
  readonly lastTimeMs: number;
}

/** Takes in a run. Methods throw `ReportError` on a value that is no storable whole number, or on time going back. */
export interface Recorder {
  /** State of one market after the block; call before `recordBlock`. A market not named keeps its last point. */
  recordMarket(market: number, point: MarketPoint): void;
  /** Closes a block. Call after every block, empty ones included. */
  recordBlock(point: BlockPoint): void;
  /**
   * As `recordFunding` for the payments of a point, `recordMarket` for every market, then `recordBlock`, for each of
   * several points.
   */
  recordPoints(points: PassedPoints): void;
  recordFill(fill: FillInput): void;
  recordFunding(payment: FundingInput): void;
  recordAdjustment(adjustment: AdjustmentInput): void;
  recordLiquidation(liquidation: LiquidationInput): void;
  recordInsurance(movement: InsuranceInput): void;
  /** An order of the strategy: `count` is 1 unless given (cancelAll). */
  recordOrder(outcome: OrderOutcome, count?: number): void;
  /**
   * A transaction of the strategy that was refused.
   *
   * @param isOrder whether it entered or changed an order; it then counts as a refused order
   */
  recordRejection(code: string, timeMs: number, isOrder: boolean): void;
  /** @throws ReportError `REPORT_EMPTY` when no block was recorded */
  finish(): Recording;
}

/** Made by `Recorder.finish`, read by `createReport`. Plain data; totals are exact. */
export interface Recording {
  readonly markets: readonly string[];
  readonly initialEquity: number;
  readonly totals: RecordedTotals;
  readonly statistics: RecordedStatistics;
  /** Thinned curves: one entry per kept block, in time order. */
  readonly account: RecordedColumns<AccountColumn>;
  /** One per market, thinned on their own. */
  readonly marketCurves: readonly RecordedColumns<MarketColumn>[];
  readonly fills: readonly FillInput[];
  readonly funding: readonly FundingInput[];
  /** A sample of the closed trips in the order in which they closed, then all that are open at the end. */
  readonly roundTrips: readonly RoundTrip[];
  readonly adjustments: readonly AdjustmentInput[];
  readonly liquidations: readonly LiquidationInput[];
  readonly insurance: readonly InsuranceInput[];
  /** The most frequent code first. */
  readonly rejections: readonly RejectionTotals[];
  readonly orders: Readonly<Record<OrderOutcome, number>>;
}

export type AccountColumn =
  | "timeMs"
  | "equity"
  | "balance"
  | "maintenance"
  | "funding"
  | "fees"
  | "peak"
  | "buyAndHold"
  | "marginRatio";

/** `liquidation` is the liquidation price of the position, 0 where there is none. */
export type MarketColumn = "timeMs" | "size" | "mark" | "last" | "funding" | "liquidation";

/** Columns of equal length by name. */
export type RecordedColumns<Name extends string> = Readonly<Record<Name, Float64Array>>;

/** Sums over every event of a run, kept or not. Money in quote units. */
export interface RecordedTotals {
  readonly fills: number;
  readonly makerFills: number;
  readonly makerValue: bigint;
  readonly takerValue: bigint;
  readonly makerFees: bigint;
  readonly takerFees: bigint;
  readonly liquidationFees: bigint;
  readonly liquidationValue: bigint;
  readonly liquidations: number;
  readonly deficit: bigint;
  readonly fundingPayments: number;
  /** Both positive. */
  readonly fundingPaid: bigint;
  readonly fundingReceived: bigint;
  readonly deficitCovered: bigint;
  readonly lossSocialized: bigint;
  readonly transfers: bigint;
  readonly insuranceMovements: number;
  readonly perMarket: readonly MarketTotals[];
}

export interface MarketTotals {
  readonly realizedPnl: bigint;
  readonly unrealizedPnl: bigint;
  readonly funding: bigint;
  readonly fees: bigint;
  readonly liquidationFees: bigint;
  readonly value: bigint;
}

/** Figures that need every block or every fill, computed on the way. */
export interface RecordedStatistics {
  readonly blocks: number;
  readonly startTimeMs: number;
  readonly endTimeMs: number;
  readonly finalEquity: number;
  readonly finalBalance: number;
  readonly finalFundingAccrued: number;
  readonly lowestEquity: number;
  /**
   * The account at every 00:00:00.000 UTC from the start to the end of the run, as the last block up to then left it.
   * A run that ends within the last millisecond of a day (bars close there) has completed that day.
   */
  readonly daily: readonly DailySample[];
  readonly maxDrawdown: DrawdownSpan | null;
  /** The deepest five falls from a peak to the next time at it, the deepest first. */
  readonly drawdowns: readonly DrawdownSpan[];
  /** Longest time below a peak that ended at a new peak or at the end of the run. */
  readonly longestDrawdownMs: number;
  readonly maxBuyAndHoldDrawdown: DrawdownSpan | null;
  readonly timeInMarketMs: number;
  /** Time with equity below 1.5 times the maintenance margin, in any margin account. */
  readonly timeNearLiquidationMs: number;
  /** Where maintenance / equity was highest (equity <= 0 is higher than any ratio); null without a position. */
  readonly peakMarginRatio: { readonly maintenance: number; readonly equity: number; readonly timeMs: number } | null;
  readonly finalBuyAndHold: number | null;
  readonly roundTrips: RoundTripTotals;
}

/** State at a midnight. `funding` and `fees` are sums since the start. */
export interface DailySample {
  readonly timeMs: number;
  readonly equity: number;
  /** Null while no market has had a price. */
  readonly buyAndHold: number | null;
  readonly funding: number;
  readonly fees: number;
}

/** From the peak to the lowest point after it. */
export interface DrawdownSpan {
  readonly peak: number;
  readonly trough: number;
  readonly peakTimeMs: number;
  readonly troughTimeMs: number;
  /** When equity was back at the peak; null when it never was. */
  readonly recoveredTimeMs: number | null;
}

/**
 * One round trip: a position of one market from flat to flat, or through zero. Of a fill through zero, value and fee
 * are shared by size: the part that closes is rounded down, the rest opens the next trip.
 */
export interface RoundTrip {
  readonly market: number;
  readonly side: "long" | "short";
  readonly entryTimeMs: number;
  /** Null while the position is open. */
  readonly exitTimeMs: number | null;
  /** Greatest size of the position, positive. 1e-8 base. */
  readonly largestSize: number;
  /**
   * Sums of the fills that increased the position, and of those that reduced it: size in 1e-8 base, value in quote
   * units.
   */
  readonly entered: bigint;
  readonly entryValue: bigint;
  readonly exited: bigint;
  readonly exitValue: bigint;
  readonly fills: number;
  /** Of prices, without fees and funding; quote units. */
  readonly realizedPnl: bigint;
  /** At the last point of an open trip; 0 for a closed one. */
  readonly unrealizedPnl: number;
  readonly fees: bigint;
  readonly liquidationFees: bigint;
  readonly funding: bigint;
  /** realizedPnl + unrealizedPnl + funding - fees - liquidationFees. */
  readonly net: bigint;
  /** Lowest and highest realised plus unrealised PnL at any recorded point: worst is at most 0, best at least 0. */
  readonly worst: number;
  readonly best: number;
  /** Whether a liquidation filled any part of it. */
  readonly isLiquidated: boolean;
}

/**
 * Closed round trips: from flat to flat (or through zero) in one market; net of fees and with funding.
 * A fill through zero closes one and opens the next; its fee is shared by size, the closing part rounded down.
 */
export interface RoundTripTotals {
  readonly closed: number;
  readonly wins: number;
  readonly losses: number;
  /** Sums of net results, both positive. */
  readonly profit: bigint;
  readonly loss: bigint;
  readonly holdingMs: number;
  readonly largestWin: bigint;
  readonly largestLoss: bigint;
}
