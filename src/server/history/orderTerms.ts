import type { ActionName, Payloads } from "../../protocol/actions/index.ts";
import { type Transaction, ZERO_BYTES32 } from "../../protocol/transaction.ts";
import type { IntentPasts } from "./intents.ts";
import type { Happening } from "./model.ts";
import type { OrderTerms } from "./orderRecord.ts";

/** Terms of an order, from the running transaction, or else from its intent. The side only if one of them has it. */
export function findTerms(id: number, at: Happening, intents: IntentPasts): OrderTerms & { readonly side?: number } {
  const { entry, txIndex, state } = at;
  const transaction = entry.transactions[txIndex];
  if (transaction === undefined) return findIntentTerms(id, intents);
  const txId = entry.ids[txIndex]!;
  const order = findPlaced(transaction, entry.receipts[txIndex]?.results, id);
  if (order === undefined) return { txId };
  const rules = state.parameters[state.marketRows.get(order.market)!]!;
  const { authorization } = transaction.header;
  return {
    txId,
    side: order.side,
    client: order.clientOrderId,
    orderType: order.orderType,
    timeInForce: order.timeInForce,
    ticks: order.price / rules.tickSize,
    reduceOnly: order.reduceOnly,
    postOnly: order.postOnly,
    selfTrade: order.selfTrade,
    selfTradeScope: order.selfTradeScope,
    goodTilHeight: order.goodTilHeight,
    goodTilTime: order.goodTilTime,
    authorization: authorization === ZERO_BYTES32 ? undefined : authorization,
    asked: order.size / rules.lotSize,
  };
}

function findIntentTerms(id: number, intents: IntentPasts): OrderTerms & { readonly side?: number } {
  const values = intents.find(id)?.values;
  if (values === undefined) return {};
  const { side, orderType, timeInForce, price: ticks, postOnly, selfTrade, selfTradeScope } = values;
  const reduceOnly = values.reduceOnly === 1;
  return { side, orderType, timeInForce, ticks, postOnly, selfTrade, selfTradeScope, reduceOnly };
}

type Placed = Payloads["placeOrder"];

/** The order of a transaction that has an id, as requested. */
function findPlaced(
  { action, payload }: Transaction<ActionName>,
  results: readonly { readonly orderId?: number }[] | undefined,
  id: number,
): Placed | undefined {
  const leg = results?.findIndex(({ orderId }) => orderId === id) ?? -1;
  if (leg < 0) return undefined;
  if (action === "placeOrder") return payload as Placed;
  return action === "placeOrders" ? (payload as Payloads["placeOrders"]).orders[leg] : undefined;
}
