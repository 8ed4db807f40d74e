import { NONE } from "../../../ground/collections/table.ts";
import { LIMIT } from "../../../ground/math/fixed.ts";
import type { Payloads } from "../../../protocol/actions/index.ts";
import { CANCEL_CAUSE } from "../../../protocol/events.ts";
import { type ActionResult, ORDER_OUTCOME } from "../../../protocol/receipt.ts";
import { BATCH_MODE, TIME_IN_FORCE } from "../../../protocol/words.ts";
import { attempt } from "../handler/attempt.ts";
import {
  type ActionContext,
  createResult,
  defineHandler,
  type Plan,
  type Rejection,
  reject,
} from "../handler/defineHandler.ts";
import type { State } from "../state/state.ts";
import { handlePlaceOrder } from "./placeOrder.ts";

type Order = Payloads["placeOrder"];

interface PlaceOrdersPlan extends Plan {
  readonly all: boolean;
  readonly orders: readonly Order[];
}

/**
 * Enters several orders, each against the venue as those before it left it (ACT-1). `each` continues after a rejected
 * order. `all` runs as one attempt: a rejected order, a numeric limit, or a fill-or-kill that does not fill whole
 * undoes every order. The receipt names the failed one (`leg`, from 0). A part cancelled by a time in force, self-trade
 * prevention or sliding is no failure. The n-th order has the n-th id of the transaction.
 */
export const handlePlaceOrders = defineHandler<"placeOrders">("placeOrders")<PlaceOrdersPlan>({
  check(_state, _context, { mode, orders }) {
    if (orders.length === 0) return reject("NOTHING_TO_DO", { entries: 0 });
    return { rejected: false, all: mode === BATCH_MODE.all, orders };
  },

  apply(state, context, { all, orders }) {
    const results: ActionResult[] = [];
    if (all) context.refused = attempt(state, () => placeAll(state, context, orders, results));
    else orders.forEach((order, leg) => void placeLeg(state, context, order, leg, results));
    if (context.refused === undefined) context.results = results;
  },
});

/** Enters every order, up to the first that fails. */
function placeAll(
  state: State,
  context: ActionContext,
  orders: readonly Order[],
  results: ActionResult[],
): Rejection | undefined {
  for (const [leg, order] of orders.entries()) {
    const done = placeLeg(state, context, order, leg, results);
    const failed = "code" in done ? done : findFailure(order, done);
    if (failed !== undefined) return reject(failed.code, { leg, ...failed.numbers });
  }
  return undefined;
}

/** Enters one order and adds its result; returns its rejection or its outcome. */
function placeLeg(
  state: State,
  { account, firstOrderId, grant, transaction }: ActionContext,
  order: Order,
  leg: number,
  results: ActionResult[],
): Rejection | ActionContext {
  const context: ActionContext = {
    account,
    grant,
    transaction,
    firstOrderId: firstOrderId + leg,
    outcome: NONE,
    orderId: 0,
    stopped: NONE,
    cut: undefined,
    results: undefined,
    refused: undefined,
    carried: undefined,
  };
  const plan = handlePlaceOrder.check(state, context, order);
  if (plan.rejected) {
    const { code, numbers } = plan;
    results.push({
      orderId: context.firstOrderId,
      status: "rejected",
      code,
      ...(numbers === undefined ? {} : { numbers }),
    });
    return plan;
  }
  handlePlaceOrder.apply(state, context, plan);
  results.push(createResult(context));
  return context;
}

/** Why an order that entered fails its batch nevertheless. */
function findFailure(order: Order, { outcome, stopped }: ActionContext): Rejection | undefined {
  if (stopped === CANCEL_CAUSE.numericLimit) return reject("NUMERIC_LIMIT", { limit: LIMIT });
  if (order.timeInForce !== TIME_IN_FORCE.FOK || outcome === ORDER_OUTCOME.filled) return undefined;
  // A reduce-only order that closed the whole position filled whole, also where it asked for more (ORD-2).
  return order.reduceOnly && outcome === ORDER_OUTCOME.partiallyFilled
    ? undefined
    : reject("ORDER_KILLED", { size: order.size });
}
