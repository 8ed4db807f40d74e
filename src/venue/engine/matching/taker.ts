import type { Lots, Ticks } from "../../../ground/math/fixed.ts";
import type { OrderId } from "../../../protocol/fields.ts";
import type { AccountRow, MarketRow, PositionRow } from "../state/schema.ts";
import type { BankruptcyValue } from "../valuation/bankruptcyValue.ts";

/** Nothing stopped the taker: it filled, or found nothing more within its limit. */
export const NOT_STOPPED = -1;

/** An order that comes in. */
export interface TakerTerms {
  readonly market: MarketRow;
  readonly account: AccountRow;
  readonly position: PositionRow;
  readonly side: number;
  readonly orderId: OrderId;
  /** Worst price it takes. */
  readonly limit: Ticks;
  readonly reduceOnly: boolean;
  readonly selfTrade: number;
  readonly selfTradeScope: number;
  /** Exempt from caps and fees, and without margin checks. */
  readonly house: boolean;
  /**
   * Present for liquidations: no taker fee, no self-trade rule, no band. Its fills are measured against these values.
   */
  readonly liquidation: LiquidationTerms | undefined;
  readonly lots: Lots;
}

/** An incoming order while it matches. */
export interface Taker extends TakerTerms {
  remaining: Lots;
  filled: Lots;
  /** Value of its fills so far, and the taker fee on all of it together. */
  value: number;
  feePaid: number;
  /** Cause (CANCEL_CAUSE) that ended it early, or NOT_STOPPED. */
  stopped: number;
}

/** Terms of a liquidation order (LIQ-2, LIQ-4). */
export interface LiquidationTerms {
  readonly id: number;
  /** Its fills are measured against these values; absent if they pay no fee and get no payment (a backstop unwinds). */
  readonly bankruptcy: BankruptcyValue | undefined;
  /** The fund pays for fills beyond the bankruptcy price. */
  readonly insured: boolean;
  /** Greatest liquidation fee, ppm of a fill's value. */
  readonly fee: number;
}

/**
 * An order before its first fill. Numbers that grow start as `NaN`, which is stored as a double: the first large one
 * would change the shape of all takers, and compiled code for matching would be discarded.
 */
export function createTaker(terms: TakerTerms): Taker {
  const taker: Taker = {
    market: terms.market,
    account: terms.account,
    position: terms.position,
    side: terms.side,
    orderId: terms.orderId,
    limit: terms.limit,
    reduceOnly: terms.reduceOnly,
    selfTrade: terms.selfTrade,
    selfTradeScope: terms.selfTradeScope,
    house: terms.house,
    liquidation: terms.liquidation,
    lots: terms.lots,
    remaining: Number.NaN as Lots,
    filled: Number.NaN as Lots,
    value: Number.NaN,
    feePaid: Number.NaN,
    stopped: NOT_STOPPED,
  };
  taker.remaining = terms.lots;
  taker.filled = 0 as Lots;
  taker.value = 0;
  taker.feePaid = 0;
  return taker;
}
