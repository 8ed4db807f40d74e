/** Payloads as JSON has them, of which a test says what it is about. */

/** A GTC limit order, but for its side, size and price. */
export const LIMIT_ORDER = {
  market: "BTC-PERP",
  orderType: "limit",
  slippage: "",
  timeInForce: "GTC",
  goodTilHeight: 0,
  goodTilTime: 0,
  postOnly: "no",
  reduceOnly: false,
  selfTrade: "cancelTaker",
  selfTradeScope: "account",
  clientOrderId: "",
} as const;

/** A grant of everything without a limit, but for the agent and the time of its end. */
export const WHOLE_GRANT = {
  label: "",
  scopes: "*",
  markets: "*",
  subaccounts: "*",
  maxOrderNotional: "*",
  maxPositionNotional: "*",
  maxDailyNotional: "*",
  maxOpenOrders: "*",
  validFrom: 0,
} as const;
