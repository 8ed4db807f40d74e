/** Plain walks over a venue's tables, for checks: their cost does not matter. */
import { NONE } from "../../../ground/collections/table.ts";
import type { AccountRow, Accounts, MarketRow, OrderRow, PositionRow, Positions } from "./schema.ts";
import type { State } from "./state.ts";

export function listAccounts(state: State): AccountRow[] {
  return listRows<AccountRow>(state.accounts.rows);
}

export function listMarkets(state: State): MarketRow[] {
  return listRows<MarketRow>(state.markets.rows);
}

export function listPositions(state: State): PositionRow[] {
  return listRows<PositionRow>(state.positions.rows);
}

export function listOrders(state: State): OrderRow[] {
  return listRows<OrderRow>(state.orders.rows);
}

/** The live rows of a table. */
export function listRows<Row extends number>(rows: { readonly high: number; isLive(row: number): boolean }): Row[] {
  const list: Row[] = [];
  for (let row = 0; row < rows.high; row++) if (rows.isLive(row)) list.push(row as Row);
  return list;
}

/** A venue, or its books: what holds accounts and positions. */
interface Holdings {
  readonly accounts: Accounts;
  readonly positions: Positions;
}

/**
 * Positions of an account as its list has them. Ends after as many steps as there are rows, should the list be a ring.
 */
export function positionsOf(state: Holdings, account: AccountRow): PositionRow[] {
  const list: PositionRow[] = [];
  let at = state.accounts.position[account]!;
  while (at !== NONE && list.length <= state.positions.rows.high) {
    list.push(at);
    at = state.positions.next[at]!;
  }
  return list;
}

/** Isolated positions of an account: each is a margin account of its own. */
export function isolatedOf(state: Holdings, account: AccountRow): PositionRow[] {
  const isolated: PositionRow[] = [];
  for (const at of positionsOf(state, account)) if (state.positions.mode[at] !== 0) isolated.push(at);
  return isolated;
}

/** Every margin account of an account: cross (undefined), then its isolated positions by market. */
export function marginAccountsOf(state: Holdings, account: AccountRow): (PositionRow | undefined)[] {
  return [undefined, ...isolatedOf(state, account)];
}

/** Open positions of a margin account. */
export function openOf(state: Holdings, account: AccountRow, isolated?: PositionRow): PositionRow[] {
  const { positions } = state;
  const open: PositionRow[] = [];
  for (const at of positionsOf(state, account)) {
    if (positions.signedLots[at] === 0) continue;
    if (isolated === undefined ? positions.mode[at] === 0 : at === isolated) open.push(at);
  }
  return open;
}

/** Collateral of a margin account. */
export function collateralOf(state: Holdings, account: AccountRow, isolated?: PositionRow): number {
  return isolated === undefined ? state.accounts.collateral[account]! : state.positions.isolated[isolated]!;
}

/** Name of a margin account in reports. */
export function marginAccountName(state: State, account: AccountRow, isolated?: PositionRow): string {
  return isolated === undefined ? `account ${account}` : nameOf(state, isolated);
}

/** Orders of a position, newest first. */
export function ordersOf(state: State, position: PositionRow): OrderRow[] {
  const list: OrderRow[] = [];
  let at = state.positions.orders[position]!;
  while (at !== NONE && list.length <= state.orders.rows.high) {
    list.push(at);
    at = state.orders.older[at]!;
  }
  return list;
}

/** Names of things in reports: ordinals and ids, never rows. */
export function nameOf(state: State, position: PositionRow): string {
  const { positions } = state;
  return `account ${positions.account[position]} in ${state.marketNames[positions.market[position]!]}`;
}
