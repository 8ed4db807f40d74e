import type { ActionResult } from "../../protocol/receipt.ts";
import type { RejectionCode } from "../../protocol/rejections.ts";
import type { Account, Grant, Market, ModelState, SelfTrade, Side } from "../state.ts";

/** An order as it is asked for: by its owner, or by an intent that fires. Units are those of payloads. */
export interface OrderRequest {
  readonly id: number;
  readonly account: Account;
  readonly grant: Grant | undefined;
  readonly market: Market;
  readonly side: Side;
  readonly orderType: "limit" | "market";
  /** 1e-8 base. */
  readonly size: bigint;
  /** 1e-8 USD; 0 for none. */
  readonly price: bigint;
  /** ppb; 0 for none. */
  readonly slippage: bigint;
  readonly timeInForce: "GTC" | "IOC" | "FOK" | "GTT";
  readonly goodTilHeight: number;
  readonly goodTilTime: number;
  readonly postOnly: "no" | "reject" | "slide";
  readonly reduceOnly: boolean;
  readonly selfTrade: SelfTrade;
  readonly selfTradeScope: "account" | "owner";
  readonly clientOrderId: string;
}

/** Enters an order whole, or answers the first fault and has changed nothing (ORD). `filled` is in lots. */
export function enterOrder(
  _state: ModelState,
  _request: OrderRequest,
): { readonly code: RejectionCode } | { readonly result: ActionResult; readonly filled: bigint } {
  return { code: "MARKET_CLOSED" };
}
