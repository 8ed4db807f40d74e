import { NONE } from "../../../ground/collections/table.ts";
import { CANCEL_CAUSE } from "../../../protocol/events.ts";
import { cancelRow } from "../book/orders.ts";
import { DEPTH, getIsolatedReserve, measure, meetsInitial } from "../margin/health.ts";
import { FLAG_REDUCE_ONLY, type PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/** Cross collateral of an account, and its reserve for an isolated market, before a taker matched there. */
export interface CrossBefore {
  readonly collateral: number;
  readonly reserve: number;
}

export function readCrossBefore(state: State, position: PositionRow): CrossBefore {
  const { accounts, positions } = state;
  return {
    collateral: accounts.collateral[positions.account[position]],
    reserve: getIsolatedReserve(state, position),
  };
}

/**
 * After a taker filled in an isolated market, its open orders there stay while cross covers their reserve. They also
 * stay if no more is reserved, of no less collateral, than before (MRG-2, MRG-4). Otherwise they are cancelled, the
 * newest first. A fill that reduces leaves its margin in the position's margin account until that is closed, while the
 * resting orders reserve more from cross. The position row stays. Cost: once per cancelled order of the position.
 */
export function carryReserve(state: State, position: PositionRow, before: CrossBefore): void {
  const { positions, orders, accounts } = state;
  const account = positions.account[position];
  for (;;) {
    let at = positions.orders[position];
    while (at !== NONE && (orders.flags[at] & FLAG_REDUCE_ONLY) !== 0) at = orders.older[at];
    if (at === NONE || meetsInitial(measure(state, account, DEPTH.orders))) return;
    const lost = accounts.collateral[account] < before.collateral;
    if (!lost && getIsolatedReserve(state, position) <= before.reserve) return;
    cancelRow(state, at, CANCEL_CAUSE.margin);
  }
}
