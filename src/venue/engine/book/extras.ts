/**
 * Values that few resting orders have: an expiry, a grant, a client order id. They are in a table of their own, and the
 * many orders without any pay four bytes for it.
 */
import { NONE } from "../../../ground/collections/table.ts";
import type { TimeMs } from "../../../ground/math/fixed.ts";
import { type AuthorizationRow, type ExtraRow, FLAG_EXPIRES, type OrderRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import type { NewOrder } from "./orders.ts";

/** Last height at which an order may trade, 0 for none. */
export function getLastHeight({ orders, extras }: State, order: OrderRow): number {
  const extra = orders.extra[order];
  return extra === NONE ? 0 : extras.goodTilHeight[extra];
}

/** Last block time at which an order may trade, 0 for none. */
export function getLastTime({ orders, extras }: State, order: OrderRow): TimeMs {
  const extra = orders.extra[order];
  return extra === NONE ? (0 as TimeMs) : extras.goodTilTime[extra];
}

/** The grant under which an agent entered an order, NONE for its owner's own. */
export function getGrant({ orders, extras }: State, order: OrderRow): AuthorizationRow {
  const extra = orders.extra[order];
  return extra === NONE ? (NONE as AuthorizationRow) : extras.grant[extra];
}

/** The client order id of an order, empty for none. */
export function getClientOrderId({ orders, extras, clients }: State, order: OrderRow): string {
  const extra = orders.extra[order];
  return extra === NONE ? "" : clients.text(extras.client[extra]);
}

/** Gives a new order its row of extras if it has any. Its position is already in its row. */
export function openExtra(state: State, row: OrderRow, order: NewOrder): void {
  const { goodTilHeight, goodTilTime, grant, clientOrderId } = order;
  state.orders.extra[row] = NONE as ExtraRow;
  if (goodTilHeight === 0 && goodTilTime === 0 && grant === NONE && clientOrderId === "") return;
  const extra = addExtra(state, row);
  const { orders, extras, positions, clients } = state;
  extras.grant[extra] = grant;
  extras.client[extra] = clients.add(positions.account[orders.position[row]], clientOrderId, row);
  if (goodTilHeight !== 0 || goodTilTime !== 0) setExpiry(state, row, goodTilHeight, goodTilTime);
}

/** Frees the row of extras with the order. An attempt has kept the order (`keepOrder`). */
export function closeExtra(state: State, row: OrderRow): void {
  const { orders, extras, positions, clients, expiries } = state;
  const extra = orders.extra[row];
  clients.remove(positions.account[orders.position[row]], extras.client[extra]);
  if (extras.goodTilHeight[extra] !== 0) expiries.byHeight.remove(row);
  if (extras.goodTilTime[extra] !== 0) expiries.byTime.remove(row);
  extras.rows.release(extra);
  orders.extra[row] = NONE as ExtraRow;
}

/**
 * Gives a resting order a last height and a last block time, 0 for none, in place of those that it had (ORD-2). Within
 * an attempt the order is kept before.
 */
export function setExpiry(state: State, row: OrderRow, height: number, timeMs: number): void {
  const { orders, expiries } = state;
  const extra = orders.extra[row] === NONE ? addExtra(state, row) : orders.extra[row];
  const { extras } = state;
  if (extras.goodTilHeight[extra] !== 0) expiries.byHeight.remove(row);
  if (extras.goodTilTime[extra] !== 0) expiries.byTime.remove(row);
  extras.goodTilHeight[extra] = height;
  extras.goodTilTime[extra] = timeMs as TimeMs;
  orders.flags[row] |= FLAG_EXPIRES;
  if (height !== 0) expiries.byHeight.insert(row, height);
  if (timeMs !== 0) expiries.byTime.insert(row, timeMs);
}

function addExtra({ orders, extras, journal }: State, row: OrderRow): ExtraRow {
  const extra = journal.allocate(extras);
  extras.goodTilHeight[extra] = 0;
  extras.goodTilTime[extra] = 0 as TimeMs;
  extras.grant[extra] = NONE as AuthorizationRow;
  extras.client[extra] = NONE;
  orders.extra[row] = extra;
  return extra;
}
