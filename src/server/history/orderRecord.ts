import type { OrderStatus } from "../../client/api/schemas/orders.ts";
import { NONE } from "../../ground/collections/table.ts";
import { CANCEL_CAUSE } from "../../protocol/events.ts";
import type { Bytes32 } from "../../protocol/fields.ts";
import { SIDE } from "../../protocol/words.ts";
import { idOfGrant } from "../../venue/engine/authorization/addGrant.ts";
import { getClientOrderId, getGrant, getLastHeight, getLastTime } from "../../venue/engine/book/extras.ts";
import {
  FLAG_REDUCE_ONLY,
  FLAG_SELL,
  getPostOnly,
  getSelfTradeMode,
  getSelfTradeScope,
  type OrderRow,
} from "../../venue/engine/state/schema.ts";
import type { State } from "../../venue/engine/state/state.ts";

/** An order, open or ended. Sizes in lots; words are indexes in their lists. */
export interface OrderRecord {
  readonly id: number;
  readonly account: number;
  readonly market: number;
  side: number;
  client: string;
  txId: Bytes32 | undefined;
  orderType: number | undefined;
  timeInForce: number | undefined;
  /** 0 for a market order with a slippage bound. */
  ticks: number;
  reduceOnly: boolean;
  postOnly: number;
  /** Undefined for an order that never rested and whose terms are in no transaction or intent. */
  selfTrade: number | undefined;
  selfTradeScope: number | undefined;
  goodTilHeight: number;
  goodTilTime: number;
  authorization: Bytes32 | undefined;
  /** The requested size, if known. */
  asked: number | undefined;
  filled: number;
  remaining: number;
  cancelled: number;
  cause: number;
  /** Undefined for an order that was entered before the kept blocks. */
  readonly openedHeight: number | undefined;
  filledHeight: number | undefined;
  updatedHeight: number | undefined;
  closedHeight: number | undefined;
  status: OrderStatus;
  /** Number of its entries among the closed orders: slices of a schedule end and reopen under one id. */
  endings: number;
}

/** Terms of an order, from its transaction or its intent. */
export type OrderTerms = Partial<
  Pick<
    OrderRecord,
    | "client"
    | "txId"
    | "orderType"
    | "timeInForce"
    | "ticks"
    | "reduceOnly"
    | "postOnly"
    | "selfTrade"
    | "selfTradeScope"
    | "goodTilHeight"
    | "goodTilTime"
    | "authorization"
    | "asked"
  >
>;

/** The record of a new order. */
export function openOrder(
  { id, account, market, side }: Pick<OrderRecord, "id" | "account" | "market" | "side">,
  terms: OrderTerms,
  height: number,
): OrderRecord {
  return {
    id,
    account,
    market,
    client: "",
    txId: undefined,
    orderType: undefined,
    timeInForce: undefined,
    ticks: 0,
    reduceOnly: false,
    postOnly: 0,
    selfTrade: undefined,
    selfTradeScope: undefined,
    goodTilHeight: 0,
    goodTilTime: 0,
    authorization: undefined,
    asked: undefined,
    ...terms,
    side,
    filled: 0,
    remaining: 0,
    cancelled: 0,
    cause: -1,
    openedHeight: height,
    filledHeight: undefined,
    updatedHeight: height,
    closedHeight: undefined,
    status: "open",
    endings: 0,
  };
}

export function countFill(record: OrderRecord, lots: number, height: number): void {
  record.filled += lots;
  record.filledHeight ??= height;
  record.updatedHeight = height;
  if (record.status === "open") record.status = "partiallyFilled";
}

/** No event has the size that self-trade prevention cancelled of a taker: it is the rest of the requested size. */
export function settleAsked(record: OrderRecord): void {
  const { asked, filled, remaining, cancelled } = record;
  if (asked === undefined || asked <= filled + remaining + cancelled) return;
  record.cancelled = asked - filled - remaining;
  record.cause = CANCEL_CAUSE.selfTrade;
  if (record.status === "filled") record.status = "cancelled";
}

/** Status of an order at a height; undefined if it did not exist yet. */
export function getOrderStatusAt(record: OrderRecord, height: number): OrderStatus | undefined {
  if ((record.openedHeight ?? 0) > height) return undefined;
  if (record.closedHeight !== undefined && record.closedHeight <= height) return record.status;
  const filled = record.openedHeight === undefined ? record.filled > 0 : (record.filledHeight ?? Infinity) <= height;
  return filled ? "partiallyFilled" : "open";
}

/** The record of a resting order that no kept block names. */
export function readOrder(state: State, row: OrderRow): OrderRecord {
  const { orders, positions } = state;
  const position = orders.position[row]!;
  const flags = orders.flags[row]!;
  const grant = getGrant(state, row);
  return {
    id: orders.id[row]!,
    account: positions.account[position]!,
    market: positions.market[position]!,
    side: (flags & FLAG_SELL) !== 0 ? SIDE.sell : SIDE.buy,
    client: getClientOrderId(state, row),
    txId: undefined,
    orderType: undefined,
    timeInForce: undefined,
    ticks: orders.price[row]!,
    reduceOnly: (flags & FLAG_REDUCE_ONLY) !== 0,
    postOnly: getPostOnly(flags),
    selfTrade: getSelfTradeMode(orders.selfTrade[row]!),
    selfTradeScope: getSelfTradeScope(orders.selfTrade[row]!),
    goodTilHeight: getLastHeight(state, row),
    goodTilTime: getLastTime(state, row),
    authorization: grant === NONE ? undefined : idOfGrant(state, grant),
    asked: undefined,
    filled: orders.filled[row]!,
    remaining: orders.remaining[row]!,
    cancelled: 0,
    cause: -1,
    openedHeight: undefined,
    filledHeight: undefined,
    updatedHeight: undefined,
    closedHeight: undefined,
    status: orders.filled[row]! > 0 ? "partiallyFilled" : "open",
    endings: 0,
  };
}
