import type { RejectionCode } from "../../protocol/rejections.ts";
import type { Account, Grant, Market, ModelState, Side } from "../state.ts";

/** An order as the limits of a grant look at it. */
export interface LimitedOrder {
  readonly account: Account;
  readonly market: Market;
  readonly side: Side;
  readonly size: bigint;
  /** Limit, or worst price, ticks. */
  readonly price: bigint;
  readonly reduceOnly: boolean;
  /** It may rest on the book. */
  readonly rests: boolean;
  /** The resting order that it takes the place of. */
  readonly amended?: { readonly price: bigint; readonly remaining: bigint };
}

/** The first limit of a grant that an order would exceed (AUT). */
export function checkLimits(_state: ModelState, _grant: Grant, _order: LimitedOrder): RejectionCode | undefined {
  return undefined;
}

/** Counts an order that entered against the grant's day (AUT). */
export function countOrder(_state: ModelState, _grant: Grant, _order: LimitedOrder): void {}
