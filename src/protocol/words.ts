/**
 * Words of the wire and their places. A decoded word is its place in the list, so lists only ever grow at the end.
 */
export const SIDES = ["buy", "sell"] as const;
export const SIDE = { buy: 0, sell: 1 } as const;

export const ORDER_TYPES = ["limit", "market"] as const;
export const ORDER_TYPE = { limit: 0, market: 1 } as const;

export const TIMES_IN_FORCE = ["GTC", "IOC", "FOK", "GTT"] as const;
export const TIME_IN_FORCE = { GTC: 0, IOC: 1, FOK: 2, GTT: 3 } as const;

export const POST_ONLY_MODES = ["no", "reject", "slide"] as const;
export const POST_ONLY = { no: 0, reject: 1, slide: 2 } as const;

export const BATCH_MODES = ["all", "each"] as const;
export const BATCH_MODE = { all: 0, each: 1 } as const;

export const SELF_TRADE_MODES = ["cancelTaker", "cancelMaker", "cancelBoth", "decrement"] as const;
export const SELF_TRADE = { cancelTaker: 0, cancelMaker: 1, cancelBoth: 2, decrement: 3 } as const;

export const SELF_TRADE_SCOPES = ["account", "owner"] as const;
export const SELF_TRADE_SCOPE = { account: 0, owner: 1 } as const;

export const ROLES = ["normal", "house", "backstop"] as const;
export const ROLE = { normal: 0, house: 1, backstop: 2 } as const;
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
export const MARKET_STATUS = {
  initializing: 0,
  postOnly: 1,
  active: 2,
  cancelOnly: 3,
  reduceOnly: 4,
  halted: 5,
  settling: 6,
  settled: 7,
} as const;

export const SWITCHES = ["off", "on"] as const;

export const MARK_METHODS = ["median", "oracle", "reported", "book"] as const;
export const MARK_METHOD = { median: 0, oracle: 1, reported: 2, book: 3 } as const;

export const LIQUIDATION_POLICIES = ["perplab", "hyperliquid", "dydx", "binance"] as const;
export const LIQUIDATION_POLICY = { perplab: 0, hyperliquid: 1, dydx: 2, binance: 3 } as const;

export const REDUCE_ONLY_RESTINGS = ["capAtMatch", "trim"] as const;
export const REDUCE_ONLY_RESTING = { capAtMatch: 0, trim: 1 } as const;

export const FUNDING_METHODS = ["hyperliquid", "reported", "dydx", "binance8h", "continuous"] as const;
export const FUNDING_METHOD = { hyperliquid: 0, reported: 1, dydx: 2, binance8h: 3, continuous: 4 } as const;

/** Initial margin by tier: with a deduction, or the tier's rate on the whole notional (MRG-1). */
export const INITIAL_MARGIN_METHODS = ["continuous", "stepped"] as const;
export const INITIAL_MARGIN_METHOD = { continuous: 0, stepped: 1 } as const;

/** Whose collateral stands behind a position: the account's, or its own (MRG-2). */
export const MARGIN_MODES = ["cross", "isolated"] as const;
export const MARGIN_MODE = { cross: 0, isolated: 1 } as const;

export const INTENT_KINDS = ["stop", "takeProfit", "trailingStop", "twap", "oco", "oto", "otoco"] as const;
export const INTENT_KIND = { stop: 0, takeProfit: 1, trailingStop: 2, twap: 3, oco: 4, oto: 5, otoco: 6 } as const;

/** Kinds that wait for a price: what a leg of a group can be. */
export const TRIGGER_KINDS = ["stop", "takeProfit", "trailingStop"] as const;

export const PRICE_SOURCES = ["mark", "index", "last"] as const;
export const PRICE_SOURCE = { mark: 0, index: 1, last: 2 } as const;

/** `waiting` for fills of its entry, `armed`, or `triggered` with its order on the book. */
export const INTENT_STATES = ["waiting", "armed", "triggered"] as const;
export const INTENT_STATE = { waiting: 0, armed: 1, triggered: 2 } as const;

/** Which way an owner moves collateral: to an isolated position, or back. */
export const MARGIN_DIRECTIONS = ["add", "remove"] as const;
export const MARGIN_DIRECTION = { add: 0, remove: 1 } as const;
/** States of a grant (AUT): the first two may still change, the others are for ever. */
export const AUTHORIZATION_STATUSES = ["scheduled", "active", "expired", "revoked", "exhausted"] as const;
export const AUTHORIZATION_STATUS = { scheduled: 0, active: 1, expired: 2, revoked: 3, exhausted: 4 } as const;

/** Windows of the outflow caps (MRG-5): whole UTC hours and days of block time. */
export const OUTFLOW_WINDOWS = ["hour", "day"] as const;
export const OUTFLOW_WINDOW = { hour: 0, day: 1 } as const;

/** What `devnetSet` sets. */
export const DEVNET_TARGETS = ["collateral", "price"] as const;
export const DEVNET_TARGET = { collateral: 0, price: 1 } as const;
