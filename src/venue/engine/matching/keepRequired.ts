import { NONE } from "../../../ground/collections/table.ts";
import { CANCEL_CAUSE } from "../../../protocol/events.ts";
import { MARGIN_MODE, ROLE, SELF_TRADE } from "../../../protocol/words.ts";
import { cancelRow } from "../book/orders.ts";
import { DEPTH, measure, meetsInitial } from "../margin/health.ts";
import { computeSurplus } from "../margin/surplus.ts";
import type { Health } from "../state/health.ts";
import { FLAG_REDUCE_ONLY, type PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/** No bound for an order: its account met its initial margin before it. */
export const NOT_BELOW = -1;

/**
 * Initial margin with orders of a cross account that is below it (MRG-4); `NOT_BELOW` where it is not, for the house,
 * and for an isolated position, whose orders `carryReserve` keeps.
 */
export function getRequiredBefore(state: State, position: PositionRow): number {
  const { positions, accounts } = state;
  const account = positions.account[position];
  if (accounts.role[account] === ROLE.house || positions.mode[position] !== MARGIN_MODE.cross) return NOT_BELOW;
  if (computeSurplus(state, account, NONE, 0, 0) >= 0) return NOT_BELOW;
  const health = measure(state, account, DEPTH.orders);
  return health.overflow || meetsInitial(health) ? NOT_BELOW : health.initial;
}

/**
 * Whether orders of the taker's own account may go while it matches: by self-trade prevention, or as legs of an intent.
 */
export function mayLoseOrders(state: State, selfTrade: number): boolean {
  return selfTrade !== SELF_TRADE.cancelTaker || state.intents.rows.count !== 0;
}

/**
 * Runs after an order of an account that was below its initial margin. The remaining orders may reserve more than all
 * orders did before. Then the newest orders in the market are cancelled, until initial margin with orders is met or no
 * greater than before (MRG-4). Reduce-only orders reserve nothing and stay. The position row stays. Cost: one
 * measurement, and one per cancelled order.
 */
export function keepRequired(state: State, position: PositionRow, before: number): void {
  const { positions, orders } = state;
  const account = positions.account[position];
  for (;;) {
    let at = positions.orders[position];
    while (at !== NONE && (orders.flags[at] & FLAG_REDUCE_ONLY) !== 0) at = orders.older[at];
    if (at === NONE) return;
    const health = measure(state, account, DEPTH.orders);
    if (meetsInitial(health) || isWithin(health, before)) return;
    cancelRow(state, at, CANCEL_CAUSE.margin);
  }
}

function isWithin(health: Health, most: number): boolean {
  return health.overflow ? health.bigInitial <= BigInt(most) : health.initial <= most;
}
