/**
 * Words of the wire by index, written a second time: a decoded payload carries the index. The types compare them with
 * the protocol's.
 */
import type { Domain } from "../../protocol/action.ts";
import type * as protocol from "../../protocol/words.ts";

export const SIDES: typeof protocol.SIDES = ["buy", "sell"];
export const ORDER_TYPES: typeof protocol.ORDER_TYPES = ["limit", "market"];
export const TIMES_IN_FORCE: typeof protocol.TIMES_IN_FORCE = ["GTC", "IOC", "FOK", "GTT"];
export const POST_ONLY_MODES: typeof protocol.POST_ONLY_MODES = ["no", "reject", "slide"];
export const BATCH_MODES: typeof protocol.BATCH_MODES = ["all", "each"];
export const SELF_TRADE_MODES: typeof protocol.SELF_TRADE_MODES = [
  "cancelTaker",
  "cancelMaker",
  "cancelBoth",
  "decrement",
];
export const SELF_TRADE_SCOPES: typeof protocol.SELF_TRADE_SCOPES = ["account", "owner"];
export const MARGIN_MODES: typeof protocol.MARGIN_MODES = ["cross", "isolated"];
export const MARGIN_DIRECTIONS: typeof protocol.MARGIN_DIRECTIONS = ["add", "remove"];
export const INTENT_KINDS: typeof protocol.INTENT_KINDS = [
  "stop",
  "takeProfit",
  "trailingStop",
  "twap",
  "oco",
  "oto",
  "otoco",
];
export const TRIGGER_KINDS: typeof protocol.TRIGGER_KINDS = ["stop", "takeProfit", "trailingStop"];
export const PRICE_SOURCES: typeof protocol.PRICE_SOURCES = ["mark", "index", "last"];
export const DEVNET_TARGETS: typeof protocol.DEVNET_TARGETS = ["collateral", "price"];
export const DOMAINS: readonly Domain[] = ["trading", "risk", "funds", "admin", "system"];

export const ZERO_ADDRESS = `0x${"0".repeat(40)}` as const;
export const ZERO_BYTES32 = `0x${"0".repeat(64)}` as const;
/** Greatest magnitude of a stored quantity (NUM-3). */
export const LIMIT = 9_000_000_000_000_000n;
/** Greatest order price, ticks (NUM-3). */
export const TICKS_MOST = 2_147_483_647n;
export const PPM = 1_000_000n;
export const PPB = 1_000_000_000n;
/** Scale of funding indices and remainders (FND-3). */
export const INDEX_SCALE = 1_000_000_000n;
export const DAY_MS = 86_400_000;
