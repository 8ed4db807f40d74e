import type { Ppb, PriceE8, SizeE8 } from "../ground/math/fixed.ts";
import type { Payloads } from "./actions/index.ts";

/**
 * A default order: a GTC limit order of size 0, with the first of all words. Spread the chosen fields over it:
 *
 *     { ...PLAIN_ORDER, market, side, size, price }
 *
 * It has every field, in the order of the action, so that every order made of it has the same shape. A spread followed
 * by further fields makes objects that are many times slower to make and to read.
 */
export const PLAIN_ORDER: Readonly<Payloads["placeOrder"]> = {
  market: "",
  side: 0,
  orderType: 0,
  size: 0 as SizeE8,
  price: 0 as PriceE8,
  slippage: 0 as Ppb,
  timeInForce: 0,
  goodTilHeight: 0,
  goodTilTime: 0,
  postOnly: 0,
  reduceOnly: false,
  selfTrade: 0,
  selfTradeScope: 0,
  clientOrderId: "",
};
