import { NONE } from "../../collections/table.ts";
import { CANCEL_CAUSE, INTENT_CAUSE } from "../../protocol/events.ts";
import { AUTHORIZATION_STATUS } from "../../protocol/words.ts";
import { setGrantStatus } from "../authorization/limits.ts";
import { getGrant } from "../book/extras.ts";
import { dropOrder } from "../book/orders.ts";
import { cancelIntent } from "../intents/intents.ts";
import type { AccountRow, AuthorizationRow, IntentRow, OrderRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { defineHandler, type Plan, reject } from "./defineHandler.ts";

interface RevokePlan extends Plan {
  readonly grant: AuthorizationRow;
  readonly cancelOrders: boolean;
}

/** Ends a grant for ever, at once (AUT). Its nonces stay used (NON-5). */
export const handleRevokeAuthorization = defineHandler<"revokeAuthorization">("revokeAuthorization")<RevokePlan>({
  check(state, { account, grant: signer }, { authorization, cancelOrders }) {
    const { accounts, authorizations } = state;
    const grant = state.grants.find(authorization);
    if (signer !== NONE && grant !== signer) return reject("AUTHORIZATION_SCOPE", { scope: "owner" });
    const own = grant !== NONE && accounts.owner[authorizations.account[grant]] === accounts.owner[account];
    if (!own) return reject("GRANT_NOT_FOUND");
    if (authorizations.status[grant] > AUTHORIZATION_STATUS.active) return reject("NOTHING_TO_DO");
    return { rejected: false, grant, cancelOrders };
  },

  apply(state, { account }, { grant, cancelOrders }) {
    setGrantStatus(state, grant, AUTHORIZATION_STATUS.revoked);
    if (!cancelOrders) return;
    for (const intent of listIntents(state, account, grant)) cancelIntent(state, intent, INTENT_CAUSE.authorization);
    if (state.authorizations.openOrders[grant] === 0) return;
    for (const order of listOrders(state, account, grant)) dropOrder(state, order, CANCEL_CAUSE.revoked);
  },
});

/** Intents that were placed under a grant, by id. Cost: once per intent of the owner. */
function listIntents({ owners, accounts, intents }: State, account: AccountRow, grant: AuthorizationRow): IntentRow[] {
  const found: IntentRow[] = [];
  for (let own = owners.account[accounts.owner[account]]; own !== NONE; own = accounts.ownerNext[own]) {
    for (let row = accounts.intents[own]; row !== NONE; row = intents.older[row]) {
      if (intents.authorization[row] === grant) found.push(row);
    }
  }
  return found.sort((a, b) => intents.id[a] - intents.id[b]);
}

/** Orders that rest under a grant, by id. Cost: once per resting order of the owner. */
function listOrders(state: State, account: AccountRow, grant: AuthorizationRow): OrderRow[] {
  const { owners, accounts, positions, orders } = state;
  const found: OrderRow[] = [];
  for (let own = owners.account[accounts.owner[account]]; own !== NONE; own = accounts.ownerNext[own]) {
    for (let at = accounts.position[own]; at !== NONE; at = positions.next[at]) {
      for (let order = positions.orders[at]; order !== NONE; order = orders.older[order]) {
        if (getGrant(state, order) === grant) found.push(order);
      }
    }
  }
  return found.sort((a, b) => orders.id[a] - orders.id[b]);
}
