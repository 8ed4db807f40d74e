import type { Account, Market, ModelState, SelfTrade, Side } from "../state.ts";

/** An order that looks for makers. */
export interface Taker {
  /** 0 for one that no book will ever hold. */
  readonly id: number;
  readonly account: Account;
  readonly market: Market;
  readonly side: Side;
  /** Worst price in ticks. */
  readonly limit: bigint;
  /** Lots. */
  readonly size: bigint;
  readonly reduceOnly: boolean;
  readonly selfTrade: SelfTrade;
  readonly selfTradeScope: "account" | "owner";
  /**
   * Of a liquidation: no self-trade prevention, band or caps of the taker, and no taker fee. Called after each fill with
   * its lots and value (signed as paid by the taker); answers how many lots may follow at most.
   */
  readonly liquidation?: { readonly afterFill: (lots: bigint, value: bigint) => void };
}

export interface Matched {
  readonly filled: bigint;
  /** Paid by the taker: positive for a purchase. */
  readonly value: bigint;
  readonly takerFee: bigint;
  /** Why the rest may not go on, where a rule stopped it. */
  readonly stopped:
    | "selfTrade"
    | "positionLimit"
    | "openInterest"
    | "margin"
    | "reduceOnly"
    | "numericLimit"
    | undefined;
  /** Lots that self-trade prevention took off without a fill. */
  readonly decremented: bigint;
}

/** Matches a taker against the book, best price first, each maker re-checked (ORD-1, ORD-3, ORD-5, ORD-6). */
export function match(_state: ModelState, _taker: Taker): Matched {
  return { filled: 0n, value: 0n, takerFee: 0n, stopped: undefined, decremented: 0n };
}
