import type { Ppb } from "../math/fixed.ts";
import type { Payloads } from "./actions/index.ts";

type Order = Payloads["placeOrder"];

/** Terms of an order of which nothing but market, side, size and price is said: a GTC limit order, the first of all words. */
export const PLAIN_ORDER: Readonly<Omit<Order, "market" | "side" | "size" | "price">> = {
  orderType: 0,
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
