import { NONE } from "../../../ground/collections/table.ts";
import { CANCEL_CAUSE, INTENT_CAUSE } from "../../../protocol/events.ts";
import { AUTHORIZATION_STATUS, AUTHORIZATION_STATUSES, INTENT_STATE } from "../../../protocol/words.ts";
import { setGrantStatus } from "../authorization/limits.ts";
import { getGrant } from "../book/extras.ts";
import { dropOrder } from "../book/orders.ts";
import { defineHandler, type Plan, reject } from "../handler/defineHandler.ts";
import { cancelIntent, failIntent } from "../intents/intents.ts";
import { isProtecting } from "../intents/protection.ts";
import type { AccountRow, AuthorizationRow, IntentRow, OrderRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

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
    if (!own) return reject("GRANT_NOT_FOUND", { authorization });
    if (authorizations.status[grant] > AUTHORIZATION_STATUS.active) {
      return reject("NOTHING_TO_DO", { status: AUTHORIZATION_STATUSES[authorizations.status[grant]]! });
    }
    return { rejected: false, grant, cancelOrders };
  },

  apply(state, { account }, { grant, cancelOrders }) {
    setGrantStatus(state, grant, AUTHORIZATION_STATUS.revoked);
    const orders = new Set(endIntents(state, account, grant, cancelOrders));
    if (cancelOrders && state.authorizations.openOrders[grant] !== 0) {
      for (const order of listOrders(state, account, grant)) orders.add(order);
    }
    const { id } = state.orders;
    for (const order of [...orders].sort((a, b) => id[a] - id[b])) dropOrder(state, order, CANCEL_CAUSE.revoked);
  },
});

/**
 * Ends intents of a revoked grant (INT-6): those that protect fail, unless their order rests already; the others are
 * cancelled with the grant's orders. By id.
 *
 * @returns the resting entries whose legs failed: nothing would close what they fill
 */
function endIntents(
  state: State,
  account: AccountRow,
  grant: AuthorizationRow,
  cancelOrders: boolean,
): readonly OrderRow[] {
  const { intents, orders, orderIndex } = state;
  const entries: OrderRow[] = [];
  for (const row of listIntents(state, account, grant)) {
    if (isProtecting(intents, row) && intents.state[row] !== INTENT_STATE.triggered) {
      const entry = intents.entry[row] === 0 ? NONE : orderIndex.find(orders, intents.entry[row]);
      failIntent(state, row, "AUTHORIZATION_REVOKED");
      if (entry !== NONE) entries.push(entry as OrderRow);
    } else if (cancelOrders) {
      cancelIntent(state, row, INTENT_CAUSE.authorization);
    }
  }
  return entries;
}

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
