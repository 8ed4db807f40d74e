import { compareProducts, type PriceE8 } from "../../../ground/math/fixed.ts";
import { isTriggering } from "../../../protocol/lifecycle.ts";
import { OPERATION } from "../../../protocol/validity.ts";
import { MARKET_STATUSES, PRICE_SOURCE } from "../../../protocol/words.ts";
import { type Rejection, reject } from "../handler/defineHandler.ts";
import { getPrice, getTrailTrigger, toPrice } from "../intents/trigger.ts";
import { checkPrice, checkRestarting } from "../prices/validity.ts";
import { getTrailKey, getTriggerKey, placeOfHeap } from "../state/intentIndex.ts";
import type { IntentRow, MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/** An intent whose trigger was reached. */
export interface DueIntent {
  readonly row: IntentRow;
  readonly id: number;
  readonly market: MarketRow;
  /** |trigger - price at the start of the block|, and that price: nearer triggers fire first (INT-1). */
  readonly restarting: number;
  readonly previous: number;
  /** The price of the range that reached the trigger: its end. */
  readonly value: PriceE8;
}

interface Range {
  readonly low: PriceE8;
  readonly high: PriceE8;
  readonly previous: PriceE8;
}

/**
 * The prices of a source since triggers were last checked (INT-1): those of the block's trades, or the two values of
 * mark or index. Undefined if there are none.
 */
export function getRange(state: State, market: MarketRow, source: number): Range | undefined {
  const { markets } = state;
  if (source === PRICE_SOURCE.last) {
    if (markets.tradeHigh[market] === 0) return undefined;
    const low = toPrice(state, market, markets.tradeLow[market]);
    const high = toPrice(state, market, markets.tradeHigh[market]);
    const before = markets.lastBefore[market];
    return { low, high, previous: before === 0 ? low : toPrice(state, market, before) };
  }
  const now = getPrice(state, market, source);
  if (now === 0) return undefined;
  const before = source === PRICE_SOURCE.mark ? markets.markBefore[market] : markets.indexBefore[market];
  const previous = before === 0 ? now : before;
  return { low: previous < now ? previous : now, high: previous > now ? previous : now, previous };
}

/**
 * Why a market lets no intent fire, in order of precedence: its status, a pause (MKT), a gap, no mark, its price
 * (PRC-1, PRC-4). Undefined where intents may fire. A trigger then stays armed, a slice of a schedule is skipped
 * (INT-1, INT-4).
 */
export function checkTriggering(state: State, market: MarketRow): Rejection | undefined {
  const rules = state.parameters[market]!;
  if (!isTriggering(rules)) return reject("MARKET_CLOSED", { status: MARKET_STATUSES[rules.status]! });
  if (rules.pauseTrade !== 0) return reject("OPERATION_PAUSED", { operation: "trade" });
  const restarting = checkRestarting(state, market);
  if (restarting !== undefined) return restarting;
  if (state.markets.mark[market] === 0) return reject("PRICE_UNAVAILABLE", { market: state.marketNames[market]! });
  return checkPrice(state, market, OPERATION.trigger);
}

const SOURCES = [PRICE_SOURCE.mark, PRICE_SOURCE.index, PRICE_SOURCE.last] as const;
/** Triggers above a price, then those below. */
const DIRECTIONS = [false, true] as const;
const NONE_DUE: readonly IntentRow[] = [];

/**
 * Finds the intents whose triggers were reached, in the order in which they fire, and moves the best prices of trailing
 * stops that were not. Cost: once per intent that fires or trails, and per market.
 */
export function findDue(state: State): DueIntent[] {
  const due: DueIntent[] = [];
  const trailed: IntentRow[] = [];
  const count = state.markets.rows.high;
  for (let market = 0 as MarketRow; market < count; market++) {
    if (checkTriggering(state, market) !== undefined) continue;
    for (const source of SOURCES) {
      const range = getRange(state, market, source);
      if (range === undefined) continue;
      for (const below of DIRECTIONS) {
        const fired = takeDue(state, placeOfHeap(market, source, below), below ? range.low : range.high, below);
        for (const row of fired) due.push(describe(state, row, range, below));
        takeTrailing(state, placeOfHeap(market, source, below), range, below, fired, trailed);
      }
    }
  }
  for (const row of trailed.sort((a, b) => state.intents.id[a] - state.intents.id[b])) emitTrailed(state, row);
  return due.sort(compareDue);
}

/** Rows of a heap whose trigger is at a price or was passed by it. Those armed in this block wait for the next. */
function takeDue(state: State, place: number, price: number, below: boolean): readonly IntentRow[] {
  const { intents, intentIndex } = state;
  const heap = intentIndex.triggers[place];
  const bound = below ? 0 - price : price;
  // Mostly no trigger is due.
  if (heap === undefined || heap.least > bound) return NONE_DUE;
  const reached = intentIndex.take(intents, heap, bound, getTriggerKey);
  for (const row of reached) if (!isReady(state, row)) intentIndex.armTrigger(intents, row);
  return reached.filter((row) => isReady(state, row));
}

/** An intent is checked from the block after the one in which it was armed. */
export function isReady(state: State, row: IntentRow): boolean {
  return state.intents.armedHeight[row] < state.height;
}

function describe(state: State, row: IntentRow, range: Range, below: boolean): DueIntent {
  const { intents } = state;
  return {
    row,
    id: intents.id[row],
    market: intents.market[row],
    restarting: Math.abs(intents.trigger[row] - range.previous),
    previous: range.previous,
    value: below ? range.low : range.high,
  };
}

function compareDue(a: DueIntent, b: DueIntent): number {
  return compareProducts(a.restarting, b.previous, b.restarting, a.previous) || a.market - b.market || a.id - b.id;
}

/**
 * Moves the best price of trailing stops whose extreme the range passes, those that fire excepted.
 *
 * @param moved receives the rows of these stops
 */
function takeTrailing(
  state: State,
  place: number,
  range: Range,
  below: boolean,
  fired: readonly IntentRow[],
  moved: IntentRow[],
): void {
  const { intents, intentIndex } = state;
  const heap = intentIndex.trails[place];
  const best = below ? range.high : range.low;
  const bound = (below ? best : 0 - best) - 1;
  if (heap === undefined || heap.least > bound) return;
  const isFired = new Set(fired);
  for (const row of intentIndex.take(intents, heap, bound, getTrailKey)) {
    if (isFired.has(row)) continue;
    if (isReady(state, row)) {
      intents.extreme[row] = best;
      intents.trigger[row] = getTrailTrigger(intents, row);
      intentIndex.armTrigger(intents, row);
      moved.push(row);
    }
    intentIndex.armTrail(intents, row);
  }
}

function emitTrailed(state: State, row: IntentRow): void {
  const { id, extreme, trigger } = state.intents;
  state.events.intentTrailed({ intent: id[row], extreme: extreme[row], trigger: trigger[row] });
}
