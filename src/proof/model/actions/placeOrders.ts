import type { ActionResult } from "../../../protocol/receipt.ts";
import { type DemandOf, tradeOr } from "../authorization/demand.ts";
import { enterOrder } from "../orders/enterOrder.ts";
import { refuse, rejected } from "../receipts.ts";
import { saveState } from "../undo.ts";
import { BATCH_MODES } from "../words.ts";
import type { Handler, ModelAction } from "./handler.ts";
import { readOrder } from "./placeOrder.ts";

const demand: DemandOf<"placeOrders"> = ({ orders }) => ({
  scope: tradeOr(orders.every(({ reduceOnly }) => reduceOnly)),
  markets: orders.map(({ market }) => market),
});

/** `each` returns a result per order; `all` rolls back all if one is rejected or a fill-or-kill is killed (ACT-1). */
const apply: Handler<"placeOrders"> = (state, context, { mode, orders }) => {
  if (orders.length === 0) return rejected("NOTHING_TO_DO");
  const undo = BATCH_MODES[mode] === "all" ? saveState(state) : undefined;
  const results: ActionResult[] = [];
  for (const [place, order] of orders.entries()) {
    const id = context.firstId + place;
    const request = readOrder(state, context, order, id);
    const entered = request === undefined ? rejected("MARKET_NOT_FOUND") : enterOrder(state, request);
    if (!("result" in entered)) {
      const { code } = entered;
      if (undo !== undefined) {
        undo();
        return { code: code! };
      }
      results.push({ orderId: id, status: "rejected", code: code! });
      continue;
    }
    if (undo !== undefined && entered.stopped === "numericLimit") {
      undo();
      return rejected("NUMERIC_LIMIT");
    }
    const isKilled = request?.timeInForce === "FOK" && entered.result.status === "cancelled";
    if (undo !== undefined && isKilled) {
      undo();
      return rejected(refuse(state, "ORDER_KILLED", { leg: place }));
    }
    results.push(entered.result);
  }
  return { results };
};

export const placeOrders: ModelAction<"placeOrders"> = { domain: "trading", demand, apply };
