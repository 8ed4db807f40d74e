/**
 * Checks of an order that an intent or a leg will place (INT-3), by its fields and the market's parameters alone. An
 * order that fails them could never trade.
 */
import { LIMIT } from "../../../ground/math/fixed.ts";
import type { Payloads } from "../../../protocol/actions/index.ts";
import { intentLeg } from "../../../protocol/actions/placeIntent.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { INTENT_KIND, ORDER_TYPES, TIME_IN_FORCE } from "../../../protocol/words.ts";
import { describeExpiry, describeTaking, FieldChecks } from "../handler/checkFields.ts";
import { type Rejection, reject } from "../handler/defineHandler.ts";
import { OFF_GRID, TICKS_MOST, toSteps } from "../handler/grid.ts";

type PlaceIntent = Payloads["placeIntent"];
type IntentLeg = PlaceIntent["legs"][number];

const FIELDS = new FieldChecks({ fields: intentLeg.members, rules: intentLeg.rules });

/** An order that an intent will place. */
export interface Child {
  readonly order: IntentLeg;
  readonly goodTilHeight: number;
  readonly goodTilTime: number;
  /** For the numbers of a rejection: the place of its leg, in groups. */
  readonly place: { readonly leg: number } | Record<string, never>;
}

/** The orders that an intent will place, without the entry of a group, whose legs have no good-til (INT-5). */
export function listChildren(intent: PlaceIntent, legs: readonly IntentLeg[]): readonly Child[] {
  const hasEntry = intent.kind === INTENT_KIND.oto || intent.kind === INTENT_KIND.otoco;
  const goodTilHeight = hasEntry ? 0 : intent.goodTilHeight;
  const goodTilTime = hasEntry ? 0 : intent.goodTilTime;
  const isGroup = intent.kind >= INTENT_KIND.oco;
  return legs.map((order, leg) => ({ order, goodTilHeight, goodTilTime, place: isGroup ? { leg } : {} }));
}

export function refuseFields({ order, place }: Child): Rejection | undefined {
  const refused = FIELDS.refuse(order);
  return refused === undefined ? undefined : reject(refused.code, { ...refused.numbers, ...place });
}

export function checkPriceGiven({ order, place }: Child): Rejection | undefined {
  if (FIELDS.find("PRICE_REQUIRED", order) === undefined) return undefined;
  return reject("PRICE_REQUIRED", { orderType: ORDER_TYPES[order.orderType]!, ...place });
}

/** An order that is good till a height or time needs one, and rests: a market order does not. */
export function checkExpiryFits({ order, goodTilHeight, goodTilTime, place }: Child): Rejection | undefined {
  const lives = order.timeInForce === TIME_IN_FORCE.GTT;
  const fits = FIELDS.find("EXPIRY_MISMATCH", order) === undefined;
  if (fits && !(lives && goodTilHeight === 0 && goodTilTime === 0)) return undefined;
  return reject("EXPIRY_MISMATCH", { ...describeExpiry({ ...order, goodTilHeight, goodTilTime }), ...place });
}

export function checkSlippage({ slippageMax }: MarketParameters, { order, place }: Child): Rejection | undefined {
  const { slippage } = order;
  const most = slippageMax * 1000;
  return slippage <= most ? undefined : reject("SLIPPAGE_TOO_LARGE", { slippage, most, ...place });
}

export function checkTick({ tickSize }: MarketParameters, { order: { price }, place }: Child): Rejection | undefined {
  return toSteps(price, tickSize) === OFF_GRID ? reject("OFF_TICK", { price, tickSize, ...place }) : undefined;
}

export function checkTicks({ tickSize }: MarketParameters, { order, place }: Child): Rejection | undefined {
  const ticks = toSteps(order.price, tickSize);
  return ticks > TICKS_MOST ? reject("NUMERIC_LIMIT", { ticks, limit: TICKS_MOST, ...place }) : undefined;
}

/** Whether its value can be stored, where its price is known now. */
export function checkValue(rules: MarketParameters, child: Child, lots: number): Rejection | undefined {
  const value = computeValue(rules, child, lots);
  if (value === undefined || value <= LIMIT / 4) return undefined;
  return reject("NUMERIC_LIMIT", { value, limit: LIMIT / 4, ...child.place });
}

/** Against the market's smallest value, where its price is known now. */
export function checkNotional(rules: MarketParameters, child: Child, lots: number): Rejection | undefined {
  const value = computeValue(rules, child, lots);
  if (value === undefined || value >= rules.minNotional) return undefined;
  return reject("NOTIONAL_TOO_SMALL", { value, least: rules.minNotional, ...child.place });
}

/** Post-only is refused for an order that can only take. */
export function checkTaking({ order, place }: Child): Rejection | undefined {
  if (FIELDS.find("POST_ONLY_WITH_TAKING", order) === undefined) return undefined;
  return reject("POST_ONLY_WITH_TAKING", { ...describeTaking(order), ...place });
}

/** Value of an order at its price; undefined for a share of the position and where a slippage bound may decide. */
function computeValue(rules: MarketParameters, { order }: Child, lots: number): number | undefined {
  if (lots === 0 || order.price === 0 || order.slippage !== 0) return undefined;
  return lots * toSteps(order.price, rules.tickSize) * rules.tickLotValue;
}
