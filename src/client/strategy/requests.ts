/** Requests of a strategy as the venue's payloads: the same wherever it runs. */
import type { Amount, Ppb, PriceE8, SizeE8 } from "../../ground/math/fixed.ts";
import type { Payloads } from "../../protocol/actions/index.ts";
import type { OrderId } from "../../protocol/fields.ts";
import {
  MARGIN_DIRECTION,
  MARGIN_MODE,
  ORDER_TYPE,
  POST_ONLY,
  SELF_TRADE,
  SELF_TRADE_SCOPE,
  SIDE,
  TIME_IN_FORCE,
} from "../../protocol/words.ts";
import type { Amendment, CloseRequest, MarginMode, OrderRequest } from "./context.ts";
import { StrategyError } from "./errors.ts";
import type { TransactionId } from "./facts.ts";
import { toSteps } from "./units.ts";

/** Default bounds of market orders: of one that opens, whose bound costs margin, and of one that closes. */
export const SLIPPAGE = { order: 0.01, close: 0.05 } as const;

/** The market rules on which orders depend. */
export interface OrderRules {
  readonly name: string;
  /** 1e-8 USD. */
  readonly tickSize: number;
  /** 1e-8 base. */
  readonly lotSize: number;
  /** Greatest slippage bound, as a ratio. */
  readonly slippageMost: number;
}

/** @throws {StrategyError} ORDER_INVALID where size or price is off the grid, or a limit order has a slippage bound */
export function placeOrderOf(order: OrderRequest, rules: OrderRules, id: TransactionId): Payloads["placeOrder"] {
  const { name, tickSize, lotSize, slippageMost } = rules;
  const isMarket = order.price === undefined;
  if (!isMarket && order.slippage !== undefined) {
    throw new StrategyError("ORDER_INVALID", "a limit order takes no slippage bound", {
      place: "slippage",
      hint: "leave out slippage or price",
    });
  }
  const slippage = Math.min(order.slippage ?? SLIPPAGE.order, slippageMost);
  return {
    market: name,
    side: SIDE[order.side],
    orderType: isMarket ? ORDER_TYPE.market : ORDER_TYPE.limit,
    size: (toSteps(order.size, lotSize, "size") * lotSize) as SizeE8,
    price: (order.price === undefined ? 0 : toSteps(order.price, tickSize, "price") * tickSize) as PriceE8,
    slippage: (isMarket ? Math.round(slippage * 1e9) : 0) as Ppb,
    timeInForce: TIME_IN_FORCE[order.timeInForce ?? (isMarket ? "IOC" : "GTC")],
    goodTilHeight: 0,
    goodTilTime: 0,
    postOnly: order.postOnly === true ? POST_ONLY.reject : POST_ONLY.no,
    reduceOnly: order.reduceOnly === true,
    selfTrade: SELF_TRADE.cancelMaker,
    selfTradeScope: SELF_TRADE_SCOPE.account,
    clientOrderId: id,
  };
}

/** @throws {StrategyError} ORDER_INVALID */
export function amendOrderOf(
  id: TransactionId,
  { size, price }: Amendment,
  { tickSize, lotSize }: OrderRules,
): Payloads["amendOrder"] {
  return {
    orderId: 0 as OrderId,
    clientOrderId: id,
    size: (size === undefined ? 0 : toSteps(size, lotSize, "size") * lotSize) as SizeE8,
    price: (price === undefined ? 0 : toSteps(price, tickSize, "price") * tickSize) as PriceE8,
    goodTilHeight: 0,
    goodTilTime: 0,
  };
}

/** @throws {StrategyError} ORDER_INVALID */
export function closePositionOf(
  { size, slippage }: CloseRequest,
  { name, lotSize, slippageMost }: OrderRules,
  id: TransactionId,
): Payloads["closePosition"] {
  return {
    market: name,
    size: (size === undefined ? 0 : toSteps(size, lotSize, "size") * lotSize) as SizeE8,
    price: 0 as PriceE8,
    slippage: Math.round(Math.min(slippage ?? SLIPPAGE.close, slippageMost) * 1e9) as Ppb,
    clientOrderId: id,
  };
}

/** @throws {StrategyError} ORDER_INVALID */
export function setMarginModeOf(mode: MarginMode, market: string): Payloads["setMarginMode"] {
  if (Object.hasOwn(MARGIN_MODE, mode)) return { market, mode: MARGIN_MODE[mode] };
  throw new StrategyError("ORDER_INVALID", `there is no margin mode ${JSON.stringify(mode)}`, {
    place: "mode",
    hint: "give cross or isolated",
  });
}

/** @throws {StrategyError} ORDER_INVALID for an amount that is not positive, or has more than 6 decimals */
export function adjustMarginOf(
  direction: "add" | "remove",
  amount: number,
  market: string,
): Payloads["adjustIsolatedMargin"] {
  // Steps of 1e-6 USD, on the scale of 1e-8.
  const units = toSteps(amount, 100, "amount", "round it to 6 decimals");
  return { market, direction: MARGIN_DIRECTION[direction], amount: units as Amount };
}

/** @throws {StrategyError} ORDER_INVALID */
export function checkLeverage(leverage: number): void {
  if (Number.isInteger(leverage) && leverage >= 1) return;
  throw new StrategyError("ORDER_INVALID", `leverage ${leverage} is not a whole multiple from 1`, {
    place: "leverage",
    hint: "round it",
  });
}
