import type { Ticks } from "../../../ground/math/fixed.ts";
import { INTENT_STATE } from "../../../protocol/words.ts";
import { settleEndedOrders } from "../intents/followOrders.ts";
import { getSliceKey } from "../state/intentIndex.ts";
import type { IntentRow, MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { findDue, isReady } from "../triggers/findDue.ts";
import { fireIntent } from "../triggers/fire.ts";
import { fireSlice } from "../triggers/fireSlice.ts";

/** Before step 1 of a block: keeps the prices that triggers compare with later. Nothing to do without intents. */
export function notePrices(state: State): void {
  if (state.intents.rows.count === 0) return;
  const { markets } = state;
  for (let market = 0 as MarketRow; market < markets.rows.high; market++) {
    markets.markBefore[market] = markets.mark[market];
    markets.indexBefore[market] = markets.index[market];
    markets.lastBefore[market] = markets.last[market];
  }
}

/**
 * Step 7 of a block: intents whose price or time has come place their orders (INT). Triggers are checked once: price
 * changes by these orders reach triggers in the next block. Triggers fire by their distance from the price before, then
 * schedules by time.
 */
export function fireTriggers(state: State): void {
  const { intents, intentIndex } = state;
  settleEndedOrders(state);
  const due = intents.rows.count === 0 ? [] : findDue(state);
  const slices = intents.rows.count === 0 ? [] : findSlices(state);
  forgetTrades(state);
  for (const { row, id, value } of due) {
    if (intentIndex.find(id) !== row || intents.state[row] !== INTENT_STATE.armed) continue;
    fireIntent(state, row, value);
    settleEndedOrders(state); // the next to fire may be the other leg of a pair (INT-2)
  }
  for (const { row, id } of slices) {
    if (intentIndex.find(id) !== row || intents.state[row] !== INTENT_STATE.armed) continue;
    fireSlice(state, row);
    settleEndedOrders(state);
  }
  emitTrades(state);
}

interface DueSlice {
  readonly row: IntentRow;
  readonly id: number;
  readonly dueMs: number;
}

/** Schedules with a slice due by now, by its time, then id. */
function findSlices(state: State): DueSlice[] {
  const { intents, intentIndex } = state;
  const due: DueSlice[] = [];
  for (const row of intentIndex.take(intents, intentIndex.slices, state.timeMs, getSliceKey)) {
    if (isReady(state, row)) {
      due.push({ row, id: intents.id[row], dueMs: getSliceKey(intents, row) });
    } else {
      intentIndex.arm(intents, row);
    }
  }
  return due.sort((a, b) => a.dueMs - b.dueMs || a.id - b.id);
}

/** Triggers have seen the trades so far: the range of the next block starts empty. */
function forgetTrades({ markets }: State): void {
  for (let market = 0 as MarketRow; market < markets.rows.high; market++) {
    if (markets.tradeHigh[market] === 0) continue;
    markets.tradeHigh[market] = 0 as Ticks;
    markets.tradeLow[market] = 0 as Ticks;
  }
}

/** The prices at which intents traded in this step are part of the next block's range. */
function emitTrades(state: State): void {
  const { markets } = state;
  for (let market = 0 as MarketRow; market < markets.rows.high; market++) {
    if (markets.tradeHigh[market] === 0) continue;
    state.events.intentsTraded({ market, high: markets.tradeHigh[market], low: markets.tradeLow[market] });
  }
}
