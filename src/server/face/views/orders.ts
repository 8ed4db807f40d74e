import type { Order } from "../../../client/api/schemas/orders.ts";
import { CANCEL_CAUSES } from "../../../protocol/events.ts";
import {
  ORDER_TYPES,
  POST_ONLY_MODES,
  SELF_TRADE_MODES,
  SELF_TRADE_SCOPES,
  SIDES,
  TIMES_IN_FORCE,
} from "../../../protocol/words.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { formatLots } from "../../../venue/formulas/text.ts";
import { subaccountOf } from "../../../venue/reads/rows.ts";
import type { OrderRecord } from "../../history/orderRecord.ts";
import { positiveOrNull, ticksOrNull } from "./text.ts";

export function viewOrder(state: State, order: OrderRecord): Order {
  const rules = state.parameters[order.market]!;
  const { filled, remaining, cancelled, orderType, timeInForce, cause } = order;
  return {
    orderId: String(order.id),
    clientOrderId: order.client === "" ? null : order.client,
    txId: order.txId ?? null,
    subaccount: subaccountOf(state, order.account as AccountRow),
    market: state.marketNames[order.market]!,
    side: SIDES[order.side]!,
    orderType: orderType === undefined ? null : ORDER_TYPES[orderType]!,
    timeInForce: timeInForce === undefined ? null : TIMES_IN_FORCE[timeInForce]!,
    price: ticksOrNull(rules, order.ticks),
    size: formatLots(rules, filled + remaining + cancelled),
    filled: formatLots(rules, filled),
    remaining: formatLots(rules, remaining),
    cancelled: formatLots(rules, cancelled),
    status: order.status,
    cause: cause < 0 ? null : CANCEL_CAUSES[cause]!,
    reduceOnly: order.reduceOnly,
    postOnly: POST_ONLY_MODES[order.postOnly]!,
    selfTrade: order.selfTrade === undefined ? null : SELF_TRADE_MODES[order.selfTrade]!,
    selfTradeScope: order.selfTradeScope === undefined ? null : SELF_TRADE_SCOPES[order.selfTradeScope]!,
    goodTilHeight: positiveOrNull(order.goodTilHeight),
    goodTilMs: positiveOrNull(order.goodTilTime),
    authorization: order.authorization ?? null,
    openedHeight: order.openedHeight ?? null,
    updatedHeight: order.updatedHeight ?? null,
    closedHeight: order.closedHeight ?? null,
  };
}
