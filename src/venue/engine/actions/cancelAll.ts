import { NONE } from "../../../ground/collections/table.ts";
import { CANCEL_CAUSE, INTENT_CAUSE } from "../../../protocol/events.ts";
import { cancelAccount } from "../book/cancelAccount.ts";
import { defineHandler, type Plan, reject } from "../handler/defineHandler.ts";
import { listIntents } from "../intents/followOrders.ts";
import { cancelIntent } from "../intents/intents.ts";
import type { MarketRow } from "../state/schema.ts";

interface CancelAllPlan extends Plan {
  readonly market: number;
  readonly intents: boolean;
}

/**
 * Removes every resting order of the subaccount, in one market or in all, and its intents. With none it still applies.
 */
export const handleCancelAll = defineHandler<"cancelAll">("cancelAll")<CancelAllPlan>({
  check(state, _context, { market, intents }) {
    if (market === "") return { rejected: false, market: NONE, intents };
    const row = state.marketRows.get(market);
    return row === undefined ? reject("MARKET_NOT_FOUND", { market }) : { rejected: false, market: row, intents };
  },

  apply(state, { account }, { market, intents }) {
    if (intents) {
      for (const row of listIntents(state, account)) {
        if (market === NONE || state.intents.market[row] === market) cancelIntent(state, row, INTENT_CAUSE.owner);
      }
    }
    cancelAccount(state, account, market as MarketRow, CANCEL_CAUSE.owner);
  },
});
