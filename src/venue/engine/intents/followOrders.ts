import { NONE } from "../../../ground/collections/table.ts";
import type { Lots, Ticks } from "../../../ground/math/fixed.ts";
import { CANCEL_CAUSE, INTENT_CAUSE } from "../../../protocol/events.ts";
import { INTENT_STATE, SIDE } from "../../../protocol/words.ts";
import { cancelRow, dropOrder, resizeOrder } from "../book/orders.ts";
import { keepIntents } from "../state/keepIntents.ts";
import type { AccountRow, IntentRow, MarketRow, OrderRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { armIntent, cancelIntent, completeIntent, resizeIntent } from "./intents.ts";

/** Widens the range of trades that triggers on the last price are checked against. Only while there are intents. */
export function noteTrade(state: State, market: MarketRow, price: Ticks): void {
  const { markets } = state;
  if (price > markets.tradeHigh[market]) markets.tradeHigh[market] = price;
  if (price < markets.tradeLow[market] || markets.tradeLow[market] === 0) markets.tradeLow[market] = price;
}

/**
 * Applies a fill of an order to intents (INT-2). Fills of an entry arm its legs. Fills of an order of a group reduce
 * the other leg, and the last fill ends it. No position row is given back. Cost: once per intent of the account, for
 * orders that concern one.
 *
 * @param left unfilled lots of the order
 */
export function followFill(state: State, order: number, account: AccountRow, lots: number, left: number): void {
  const index = state.intentIndex;
  if (!index.watched.has(order)) return;
  keepIntents(state);
  const { intents } = state;
  const own = index.find(order);
  if (own !== NONE && intents.state[own] === INTENT_STATE.triggered) {
    intents.filled[own] = (intents.filled[own] + lots) as Lots;
    if (own === index.firing) intents.size[own] = Math.max(0, intents.size[own] - lots) as Lots;
    else resizeIntent(state, own, Math.max(0, intents.size[own] - lots));
    if (intents.group[own] !== 0) shrinkSiblings(state, own, lots, left);
  }
  for (const row of listIntents(state, account)) {
    if (intents.entry[row] === order && intents.state[row] !== INTENT_STATE.triggered) armIntent(state, row, lots);
  }
}

function shrinkSiblings(state: State, own: IntentRow, lots: number, left: number): void {
  const { intents } = state;
  for (const row of listIntents(state, intents.account[own])) {
    if (row === own || intents.group[row] !== intents.group[own]) continue;
    const rest = intents.size[row] - lots;
    if (intents.state[row] === INTENT_STATE.triggered) shrinkChild(state, row, left === 0 ? 0 : rest);
    else if (left === 0 || (intents.fraction[row] === 0 && rest <= 0)) cancelIntent(state, row, INTENT_CAUSE.sibling);
    else if (intents.fraction[row] === 0) resizeIntent(state, row, rest);
  }
}

/** Takes the sibling's fills off an order that rests. */
function shrinkChild(state: State, row: IntentRow, lots: number): void {
  const { orders, intents } = state;
  const order = state.orderIndex.find(orders, intents.id[row]);
  resizeIntent(state, row, Math.max(0, lots));
  if (order === NONE) return;
  if (lots <= 0) {
    cancelRow(state, order, CANCEL_CAUSE.intent);
  } else if (lots < orders.remaining[order]) {
    resizeOrder(state, order, lots as Lots, CANCEL_CAUSE.intent);
  }
}

/**
 * Applies the end of watched orders, once their effects are complete. An intent whose order has left the book is done.
 * Legs that still wait for an entry that has left are cancelled. An order that was amended rests again under its id.
 */
export function settleEndedOrders(state: State): void {
  const { intents, orders, orderIndex } = state;
  const { ended, watched, rowOf } = state.intentIndex;
  // Setting the length of an array costs more than all else that a quiet block does here.
  if (ended.length === 0) return;
  for (let at = 0; at < ended.length; at += 2) {
    const order = ended[at]!;
    if (!watched.has(order) || orderIndex.find(orders, order) !== NONE) continue;
    watched.delete(order);
    const own = rowOf.get(order);
    if (own !== undefined && intents.state[own] === INTENT_STATE.triggered) completeIntent(state, own);
    for (const row of listIntents(state, ended[at + 1]! as AccountRow)) {
      if (intents.entry[row] === order && intents.state[row] === INTENT_STATE.waiting) {
        cancelIntent(state, row, INTENT_CAUSE.entry);
      }
    }
  }
  ended.length = 0;
}

/**
 * Ends the intents that were bound to a position which is closed or turned around (INT-2). A leg whose entry still
 * rests waits for it again. An intent whose own order closed the position ends by itself.
 *
 * @param signedLots of the position before
 */
export function followPositionEnd(state: State, account: AccountRow, market: MarketRow, signedLots: number): void {
  keepIntents(state);
  const { intents, orders, orderIndex } = state;
  const closing = signedLots > 0 ? SIDE.sell : SIDE.buy;
  for (const row of listIntents(state, account)) {
    if (intents.market[row] !== market || intents.reduceOnly[row] === 0 || intents.side[row] !== closing) continue;
    if (intents.state[row] !== INTENT_STATE.armed) continue;
    const entry = intents.entry[row];
    if (entry !== 0 && orderIndex.find(orders, entry) !== NONE) {
      intents.state[row] = INTENT_STATE.waiting;
      resizeIntent(state, row, 0);
    } else {
      cancelIntent(state, row, INTENT_CAUSE.position);
    }
  }
}

/**
 * A liquidation cancels the intents of a margin account except those that only reduce (INT-2). Then it cancels the
 * resting entries whose legs it cancelled, by order id (INT-5).
 *
 * @param market of an isolated margin account; NONE for the cross margin account, whose collateral any order is
 *   reserved from
 */
export function dropRiskyIntents(state: State, account: AccountRow, market: MarketRow): void {
  const { intents, orders, orderIndex } = state;
  const entries = new Set<OrderRow>();
  for (const row of listIntents(state, account)) {
    if (market !== NONE && intents.market[row] !== market) continue;
    if (intents.reduceOnly[row] === 0 && intents.state[row] !== INTENT_STATE.triggered) {
      const entry = intents.entry[row] === 0 ? NONE : orderIndex.find(orders, intents.entry[row]);
      cancelIntent(state, row, INTENT_CAUSE.liquidation);
      if (entry !== NONE) entries.add(entry as OrderRow);
    }
  }
  if (entries.size === 0) return;
  const rows = [...entries].sort((a, b) => orders.id[a] - orders.id[b]);
  for (const entry of rows) dropOrder(state, entry, CANCEL_CAUSE.liquidation);
}

/** Cancels every intent of a market that closes for good. Their orders go with the others. Cost: once per intent. */
export function dropMarketIntents(state: State, market: MarketRow): void {
  const { intents } = state;
  const rows: IntentRow[] = [];
  for (let row = 0 as IntentRow; row < intents.rows.high; row++) {
    if (intents.rows.isLive(row) && intents.market[row] === market) rows.push(row);
  }
  rows.sort((a, b) => intents.id[a] - intents.id[b]);
  for (const row of rows) cancelIntent(state, row, INTENT_CAUSE.market);
}

/** Intents of an account, newest first, as they are now. */
export function listIntents(state: State, account: AccountRow): IntentRow[] {
  const rows: IntentRow[] = [];
  for (let at = state.accounts.intents[account]; at !== NONE; at = state.intents.older[at]) rows.push(at);
  return rows;
}
