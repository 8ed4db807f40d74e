import { NONE } from "../../collections/table.ts";
import { CANCEL_CAUSE } from "../../protocol/events.ts";
import { dropOrder } from "../book/orders.ts";
import { getPosition } from "../state/state.ts";
import { defineHandler, type Plan, reject } from "./defineHandler.ts";

/** Removes every resting order of the subaccount, in one market or in all. With none it still applies. */
export const handleCancelAll = defineHandler<"cancelAll">("cancelAll")<Plan & { readonly market: number }>({
  check(state, _context, { market }) {
    if (market === "") return { rejected: false, market: NONE };
    const row = state.marketRows.get(market);
    return row === undefined ? reject("MARKET_NOT_FOUND") : { rejected: false, market: row };
  },

  apply(state, { account }, { market }) {
    const { positions, orders, accounts } = state;
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
