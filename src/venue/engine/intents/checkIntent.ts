import { NONE } from "../../../ground/collections/table.ts";
import type { Lots } from "../../../ground/math/fixed.ts";
import { actions, type Payloads } from "../../../protocol/actions/index.ts";
import { intentLeg } from "../../../protocol/actions/placeIntent.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import {
  INTENT_KIND,
  INTENT_KINDS,
  MARKET_STATUS,
  MARKET_STATUSES,
  PRICE_SOURCES,
  ROLE,
  SIDE,
  TRIGGER_KINDS,
} from "../../../protocol/words.ts";
import { FieldChecks } from "../handler/checkFields.ts";
import { type Rejection, reject } from "../handler/defineHandler.ts";
import { OFF_GRID, toSteps } from "../handler/grid.ts";
import { isBelow } from "../state/intentIndex.ts";
import type { AccountRow, MarketRow } from "../state/schema.ts";
import { getPosition, type State } from "../state/state.ts";
import {
  type Child,
  checkExpiryFits,
  checkNotional,
  checkPriceGiven,
  checkSlippage,
  checkTaking,
  checkTick,
  checkTicks,
  checkValue,
  listChildren,
  refuseFields,
} from "./checkChild.ts";
import { getPrice } from "./trigger.ts";

type PlaceIntent = Payloads["placeIntent"];
export type IntentLeg = PlaceIntent["legs"][number];

const FIELDS = new FieldChecks(actions.placeIntent);
const LEG_FIELDS = new FieldChecks({ fields: intentLeg.members, rules: intentLeg.rules });

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
 * Rejection of an intent when it is placed, in order of precedence (INT-3). Each order that the intent will place must
 * pass every check that needs only its fields and the market's parameters. Margin, price band and the book are checked
 * when it fires.
 */
export function checkIntent(state: State, account: AccountRow, intent: PlaceIntent): Rejection | undefined {
  const market = state.marketRows.get(intent.market);
  if (market === undefined) return reject("MARKET_NOT_FOUND", { market: intent.market });
  const rules = state.parameters[market]!;
  const { status } = rules;
  if (status === MARKET_STATUS.initializing || status >= MARKET_STATUS.settling)
    return reject("MARKET_CLOSED", { status: MARKET_STATUSES[status]! });
  const malformed = checkShape(intent);
  if (malformed !== undefined) return malformed;
  const children = listChildren(intent, legsOf(intent));
  const follows = intent.kind === INTENT_KIND.oto || intent.kind === INTENT_KIND.otoco;
  const armed = follows ? [] : children;
  const house = state.accounts.role[account] === ROLE.house;
  return (
    first(children, refuseFields) ??
    (state.markets.mark[market] === 0 ? reject("PRICE_UNAVAILABLE", { market: intent.market }) : undefined) ??
    first(armed, (child) => checkTrailed(state, market, child)) ??
    first(children, checkPriceGiven) ??
    first(children, checkExpiryFits) ??
    checkExpiry(state, intent) ??
    first(children, (child) => checkSlippage(rules, child)) ??
    checkLots(rules, intent) ??
    first(children, (child) => checkTick(rules, child)) ??
    first(children, (child) => checkTicks(rules, child)) ??
    first(children, (child) => checkValue(rules, child, getPart(rules, intent))) ??
    (house ? undefined : checkSize(rules, intent)) ??
    (house || intent.reduceOnly
      ? undefined
      : first(children, (child) => checkNotional(rules, child, getPart(rules, intent)))) ??
    first(armed, (child) => checkTrigger(state, market, intent, child)) ??
    checkRoom(state, account, children.length) ??
    checkReducing(state, account, market, intent) ??
    first(children, checkTaking)
  );
}

function first(children: readonly Child[], check: (child: Child) => Rejection | undefined): Rejection | undefined {
  for (const child of children) {
    const refused = check(child);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

/** Fields that its kind needs or refuses, the intent's before those of its legs. */
function checkShape(intent: PlaceIntent): Rejection | undefined {
  const rule = FIELDS.find("INTENT_MALFORMED", intent);
  if (rule !== undefined) return reject("INTENT_MALFORMED", { field: rule.field, kind: INTENT_KINDS[intent.kind]! });
  for (const [place, leg] of intent.legs.entries()) {
    const fault = LEG_FIELDS.find("INTENT_MALFORMED", leg);
    if (fault === undefined) continue;
    return reject("INTENT_MALFORMED", { field: `legs.${fault.field}`, kind: TRIGGER_KINDS[leg.kind]!, leg: place });
  }
  return undefined;
}

/**
 * Expiry of the intent, or of the entry order of a group; of the orders that it places, too, where they are good till
 * then.
 */
function checkExpiry(state: State, { goodTilHeight, goodTilTime }: PlaceIntent): Rejection | undefined {
  const { height, timeMs } = state;
  const passed = (goodTilHeight !== 0 && goodTilHeight < height) || (goodTilTime !== 0 && goodTilTime < timeMs);
  return passed ? reject("EXPIRY_PASSED", { goodTilHeight, height, goodTilTime, timeMs }) : undefined;
}

function checkLots(rules: MarketParameters, { size, fraction }: PlaceIntent): Rejection | undefined {
  if (fraction !== 0) return undefined;
  if (size === 0) return reject("SIZE_NOT_POSITIVE", { size });
  return toSteps(size, rules.lotSize) === OFF_GRID ? reject("OFF_LOT", { size, lotSize: rules.lotSize }) : undefined;
}

/** Lots of one order of an intent: of a schedule the even slice counts, rounded down; 0 for a share of the position. */
function getPart(rules: MarketParameters, { kind, size, interval, duration }: PlaceIntent): number {
  const lots = toSteps(size, rules.lotSize) as Lots;
  return kind === INTENT_KIND.twap ? Math.floor((lots * interval) / duration) : lots;
}

/** Against the market's smallest and largest order. */
function checkSize(rules: MarketParameters, intent: PlaceIntent): Rejection | undefined {
  if (intent.fraction !== 0) return undefined;
  const part = getPart(rules, intent);
  const least = intent.reduceOnly ? 1 : rules.minLots;
  if (part < least) return reject("SIZE_TOO_SMALL", { lots: part, least });
  return part > rules.maxLots ? reject("SIZE_TOO_LARGE", { lots: part, most: rules.maxLots }) : undefined;
}

/** A trailing stop needs a price to start from. */
function checkTrailed(state: State, market: MarketRow, { order, place }: Child): Rejection | undefined {
  const trails = order.kind === INTENT_KIND.trailingStop;
  if (!trails || getPrice(state, market, order.source) !== 0) return undefined;
  return reject("PRICE_UNAVAILABLE", {
    market: state.marketNames[market]!,
    source: PRICE_SOURCES[order.source]!,
    ...place,
  });
}

/** A trigger must lie ahead of the price, unless the intent waits for its entry first. */
function checkTrigger(
  state: State,
  market: MarketRow,
  intent: PlaceIntent,
  { order, place }: Child,
): Rejection | undefined {
  if (order.kind === INTENT_KIND.twap) return undefined;
  const price = getPrice(state, market, order.source);
  if (order.kind === INTENT_KIND.trailingStop) {
    return order.trail >= price ? reject("TRIGGER_PASSED", { trail: order.trail, price, ...place }) : undefined;
  }
  if (price === 0) return undefined;
  const passed = isBelow(order.kind, intent.side) ? order.trigger >= price : order.trigger <= price;
  return passed ? reject("TRIGGER_PASSED", { trigger: order.trigger, price, ...place }) : undefined;
}

function checkRoom(state: State, account: AccountRow, legs: number): Rejection | undefined {
  const most = state.genesis.intentsMax;
  const intents = state.accounts.intentCount[account];
  return intents + legs > most ? reject("INTENTS_LIMIT", { intents, legs, most }) : undefined;
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
  const signedLots = position === NONE ? 0 : state.positions.signedLots[position];
  const reduces = intent.side === SIDE.sell ? signedLots > 0 : signedLots < 0;
  return reduces ? undefined : reject("REDUCE_ONLY_WOULD_INCREASE", { size: signedLots });
}
