import { NONE } from "../../collections/table.ts";
import type { Lots } from "../../math/fixed.ts";
import type { Payloads } from "../../protocol/actions/index.ts";
import type { MarketParameters } from "../../protocol/parameters.ts";
import { INTENT_KIND, MARKET_STATUS, ORDER_TYPE, ROLE, SIDE, TIME_IN_FORCE } from "../../protocol/words.ts";
import { type Rejection, reject } from "../actions/defineHandler.ts";
import { OFF_GRID, TICKS_MOST, toSteps } from "../actions/grid.ts";
import type { AccountRow, MarketRow } from "../state/schema.ts";
import { getPosition, type State } from "../state/state.ts";
import { findFault } from "./intentShape.ts";
import { getPrice, isBelow } from "./trigger.ts";

type PlaceIntent = Payloads["placeIntent"];
export type IntentLeg = PlaceIntent["legs"][number];

/** Legs of an intent: those of a group, or the one that its own fields describe. */
export function legsOf(intent: PlaceIntent): readonly IntentLeg[] {
  if (intent.kind >= INTENT_KIND.oco) return intent.legs;
  return [intent];
}

/** Side of the orders that an intent's legs place: in groups with an entry they go against it. */
export function sideOfLegs({ kind, side }: PlaceIntent): number {
  const against = kind === INTENT_KIND.oto || kind === INTENT_KIND.otoco;
  return against ? (side === SIDE.buy ? SIDE.sell : SIDE.buy) : side;
}

/**
 * What speaks against an intent when it is placed, in order of precedence: what can be known then. Margin, price band and
 * the book are looked at when it fires.
 */
export function checkIntent(state: State, account: AccountRow, intent: PlaceIntent): Rejection | undefined {
  const market = state.marketRows.get(intent.market);
  if (market === undefined) return reject("MARKET_NOT_FOUND");
  const rules = state.parameters[market]!;
  const { status } = rules;
  if (status === MARKET_STATUS.initializing || status >= MARKET_STATUS.settling)
    return reject("MARKET_CLOSED", { status });
  const field = findFault(intent);
  if (field !== undefined) return reject("INTENT_MALFORMED", { field });
  if (state.markets.mark[market] === 0) return reject("PRICE_UNAVAILABLE");
  const legs = legsOf(intent);
  const follows = intent.kind === INTENT_KIND.oto || intent.kind === INTENT_KIND.otoco;
  return (
    first(follows ? [] : legs, (leg) => checkTrailed(state, market, leg)) ??
    first(legs, (leg) => checkPriceGiven(rules, leg)) ??
    checkExpiry(state, intent) ??
    first(legs, ({ slippage }) => checkSlippage(rules, slippage)) ??
    checkLots(rules, intent) ??
    first(legs, ({ price }) => checkTick(rules, price)) ??
    first(legs, ({ price }) => checkTicks(rules, price)) ??
    checkSize(state, account, rules, intent) ??
    first(follows ? [] : legs, (leg) => checkTrigger(state, market, intent, leg)) ??
    checkRoom(state, account, legs.length) ??
    checkReducing(state, account, market, intent)
  );
}

function first(legs: readonly IntentLeg[], check: (leg: IntentLeg) => Rejection | undefined): Rejection | undefined {
  for (const leg of legs) {
    const refused = check(leg);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

function checkPriceGiven(rules: MarketParameters, leg: IntentLeg): Rejection | undefined {
  if (leg.price !== 0 || (leg.orderType === ORDER_TYPE.market && leg.slippage > 0)) return undefined;
  return reject("PRICE_REQUIRED", { slippageMax: rules.slippageMax });
}

function checkSlippage(rules: MarketParameters, slippage: number): Rejection | undefined {
  if (slippage <= rules.slippageMax * 1000) return undefined;
  return reject("SLIPPAGE_TOO_LARGE", { slippage, most: rules.slippageMax * 1000 });
}

function checkTick(rules: MarketParameters, price: number): Rejection | undefined {
  if (toSteps(price, rules.tickSize) !== OFF_GRID) return undefined;
  return reject("OFF_TICK", { price, tickSize: rules.tickSize });
}

function checkTicks(rules: MarketParameters, price: number): Rejection | undefined {
  const ticks = toSteps(price, rules.tickSize);
  return ticks > TICKS_MOST ? reject("NUMERIC_LIMIT", { ticks, limit: TICKS_MOST }) : undefined;
}

/**
 * Expiry of the intent, and of the orders of it that are good till then. In groups with an entry it is the entry's alone:
 * their legs have none (INT-5).
 */
function checkExpiry(state: State, intent: PlaceIntent): Rejection | undefined {
  const { goodTilHeight, goodTilTime } = intent;
  const until = goodTilHeight !== 0 || goodTilTime !== 0;
  const hasEntry = intent.kind === INTENT_KIND.oto || intent.kind === INTENT_KIND.otoco;
  const lives = (order: { readonly timeInForce: number }) => order.timeInForce === TIME_IN_FORCE.GTT;
  const legsLive = legsOf(intent).some(lives);
  if (hasEntry ? until !== lives(intent) || legsLive : legsLive && !until) return reject("EXPIRY_MISMATCH");
  const passed =
    (goodTilHeight !== 0 && goodTilHeight < state.height) || (goodTilTime !== 0 && goodTilTime < state.timeMs);
  return passed ? reject("EXPIRY_PASSED", { height: state.height, timeMs: state.timeMs }) : undefined;
}

function checkLots(rules: MarketParameters, { size, fraction }: PlaceIntent): Rejection | undefined {
  if (fraction !== 0) return undefined;
  if (size === 0) return reject("SIZE_NOT_POSITIVE");
  return toSteps(size, rules.lotSize) === OFF_GRID ? reject("OFF_LOT", { size, lotSize: rules.lotSize }) : undefined;
}

/** Against the market's smallest and largest order. */
function checkSize(
  state: State,
  account: AccountRow,
  rules: MarketParameters,
  intent: PlaceIntent,
): Rejection | undefined {
  if (intent.fraction !== 0 || state.accounts.role[account] === ROLE.house) return undefined;
  const lots = toSteps(intent.size, rules.lotSize) as Lots;
  // Of a schedule the even slice counts, rounded down.
  const twap = intent.kind === INTENT_KIND.twap;
  const part = twap ? Math.floor((lots * intent.interval) / intent.duration) : lots;
  const least = intent.reduceOnly ? 1 : rules.minLots;
  if (part < least) return reject("SIZE_TOO_SMALL", { lots: part, least });
  return part > rules.maxLots ? reject("SIZE_TOO_LARGE", { lots: part, most: rules.maxLots }) : undefined;
}

/** A trailing stop needs a price to start from. */
function checkTrailed(state: State, market: MarketRow, leg: IntentLeg): Rejection | undefined {
  const trails = leg.kind === INTENT_KIND.trailingStop;
  return trails && getPrice(state, market, leg.source) === 0 ? reject("PRICE_UNAVAILABLE") : undefined;
}

/** A trigger must lie ahead of the price, unless the intent waits for its entry first. */
function checkTrigger(state: State, market: MarketRow, intent: PlaceIntent, leg: IntentLeg): Rejection | undefined {
  if (leg.kind === INTENT_KIND.twap) return undefined;
  const price = getPrice(state, market, leg.source);
  if (leg.kind === INTENT_KIND.trailingStop) {
    return leg.trail >= price ? reject("TRIGGER_PASSED", { trail: leg.trail, price }) : undefined;
  }
  if (price === 0) return undefined;
  const passed = isBelow(leg.kind, intent.side) ? leg.trigger >= price : leg.trigger <= price;
  return passed ? reject("TRIGGER_PASSED", { trigger: leg.trigger, price }) : undefined;
}

function checkRoom(state: State, account: AccountRow, count: number): Rejection | undefined {
  const most = state.genesis.intentsMax;
  return state.accounts.intentCount[account] + count > most ? reject("INTENTS_LIMIT", { most }) : undefined;
}

/** An intent that only reduces needs a position to reduce, unless it waits for its entry first. */
function checkReducing(
  state: State,
  account: AccountRow,
  market: MarketRow,
  intent: PlaceIntent,
): Rejection | undefined {
  if (!intent.reduceOnly || intent.kind === INTENT_KIND.oto || intent.kind === INTENT_KIND.otoco) return undefined;
  const position = getPosition(state, account, market);
  const size = position === NONE ? 0 : state.positions.size[position];
  const reduces = intent.side === SIDE.sell ? size > 0 : size < 0;
  return reduces ? undefined : reject("REDUCE_ONLY_WOULD_INCREASE", { size });
}
