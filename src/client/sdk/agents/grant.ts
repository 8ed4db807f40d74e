import type { GivenPayloads } from "../../../protocol/actions/index.ts";

/** Rights that an owner grants to an agent. Only named rights are granted; `"*"` grants all. */
export interface Grant {
  /** Address of the key that may sign. */
  readonly agent: string;
  readonly scopes: "*" | readonly ("trade" | "reduce" | "cancel" | "margin" | "transfer")[];
  /** Default: all. */
  readonly markets?: "*" | readonly string[];
  /** Default: the owner's first, 0. */
  readonly subaccounts?: "*" | readonly number[];
  /** Most value of an order, USD. Default: no limit. */
  readonly maxOrderNotional?: string;
  /** Most value of position and resting orders in a market, USD. Default: no limit. */
  readonly maxPositionNotional?: string;
  /** Most value of the orders of a UTC day, USD. Default: no limit. */
  readonly maxDailyNotional?: string;
  /** Most resting orders. Default: no limit. */
  readonly maxOpenOrders?: number;
  /** Block time from which it holds, ms. Default: at once. */
  readonly validFromMs?: number;
  /** Block time at which it ends, ms. */
  readonly expiresAtMs: number;
  /** Label that the owner chooses. */
  readonly label?: string;
}

const UNLIMITED = "*";

/** The payload of a grant: lists are words with spaces between. */
export function payloadOfGrant(grant: Grant): GivenPayloads["grantAuthorization"] {
  const { markets = "*", subaccounts = [0], maxOpenOrders } = grant;
  return {
    agent: grant.agent.toLowerCase(),
    label: grant.label ?? "",
    scopes: words(grant.scopes),
    markets: words(markets),
    subaccounts: words(subaccounts),
    maxOrderNotional: grant.maxOrderNotional ?? UNLIMITED,
    maxPositionNotional: grant.maxPositionNotional ?? UNLIMITED,
    maxDailyNotional: grant.maxDailyNotional ?? UNLIMITED,
    maxOpenOrders: maxOpenOrders === undefined ? UNLIMITED : String(maxOpenOrders),
    validFrom: grant.validFromMs ?? 0,
    expiresAt: grant.expiresAtMs,
  };
}

function words(list: "*" | readonly (string | number)[]): string {
  return typeof list === "string" ? list : list.join(" ");
}
