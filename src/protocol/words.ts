/**
 * Words of the wire and their places. A decoded word is its place in the list, so lists only ever grow at the end.
 */
import { placesOf } from "./places.ts";

export const SIDES = ["buy", "sell"] as const;
export const SIDE = /* @__PURE__ */ placesOf(SIDES);

export const ORDER_TYPES = ["limit", "market"] as const;
export const ORDER_TYPE = /* @__PURE__ */ placesOf(ORDER_TYPES);

export const TIMES_IN_FORCE = ["GTC", "IOC", "FOK", "GTT"] as const;
export const TIME_IN_FORCE = /* @__PURE__ */ placesOf(TIMES_IN_FORCE);

export const POST_ONLY_MODES = ["no", "reject", "slide"] as const;
export const POST_ONLY = /* @__PURE__ */ placesOf(POST_ONLY_MODES);

export const BATCH_MODES = ["all", "each"] as const;
export const BATCH_MODE = /* @__PURE__ */ placesOf(BATCH_MODES);

export const SELF_TRADE_MODES = ["cancelTaker", "cancelMaker", "cancelBoth", "decrement"] as const;
export const SELF_TRADE = /* @__PURE__ */ placesOf(SELF_TRADE_MODES);

export const SELF_TRADE_SCOPES = ["account", "owner"] as const;
export const SELF_TRADE_SCOPE = /* @__PURE__ */ placesOf(SELF_TRADE_SCOPES);

export const ROLES = ["normal", "house", "backstop"] as const;
export const ROLE = /* @__PURE__ */ placesOf(ROLES);
export type Role = (typeof ROLES)[number];

export const MARKET_STATUSES = [
  "initializing",
  "postOnly",
  "active",
  "cancelOnly",
  "reduceOnly",
  "halted",
  "settling",
  "settled",
] as const;
export const MARKET_STATUS = /* @__PURE__ */ placesOf(MARKET_STATUSES);

export const SWITCHES = ["off", "on"] as const;

export const MARK_METHODS = ["median", "oracle", "reported", "book"] as const;
export const MARK_METHOD = /* @__PURE__ */ placesOf(MARK_METHODS);

export const LIQUIDATION_POLICIES = ["perplab", "hyperliquid", "dydx", "binance"] as const;
export const LIQUIDATION_POLICY = /* @__PURE__ */ placesOf(LIQUIDATION_POLICIES);

export const REDUCE_ONLY_RESTINGS = ["capAtMatch", "trim"] as const;
export const REDUCE_ONLY_RESTING = /* @__PURE__ */ placesOf(REDUCE_ONLY_RESTINGS);

export const FUNDING_METHODS = ["hyperliquid", "reported", "dydx", "binance8h", "continuous"] as const;
export const FUNDING_METHOD = /* @__PURE__ */ placesOf(FUNDING_METHODS);

/** Initial margin by tier: with a deduction, or the tier's rate on the whole notional (MRG-1). */
export const INITIAL_MARGIN_METHODS = ["continuous", "stepped"] as const;
export const INITIAL_MARGIN_METHOD = /* @__PURE__ */ placesOf(INITIAL_MARGIN_METHODS);

/** Margin mode of a position: the account's collateral, or its own (MRG-2). */
export const MARGIN_MODES = ["cross", "isolated"] as const;
export const MARGIN_MODE = /* @__PURE__ */ placesOf(MARGIN_MODES);

export const INTENT_KINDS = ["stop", "takeProfit", "trailingStop", "twap", "oco", "oto", "otoco"] as const;
export const INTENT_KIND = /* @__PURE__ */ placesOf(INTENT_KINDS);

/** Kinds that wait for a price, and the kinds of a leg: stop order, take-profit and trailing stop. */
export const TRIGGER_KINDS = ["stop", "takeProfit", "trailingStop"] as const;

export const PRICE_SOURCES = ["mark", "index", "last"] as const;
export const PRICE_SOURCE = /* @__PURE__ */ placesOf(PRICE_SOURCES);

/** `waiting` for fills of its entry, `armed`, or `triggered` with its order on the book. */
export const INTENT_STATES = ["waiting", "armed", "triggered"] as const;
export const INTENT_STATE = /* @__PURE__ */ placesOf(INTENT_STATES);

/** Which way an owner moves collateral: to an isolated position, or back. */
export const MARGIN_DIRECTIONS = ["add", "remove"] as const;
export const MARGIN_DIRECTION = /* @__PURE__ */ placesOf(MARGIN_DIRECTIONS);
/** States of a grant (AUT): the first two may still change, the others are for ever. */
export const AUTHORIZATION_STATUSES = ["scheduled", "active", "expired", "revoked", "exhausted"] as const;
export const AUTHORIZATION_STATUS = /* @__PURE__ */ placesOf(AUTHORIZATION_STATUSES);

/** Windows of the outflow caps (MRG-5): whole UTC hours and days of block time. */
export const OUTFLOW_WINDOWS = ["hour", "day"] as const;
export const OUTFLOW_WINDOW = /* @__PURE__ */ placesOf(OUTFLOW_WINDOWS);

/** What `devnetSet` sets. */
export const DEVNET_TARGETS = ["collateral", "price"] as const;
export const DEVNET_TARGET = /* @__PURE__ */ placesOf(DEVNET_TARGETS);
