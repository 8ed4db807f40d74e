import { NONE } from "../../../ground/collections/table.ts";
import type { TimeMs } from "../../../ground/math/fixed.ts";
import { CANCEL_CAUSE, INTENT_CAUSE } from "../../../protocol/events.ts";
import { expireGrants } from "../authorization/expireGrants.ts";
import { cancelAccount } from "../book/cancelAccount.ts";
import { dropOrder } from "../book/orders.ts";
import { listIntents } from "../intents/followOrders.ts";
import { cancelIntent } from "../intents/intents.ts";
import type { AccountRow, MarketRow, OrderRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/** Step 4 of a block: removes expired orders and intents. Cost: once per expiry, and nothing without one. */
export function expire(state: State): void {
  const { byHeight, byTime, cancels } = state.expiries;
  expireGrants(state);
  if (byHeight.least() < state.height || byTime.least() < state.timeMs) expireOrders(state);
  if (cancels.least() <= state.timeMs) runScheduledCancels(state);
}

/** Cancels the orders whose last height or last block time is before this block (ORD-2), by order id. */
function expireOrders(state: State): void {
  const { orders } = state;
  const { byHeight, byTime } = state.expiries;
  const due: OrderRow[] = [];
  const take = (heap: typeof byHeight, now: number) => {
    while (heap.least() < now) {
      const order = heap.top() as OrderRow;
      byHeight.remove(order);
      byTime.remove(order);
      due.push(order);
    }
  };
  take(byHeight, state.height);
  take(byTime, state.timeMs);
  due.sort((a, b) => orders.id[a] - orders.id[b]);
  for (const order of due) dropOrder(state, order, CANCEL_CAUSE.expired);
}

/** Cancels the intents and the orders of the accounts whose timed cancel is due (ACT), by account. */
function runScheduledCancels(state: State): void {
  const { cancels } = state.expiries;
  const due: AccountRow[] = [];
  while (cancels.least() <= state.timeMs) {
    const account = cancels.top() as AccountRow;
    cancels.remove(account);
    due.push(account);
  }
  due.sort((a, b) => a - b);
  for (const account of due) {
    state.accounts.cancelTime[account] = 0 as TimeMs;
    state.events.cancelScheduled({ account, timeMs: 0 });
    for (const row of listIntents(state, account)) cancelIntent(state, row, INTENT_CAUSE.owner);
    cancelAccount(state, account, NONE as MarketRow, CANCEL_CAUSE.scheduled);
  }
}
