import { NONE } from "../../collections/table.ts";
import { CANCEL_CAUSE, INTENT_CAUSE } from "../../protocol/events.ts";
import { dropOrder } from "../book/orders.ts";
import { listIntents } from "../intents/followOrders.ts";
import { cancelIntent } from "../intents/intents.ts";
import { getPosition } from "../state/state.ts";
import { defineHandler, type Plan, reject } from "./defineHandler.ts";

interface CancelAllPlan extends Plan {
  readonly market: number;
  readonly intents: boolean;
}

/** Removes every resting order of the subaccount, in one market or in all, and its intents. With none it still applies. */
export const handleCancelAll = defineHandler<"cancelAll">("cancelAll")<CancelAllPlan>({
  check(state, _context, { market, intents }) {
    if (market === "") return { rejected: false, market: NONE, intents };
    const row = state.marketRows.get(market);
    return row === undefined ? reject("MARKET_NOT_FOUND") : { rejected: false, market: row, intents };
  },

  apply(state, { account }, { market, intents }) {
    const { positions, orders, accounts } = state;
    if (intents) {
      for (const row of listIntents(state, account)) {
        if (market === NONE || state.intents.market[row] === market) cancelIntent(state, row, INTENT_CAUSE.owner);
      }
    }
    let next = market === NONE ? accounts.position[account] : getPosition(state, account, market as never);
    while (next !== NONE) {
      const at = next;
      next = market === NONE ? positions.next[at] : (NONE as typeof at);
      let order = positions.orders[at];
      while (order !== NONE) {
        const older = orders.older[order];
        dropOrder(state, order, CANCEL_CAUSE.owner);
        order = older;
      }
    }
  },
});
