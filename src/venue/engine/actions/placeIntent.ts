import { NONE } from "../../../ground/collections/table.ts";
import type { Payloads } from "../../../protocol/actions/index.ts";
import { ORDER_OUTCOME } from "../../../protocol/receipt.ts";
import { REJECTION_PRECEDENCE } from "../../../protocol/rejections.ts";
import { INTENT_KIND } from "../../../protocol/words.ts";
import { defineHandler, type Plan, type Rejection } from "../handler/defineHandler.ts";
import { checkIntent } from "../intents/checkIntent.ts";
import { describeIntents } from "../intents/describeIntents.ts";
import { settleEndedOrders } from "../intents/followOrders.ts";
import { type IntentValues, placeIntent } from "../intents/intents.ts";
import { handlePlaceOrder } from "./placeOrder.ts";

interface PlaceIntentPlan extends Plan {
  readonly intents: readonly IntentValues[];
  readonly client: string;
  /** Plan of the entry order, in groups that have one. */
  readonly entry: Plan | undefined;
}

/**
 * Arms an intent, or the legs of a group (INT). An entry order is placed at once, as any order; its legs wait for its
 * fills. An intent reserves nothing for its order: the margin is checked when it fires.
 */
export const handlePlaceIntent = defineHandler<"placeIntent">("placeIntent")<PlaceIntentPlan>({
  check(state, context, intent) {
    const refused = checkIntent(state, context.account, intent);
    if (!hasEntry(intent) || refused?.code === "MARKET_NOT_FOUND") return refused ?? planOf(undefined);
    const entry = handlePlaceOrder.check(state, context, describeEntry(intent));
    // If both are refused for the same cause, the numbers are the entry's (INT-3).
    if (entry.rejected) return refused === undefined || !isBefore(refused, entry) ? entry : refused;
    return refused ?? planOf(entry);

    function planOf(plan: Plan | undefined): PlaceIntentPlan {
      const intents = describeIntents(state, context, intent);
      return { rejected: false, intents, client: intent.clientIntentId, entry: plan };
    }
  },

  apply(state, context, { intents, client, entry }) {
    for (const values of intents) placeIntent(state, values, client);
    if (entry === undefined) {
      context.orderId = intents[0]!.id;
      context.outcome = ORDER_OUTCOME.armed;
      return;
    }
    const { watched, ended } = state.intentIndex;
    watched.add(context.firstOrderId);
    handlePlaceOrder.apply(state, context, entry);
    if (state.orderIndex.find(state.orders, context.firstOrderId) === NONE) {
      ended.push(context.firstOrderId, context.account);
      settleEndedOrders(state);
    }
  },
});

function hasEntry({ kind }: Payloads["placeIntent"]): boolean {
  return kind === INTENT_KIND.oto || kind === INTENT_KIND.otoco;
}

function isBefore(a: Rejection, b: Rejection): boolean {
  return REJECTION_PRECEDENCE[a.code] < REJECTION_PRECEDENCE[b.code];
}

/** The entry order of a group, as its owner would send it: the good-til of the group is the entry's (INT-5). */
function describeEntry(intent: Payloads["placeIntent"]): Payloads["placeOrder"] {
  return {
    market: intent.market,
    side: intent.side,
    orderType: intent.orderType,
    size: intent.size,
    price: intent.price,
    slippage: intent.slippage,
    timeInForce: intent.timeInForce,
    goodTilHeight: intent.goodTilHeight,
    goodTilTime: intent.goodTilTime,
    postOnly: intent.postOnly,
    reduceOnly: false,
    selfTrade: intent.selfTrade,
    selfTradeScope: intent.selfTradeScope,
    clientOrderId: "",
  };
}
