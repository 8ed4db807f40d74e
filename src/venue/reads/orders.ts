import { NONE } from "../../ground/collections/table.ts";
import { AccountKey } from "../../protocol/accountKey.ts";
import type { Address } from "../../protocol/fields.ts";
import { POST_ONLY_MODES, SELF_TRADE_MODES, SELF_TRADE_SCOPES } from "../../protocol/words.ts";
import { getClientOrderId, getLastHeight, getLastTime } from "../engine/book/extras.ts";
import { findAccount } from "../engine/state/accounts.ts";
import {
  FLAG_REDUCE_ONLY,
  FLAG_SELL,
  getPostOnly,
  getSelfTradeMode,
  getSelfTradeScope,
  type OrderRow,
} from "../engine/state/schema.ts";
import type { State } from "../engine/state/state.ts";
import { formatAmount, formatLots, formatTicks } from "../formulas/text.ts";
import type { AccountName } from "./positions.ts";
import { addressOf, listPositionsOf, subaccountOf } from "./rows.ts";

/** A resting order. Sizes in units of base and prices in USD per unit of base, as decimal text. */
export interface OrderView {
  /** Decimal text, as payloads take it. */
  readonly orderId: string;
  /** Empty for none. */
  readonly clientOrderId: string;
  readonly address: Address;
  readonly subaccount: number;
  readonly market: string;
  readonly side: "buy" | "sell";
  readonly price: string;
  /** Filled so far. */
  readonly filled: string;
  /** Rests in the book. */
  readonly remaining: string;
  readonly reduceOnly: boolean;
  readonly postOnly: (typeof POST_ONLY_MODES)[number];
  /** What happens if it meets an own order when an amendment makes it a taker (ORD-3, ORD-4). */
  readonly selfTrade: (typeof SELF_TRADE_MODES)[number];
  readonly selfTradeScope: (typeof SELF_TRADE_SCOPES)[number];
  /** Last height at which it may trade; 0 for none. */
  readonly goodTilHeight: number;
  /** Last block time at which it may trade, ms; 0 for none. */
  readonly goodTilTime: number;
  /** Order cost: loss at its price that was reserved when it entered, USD (MRG-3). */
  readonly orderCost: string;
}

/**
 * A resting order by its id.
 *
 * @param orderId decimal text, or the number of an event
 * @returns undefined for an order that does not rest: it was filled, cancelled, or never existed
 */
export function getOrder(state: State, orderId: string | number): OrderView | undefined {
  const row = state.orderIndex.find(state.orders, Number(orderId));
  return row === NONE ? undefined : readOrder(state, row);
}

/**
 * Resting orders of an account, oldest id first.
 *
 * @param market only of this market; default: of all
 */
export function listOrders(state: State, account: AccountName, market?: string): OrderView[] {
  const owner = findAccount(state, new AccountKey(account.address, account.subaccount ?? 0));
  if (owner === NONE) return [];
  const { orders, positions } = state;
  const rows: OrderRow[] = [];
  for (const position of listPositionsOf(state, owner)) {
    if (market !== undefined && state.marketNames[positions.market[position]] !== market) continue;
    for (let at = positions.orders[position]; at !== NONE; at = orders.older[at]) rows.push(at);
  }
  return rows.sort((a, b) => orders.id[a] - orders.id[b]).map((row) => readOrder(state, row));
}

function readOrder(state: State, row: OrderRow): OrderView {
  const { orders, positions } = state;
  const position = orders.position[row];
  const market = positions.market[position];
  const account = positions.account[position];
  const rules = state.parameters[market];
  const flags = orders.flags[row];
  return {
    orderId: String(orders.id[row]),
    clientOrderId: getClientOrderId(state, row),
    address: addressOf(state, account),
    subaccount: subaccountOf(state, account),
    market: state.marketNames[market]!,
    side: (flags & FLAG_SELL) === 0 ? "buy" : "sell",
    price: formatTicks(rules, orders.price[row]),
    filled: formatLots(rules, orders.filled[row]),
    remaining: formatLots(rules, orders.remaining[row]),
    reduceOnly: (flags & FLAG_REDUCE_ONLY) !== 0,
    postOnly: POST_ONLY_MODES[getPostOnly(flags)]!,
    selfTrade: SELF_TRADE_MODES[getSelfTradeMode(orders.selfTrade[row])]!,
    selfTradeScope: SELF_TRADE_SCOPES[getSelfTradeScope(orders.selfTrade[row])]!,
    goodTilHeight: getLastHeight(state, row),
    goodTilTime: getLastTime(state, row),
    orderCost: formatAmount(orders.orderCost[row]),
  };
}
