/**
 * Facts that a strategy receives. Numbers are in traders' units: USD per unit of base, units of base, USD, ratios.
 * Times are milliseconds since 1970-01-01T00:00:00Z.
 */
export type Side = "buy" | "sell";

/** Name of a transaction that the strategy sent; also the client order id of the order that it enters. */
export type TransactionId = string;

/** The condition that an intent waits for. A trailing stop follows the best price at a distance. */
export type TriggerKind = "stop" | "takeProfit" | "trailingStop";

/** A finished bar: recorded, or made of recorded trades. It covers [openTimeMs, closeTimeMs). */
export interface Bar {
  readonly market: string;
  readonly openTimeMs: number;
  readonly closeTimeMs: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Units of base. */
  readonly volume: number;
}

/** A finished bar of a higher time frame, made of bars that a strategy got before. */
export interface FrameBar extends Bar {
  /** As the strategy declares it: `4h`. */
  readonly frame: string;
  /** How many bars it is made of; fewer than usual where the data has a gap. */
  readonly bars: number;
}

/** A call of a timer. */
export interface Timer {
  readonly name: string;
  /** When it was due; the block may be later. */
  readonly timeMs: number;
  /** Earlier due times since the last block, for which it was not called. */
  readonly missed: number;
}

/** A trade of the data. */
export interface Trade {
  readonly market: string;
  readonly timeMs: number;
  readonly price: number;
  readonly size: number;
  /** Side of the taker; undefined where the data does not say. */
  readonly side: Side | undefined;
}

/** A fill of the strategy's account. */
export interface Fill {
  readonly market: string;
  readonly timeMs: number;
  /** The order's transaction; empty for a fill that the venue made (a liquidation). */
  readonly id: TransactionId;
  readonly side: Side;
  readonly price: number;
  readonly size: number;
  /** Paid when positive, a rebate when negative. */
  readonly fee: number;
  readonly role: "maker" | "taker";
  /** Of the order, after this fill; 0 when it is filled or was a taker without rest. */
  readonly remaining: number;
  readonly liquidation: boolean;
  /** Kind of the intent that placed the order; undefined for an order that the strategy placed. */
  readonly intent: TriggerKind | undefined;
}

/** A funding payment of the strategy's account. */
export interface Funding {
  readonly market: string;
  readonly timeMs: number;
  /** Of the interval; longs pay when positive. */
  readonly rate: number;
  /** Into the account when positive. */
  readonly amount: number;
}

/** A stage of a liquidation of the strategy's account. */
export interface Liquidation {
  readonly market: string;
  readonly timeMs: number;
  /** `open`, `bookClosing`, `recovered`, `completed`, `insuranceCover`, `deleveraging`, `socialized`. */
  readonly stage: string;
  readonly mark: number;
}

/** A transaction that the venue refused, or that named less than one lot and was not sent. */
export interface Rejection {
  readonly id: TransactionId;
  readonly timeMs: number;
  /** Stable code, for example `INSUFFICIENT_MARGIN`. */
  readonly code: string;
  /**
   * Of `SIZE_TOO_SMALL` and `NOTIONAL_TOO_SMALL`: the smallest size that the market takes at its mark, units of base.
   * Undefined for other codes.
   */
  readonly smallestSize?: number;
}

/** An order of the strategy that ended before it was filled whole. */
export interface Cancellation {
  readonly market: string;
  readonly timeMs: number;
  /** The order's transaction. */
  readonly id: TransactionId;
  /** Units of base that were not filled. */
  readonly unfilled: number;
  /**
   * Why it ended: `timeInForce` (an IOC, FOK or market order found no more to fill), `owner` (the strategy cancelled
   * it), `selfTrade`, `reduceOnly`, `priceBand`, `margin`, `positionLimit`, `openInterest`, `liquidation`,
   * `numericLimit`, `exposureFrozen` or `settlement`.
   */
  readonly cause: string;
  /** Kind of the intent that placed the order; undefined for an order that the strategy placed. */
  readonly intent: TriggerKind | undefined;
}

/** An intent of the strategy fired or ended. One that fires has two changes, often in the same block. */
export interface IntentChange {
  readonly market: string;
  readonly timeMs: number;
  /** The transaction that placed it; the legs of a bracket have the same. */
  readonly id: TransactionId;
  readonly kind: TriggerKind;
  /**
   * `triggered`: the price reached its trigger, and its order is placed. `executed`: it is done, its order was placed.
   * `failed`: its order was refused. `cancelled`, `expired`: it ended before it fired.
   */
  readonly status: "triggered" | "executed" | "failed" | "cancelled" | "expired";
  /**
   * Of `failed` the code of the rejection. Of `cancelled` the reason: `owner`, `sibling` (the other leg filled),
   * `entry` (its entry order ended without a fill), `position` (nothing is left to reduce), `liquidation`, `market` or
   * `authorization`. Undefined for the others.
   */
  readonly cause: string | undefined;
}
