import { NONE } from "../../../ground/collections/table.ts";
import type { AccountRow, MarketRow } from "../state/schema.ts";
import { getPosition, type State } from "../state/state.ts";
import { dropOrder } from "./orders.ts";

/** Cancels every resting order of an account, newest first by market; `market` for one, NONE for all. */
export function cancelAccount(state: State, account: AccountRow, market: MarketRow, cause: number): void {
  const { positions, orders, accounts } = state;
  let next = market === NONE ? accounts.position[account] : getPosition(state, account, market);
  while (next !== NONE) {
    const at = next;
    next = market === NONE ? positions.next[at] : (NONE as typeof at);
    let order = positions.orders[at];
    while (order !== NONE) {
      const older = orders.older[order];
      dropOrder(state, order, cause);
      order = older;
    }
  }
}
