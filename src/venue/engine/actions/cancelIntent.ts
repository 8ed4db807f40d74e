import { NONE } from "../../../ground/collections/table.ts";
import { CANCEL_CAUSE, INTENT_CAUSE } from "../../../protocol/events.ts";
import { dropOrder } from "../book/orders.ts";
import { defineHandler, type Plan, reject } from "../handler/defineHandler.ts";
import { listIntents } from "../intents/followOrders.ts";
import { cancelIntent } from "../intents/intents.ts";
import type { AccountRow, IntentRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/** Cancels an intent by its id, or all of a name; an order of it that rests goes with it. */
export const handleCancelIntent = defineHandler<"cancelIntent">("cancelIntent")<
  Plan & { readonly rows: readonly IntentRow[] }
>({
  check(state, { account }, { intent, clientIntentId }) {
    if (intent === 0) {
      const rows =
        clientIntentId === ""
          ? []
          : listIntents(state, account).filter((row) => state.intentTexts[row] === clientIntentId);
      return rows.length === 0 ? reject("INTENT_NOT_FOUND", { clientIntentId }) : { rejected: false, rows };
    }
    const row = state.intentIndex.find(intent);
    if (clientIntentId !== "" && !isOwnOfName(state, account, row, clientIntentId)) {
      return reject("INTENT_NOT_FOUND", { intent, clientIntentId });
    }
    if (row === NONE) return reject("INTENT_NOT_FOUND", { intent });
    if (state.intents.account[row] !== account) return reject("NOT_INTENT_OWNER", { intent });
    return { rejected: false, rows: [row] };
  },

  apply(state, _context, { rows }) {
    const { intents, orders, orderIndex } = state;
    for (const row of rows) {
      const order = orderIndex.find(orders, intents.id[row]);
      cancelIntent(state, row, INTENT_CAUSE.owner);
      if (order !== NONE) dropOrder(state, order, CANCEL_CAUSE.owner);
    }
  },
});

/** Whether an intent is the account's and has the name that is given next to its id (ACT-3). */
function isOwnOfName({ intents, intentTexts }: State, account: AccountRow, row: IntentRow | -1, name: string): boolean {
  return row !== NONE && intents.account[row] === account && intentTexts[row] === name;
}
