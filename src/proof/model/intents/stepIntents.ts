import type { RejectionCode } from "../../../protocol/rejections.ts";
import { abs, max, min } from "../arithmetic.ts";
import { emit } from "../emitted.ts";
import { statusRules } from "../market/lifecycle.ts";
import { tighterPrice } from "../orders/checkOrder.ts";
import { enterOrder, type OrderRequest } from "../orders/enterOrder.ts";
import { removeOrder } from "../orders/removeOrder.ts";
import { isTrusted } from "../prices/validity.ts";
import type { Intent, Market, ModelState } from "../state.ts";
import { LIMIT, PPB } from "../words.ts";
import { protects } from "./hooks.ts";
import {
  compareDistance,
  computeExtreme,
  computeSlice,
  computeTrailTrigger,
  isReached,
  type Range,
} from "./trigger.ts";

/** Step 7: triggers, then slices (INT-1). */
export function fireIntents(state: ModelState): void {
  const triggered = findTriggered(state);
  const slices = findSlices(state);
  const trades = state.markets.map(({ low, high }) => ({ low, high }));
  for (const market of state.markets) {
    market.low = 0n;
    market.high = 0n;
  }
  for (const intent of triggered) if (isStillArmed(state, intent)) fire(state, intent);
  for (const intent of slices) if (isStillArmed(state, intent)) slice(state, intent);
  // Trades of intents' orders count in the next block.
  for (const [place, market] of state.markets.entries()) {
    market.intentLow = market.low;
    market.intentHigh = market.high;
    market.low = trades[place]!.low;
    market.high = trades[place]!.high;
  }
}

function isStillArmed(state: ModelState, intent: Intent): boolean {
  return state.intents.get(intent.id) === intent && intent.state === "armed";
}

/**
 * Why no intent fires in a market: its status, a pause, a restart, or its price; undefined if intents may fire (INT-4).
 */
function whyNothingFires(state: ModelState, market: Market): RejectionCode | undefined {
  if (!statusRules(market).trigger) return "MARKET_CLOSED";
  if (market.parameters.pauseTrade === "on") return "OPERATION_PAUSED";
  if (market.restarting) return "MARKET_RESTARTING";
  if (market.mark === 0n) return "PRICE_UNAVAILABLE";
  return isTrusted(market, state.timeMs, "trigger") ? undefined : "PRICE_NOT_VALID";
}

/** Armed intents of an earlier block. */
function findArmed(state: ModelState): Intent[] {
  return [...state.intents.values()].filter(
    ({ state: stage, armedHeight }) => stage === "armed" && armedHeight < state.height,
  );
}

/** Fires reached triggers, nearest first; other trailing stops follow their best price. */
function findTriggered(state: ModelState): Intent[] {
  const reached: { intent: Intent; trigger: bigint; before: bigint }[] = [];
  for (const intent of findArmed(state)) {
    if (intent.kind === "twap" || whyNothingFires(state, intent.market) !== undefined) continue;
    const range = rangeOf(intent.market, intent.source);
    if (range === undefined) continue;
    if (isReached(intent, range)) reached.push({ intent, trigger: intent.trigger, before: range.before });
    else if (intent.kind === "trailingStop") {
      intent.extreme = computeExtreme(intent, range);
      intent.trigger = computeTrailTrigger(intent, intent.extreme);
    }
  }
  reached.sort(
    (a, b) => compareDistance(a, b) || a.intent.market.ordinal - b.intent.market.ordinal || a.intent.id - b.intent.id,
  );
  return reached.map(({ intent }) => intent);
}

/** The range of a price in the block: between the value before and now, or its trades with the last block's intents. */
function rangeOf(market: Market, source: Intent["source"]): Range | undefined {
  if (source === "last") return tradesOf(market);
  const [before, now] = source === "mark" ? [market.previousMark, market.mark] : [market.previousIndex, market.index];
  if (now === 0n) return undefined;
  const first = before === 0n ? now : before;
  return { low: min(first, now), high: max(first, now), before: first };
}

function tradesOf({ low, high, intentLow, intentHigh, previousLast, parameters }: Market): Range | undefined {
  const lows = [low, intentLow].filter((ticks) => ticks !== 0n);
  const highs = [high, intentHigh].filter((ticks) => ticks !== 0n);
  if (lows.length === 0) return undefined;
  // A house may trade beyond the storable range (NUM-3).
  const priceOf = (ticks: bigint) => min(ticks * parameters.tickSize, LIMIT);
  const lowest = priceOf(lows.reduce(min));
  return {
    low: lowest,
    high: priceOf(highs.reduce(max)),
    before: previousLast === 0n ? lowest : priceOf(previousLast),
  };
}

/** Places the order of an intent; a rejected order makes the intent fail. */
function fire(state: ModelState, intent: Intent): void {
  const entry = state.orders.get(intent.entry);
  if (intent.fraction !== 0n) intent.lots = shareOf(intent);
  emit(state, "intentTriggered", {
    intent: intent.id,
    account: intent.account.id,
    market: intent.market.ordinal,
    size: intent.lots,
  });
  if (entry !== undefined) removeOrder(state, entry, "intent");
  intent.state = "triggered";
  const code = place(state, intent, intent.lots);
  const rests = state.orders.has(intent.id);
  const paired = [...state.intents.values()].some((other) => other !== intent && other.group === intent.group);
  if (code !== undefined || !rests || !paired) state.intents.delete(intent.id);
}

/** A share of the current position, rounded down to lots, at least one, at most the market's largest order. */
function shareOf({ account, market, fraction }: Intent): bigint {
  const heldLots = abs(account.positions.get(market.ordinal)?.signedLots ?? 0n);
  const share = max(min(heldLots, 1n), (heldLots * fraction) / PPB);
  return account.role === "house" ? share : min(share, market.parameters.maxLots);
}

/** Due slices, by due time. */
function findSlices(state: ModelState): Intent[] {
  const due = findArmed(state).filter(
    (intent) => intent.kind === "twap" && countDue(state, intent) > intent.slicesDone,
  );
  const dueMs = ({ startMs, intervalMs, slicesDone }: Intent) => startMs + slicesDone * intervalMs;
  return due.sort((a, b) => dueMs(a) - dueMs(b) || a.id - b.id);
}

/** Number of slices of a schedule that are due: the first at once, one more each interval. */
function countDue({ timeMs }: ModelState, { startMs, intervalMs, slices }: Intent): number {
  return Math.min(slices, Math.floor((timeMs - startMs) / intervalMs) + 1);
}

/** One slice of a schedule: placed or skipped, with its event; then the schedule ends or waits for the next (INT-4). */
function slice(state: ModelState, intent: Intent): void {
  const { slices, account, market, side, reduceOnly, id } = intent;
  const number = countDue(state, intent);
  intent.slicesDone = number;
  const total = intent.lots + intent.filled;
  const wanted = computeSlice(total, intent.filled, BigInt(slices), BigInt(number));
  intent.isSlicing = true;
  const { lots, code } = wanted === 0n ? { lots: 0n, code: undefined } : placeSlice(state, intent, wanted);
  intent.isSlicing = false;
  const hasGrantEnded = code !== undefined && code === codeOfGrant(intent);
  emit(state, "intentSliced", {
    intent: id,
    slice: number,
    size: lots,
    filled: intent.filled,
    left: intent.lots,
    code: code ?? -1,
  });
  const held = account.positions.get(market.ordinal)?.signedLots ?? 0n;
  const isBare = reduceOnly && (side === "sell" ? held <= 0n : held >= 0n);
  if (intent.lots <= 0n || number === slices || hasGrantEnded || isBare) state.intents.delete(id);
}

/**
 * Limits a slice to the largest order and the grant's order limit, and places it; a code gives the reason if skipped.
 */
function placeSlice(
  state: ModelState,
  intent: Intent,
  wanted: bigint,
): { readonly lots: bigint; readonly code: RejectionCode | undefined } {
  const { account, market, grant, side, price, slippage, reduceOnly } = intent;
  const code = codeOfGrant(intent) ?? whyNothingFires(state, market);
  if (code !== undefined) return { lots: wanted, code };
  let lots = account.role === "house" ? wanted : min(wanted, market.parameters.maxLots);
  if (grant !== undefined && !reduceOnly && grant.maxOrderNotional >= 0n) {
    const worth = tighterPrice(market, side, price, slippage) * market.parameters.tickLotValue;
    lots = min(lots, grant.maxOrderNotional / worth);
    if (lots === 0n) return { lots, code: "AUTHORIZATION_ORDER_LIMIT" };
  }
  return { lots, code: place(state, intent, lots) };
}

/** Codes of intents whose grant ended (INT-6). */
const ENDED = {
  expired: "AUTHORIZATION_EXPIRED",
  revoked: "AUTHORIZATION_REVOKED",
  exhausted: "AUTHORIZATION_EXHAUSTED",
} as const;

function codeOfGrant({ grant }: Intent): RejectionCode | undefined {
  if (grant === undefined || grant.status === "active" || grant.status === "scheduled") return undefined;
  return ENDED[grant.status];
}

/**
 * Enters the order of an intent under the intent's id; returns the code if it is rejected, also for an ended grant. A
 * protecting intent outlives a grant that expired or is exhausted, and then only reduces (INT-6).
 */
function place(state: ModelState, intent: Intent, lots: bigint): RejectionCode | undefined {
  const { account, market, grant, side, orderType, price, slippage, postOnlyMode } = intent;
  const ended = codeOfGrant(intent);
  if (ended !== undefined && (grant?.status === "revoked" || !protects(intent))) return ended;
  const reduceOnly = intent.reduceOnly || ended !== undefined;
  const rests = intent.timeInForce === "GTT";
  const request: OrderRequest = {
    id: intent.id,
    account,
    grant,
    market,
    side,
    orderType,
    sizeE8: lots * market.parameters.lotSize,
    price: price * market.parameters.tickSize,
    slippage,
    timeInForce: intent.timeInForce,
    goodTilHeight: rests ? intent.goodTilHeight : 0,
    goodTilTime: rests ? intent.goodTilTime : 0,
    postOnly: postOnlyMode,
    reduceOnly,
    selfTrade: intent.selfTrade,
    selfTradeScope: intent.selfTradeScope,
    clientOrderId: "",
  };
  const entered = enterOrder(state, request);
  return "code" in entered ? entered.code : undefined;
}
