import { NONE } from "../../../ground/collections/table.ts";
import type { AccountRow, MarketRow, OrderRow, PositionRow } from "./schema.ts";
import type { State } from "./state.ts";

/**
 * Keeps a position with its account and its market, before any of them is written. Costs a check while no attempt runs.
 */
export function keepPosition(state: State, position: PositionRow): void {
  if (!state.journal.on) return;
  const { journal, positions } = state;
  journal.row(positions, position);
  keepAccount(state, positions.account[position]);
  keepMarket(state, positions.market[position]);
}

export function keepAccount(state: State, account: AccountRow): void {
  if (state.journal.on) state.journal.row(state.accounts, account);
}

export function keepMarket(state: State, market: MarketRow): void {
  if (state.journal.on) state.journal.row(state.markets, market);
}

/** Keeps a resting order with its extras, and its position with account and market. */
export function keepOrder(state: State, order: OrderRow): void {
  if (!state.journal.on) return;
  const { journal, orders, extras } = state;
  journal.row(orders, order);
  const extra = orders.extra[order];
  if (extra !== NONE) journal.row(extras, extra);
  keepPosition(state, orders.position[order]);
}
