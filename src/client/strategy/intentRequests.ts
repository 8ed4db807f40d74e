/** Intents that a strategy asks for, as the venue's payloads: the same wherever it runs (INT). */
import { PPB, type Ppb, type PriceE8, type SizeE8 } from "../../ground/math/fixed.ts";
import type { Payloads } from "../../protocol/actions/index.ts";
import {
  INTENT_KIND,
  ORDER_TYPE,
  POST_ONLY,
  PRICE_SOURCE,
  SELF_TRADE,
  SELF_TRADE_SCOPE,
  SIDE,
  TIME_IN_FORCE,
} from "../../protocol/words.ts";
import type {
  OrderRequest,
  ProtectRequest,
  StopLeg,
  TakeProfitLeg,
  TrailLeg,
  TrailRequest,
  TriggerLeg,
  TriggerRequest,
} from "./context.ts";
import { StrategyError } from "./errors.ts";
import type { Side, TransactionId, TriggerKind } from "./facts.ts";
import { checkLeg } from "./requestFields.ts";
import { type OrderRules, placeOrderOf, SLIPPAGE } from "./requests.ts";
import { toSteps } from "./units.ts";

type PlaceIntent = Payloads["placeIntent"];
type Leg = PlaceIntent["legs"][number];
/** A leg with the fields of both kinds, of which its kind honours some. */
type AnyLeg = Omit<TriggerLeg, "trigger"> & { trigger?: number; trail?: number; trailRate?: number };

/** What every intent of a strategy has, before its kind's own fields. */
function intentOf(id: TransactionId, market: string, side: Side): PlaceIntent {
  return {
    kind: INTENT_KIND.stop,
    market,
    side: SIDE[side],
    size: 0 as SizeE8,
    fraction: 0 as Ppb,
    reduceOnly: true,
    source: PRICE_SOURCE.mark,
    trigger: 0 as PriceE8,
    trail: 0 as PriceE8,
    trailRate: 0 as Ppb,
    orderType: ORDER_TYPE.limit,
    price: 0 as PriceE8,
    slippage: 0 as Ppb,
    timeInForce: TIME_IN_FORCE.GTC,
    postOnly: POST_ONLY.no,
    selfTrade: SELF_TRADE.cancelMaker,
    selfTradeScope: SELF_TRADE_SCOPE.account,
    duration: 0,
    interval: 0,
    legs: [],
    goodTilHeight: 0,
    goodTilTime: 0,
    clientIntentId: id,
  };
}

/**
 * An order with a stop, a take-profit or both, which its fills arm.
 *
 * @throws {StrategyError} ORDER_INVALID
 */
export function placeProtectedOf(order: OrderRequest, rules: OrderRules, id: TransactionId): PlaceIntent {
  if (order.reduceOnly === true) {
    throw invalid("a reduce-only order takes no stop and no take-profit", "reduceOnly", "protect the position instead");
  }
  const { stop, takeProfit, ...entry } = order;
  const { market, side, size, orderType, price, slippage, timeInForce, postOnly } = placeOrderOf(entry, rules, "");
  const legs = legsOf({ stop, takeProfit }, rules);
  return {
    ...intentOf(id, market, order.side),
    kind: legs.length === 2 ? INTENT_KIND.otoco : INTENT_KIND.oto,
    side,
    size,
    orderType,
    price,
    slippage,
    timeInForce,
    postOnly,
    legs,
  };
}

/** @throws {StrategyError} ORDER_INVALID */
export function triggerOf(
  kind: TriggerKind,
  request: TriggerRequest | TrailRequest,
  side: Side,
  rules: OrderRules,
  id: TransactionId,
): PlaceIntent {
  const { side: _side, size, reduceOnly = true, untilMs, market: _market, ...leg } = request;
  if (!reduceOnly && size === undefined) {
    throw invalid(
      "an intent that opens a position needs a size",
      "size",
      "give units of base, or leave out reduceOnly",
    );
  }
  return {
    ...intentOf(id, rules.name, side),
    ...sizeOf(size, rules),
    reduceOnly,
    ...legOf(kind, leg, rules, reduceOnly),
    goodTilTime: timeOf(untilMs),
  };
}

/** @throws {StrategyError} ORDER_INVALID */
export function protectOf(request: ProtectRequest, side: Side, rules: OrderRules, id: TransactionId): PlaceIntent {
  const { size, untilMs } = request;
  const legs = legsOf(request, rules);
  const common = {
    ...intentOf(id, rules.name, side),
    ...sizeOf(size, rules),
    goodTilTime: timeOf(untilMs),
  };
  return legs.length === 2 ? { ...common, kind: INTENT_KIND.oco, legs } : { ...common, ...legs[0]! };
}

function legsOf(
  { stop, takeProfit }: { stop?: StopLeg | undefined; takeProfit?: TakeProfitLeg | undefined },
  rules: OrderRules,
): Leg[] {
  const legs: Leg[] = [];
  if (stop !== undefined) {
    const leg = typeof stop === "number" ? { trigger: stop } : stop;
    legs.push(legOf("trigger" in leg ? "stop" : "trailingStop", leg, rules, true));
  }
  if (takeProfit !== undefined) {
    const leg = typeof takeProfit === "number" ? { trigger: takeProfit } : takeProfit;
    legs.push(legOf("takeProfit", leg, rules, true));
  }
  if (legs.length > 0) return legs;
  throw invalid("there is neither a stop nor a take-profit", "stop", "give stop, takeProfit or both");
}

function legOf(kind: TriggerKind, given: TriggerLeg | TrailLeg, rules: OrderRules, reduces: boolean): Leg {
  checkLeg(kind, given);
  const { source, price, slippage, timeInForce, postOnly, ...where } = given as AnyLeg;
  const isMarket = price === undefined;
  if (!isMarket && slippage !== undefined) {
    throw invalid("a limit order takes no slippage bound", "slippage", "leave out slippage or price");
  }
  const bound = Math.min(slippage ?? (reduces ? SLIPPAGE.close : SLIPPAGE.order), rules.slippageMost);
  return {
    kind: INTENT_KIND[kind],
    source: PRICE_SOURCE[source ?? "mark"],
    ...(kind === "trailingStop" ? trailOf(where) : fixedOf(kind, where)),
    orderType: isMarket ? ORDER_TYPE.market : ORDER_TYPE.limit,
    price: (price === undefined ? 0 : toSteps(price, rules.tickSize, "price") * rules.tickSize) as PriceE8,
    slippage: (isMarket ? Math.round(bound * PPB) : 0) as Ppb,
    timeInForce: TIME_IN_FORCE[timeInForce ?? (isMarket ? "IOC" : "GTC")],
    postOnly: postOnly === true ? POST_ONLY.reject : POST_ONLY.no,
  };
}

function fixedOf(
  kind: TriggerKind,
  { trigger, trail, trailRate }: AnyLeg,
): Pick<Leg, "trigger" | "trail" | "trailRate"> {
  if (trail !== undefined || trailRate !== undefined) {
    throw invalid(`a ${kind} has a trigger and no distance`, "trail", "use a trailing stop");
  }
  return { trigger: toSteps(trigger!, 1, "trigger") as PriceE8, trail: 0 as PriceE8, trailRate: 0 as Ppb };
}

function trailOf({ trigger, trail, trailRate }: AnyLeg): Pick<Leg, "trigger" | "trail" | "trailRate"> {
  if (trigger !== undefined || (trail === undefined) === (trailRate === undefined)) {
    throw invalid(
      "a trailing stop has one distance, and no trigger",
      "trail",
      "give trail in USD or trailRate as a ratio",
    );
  }
  const ppb = trailRate === undefined ? 0 : Math.round(trailRate * PPB);
  if (trailRate !== undefined && !(ppb >= 1 && ppb < PPB)) {
    throw invalid(`trailRate ${trailRate} is not above 0 and below 1`, "trailRate", "0.02 is 2 % of the best price");
  }
  const distance = trail === undefined ? 0 : toSteps(trail, 1, "trail");
  return { trigger: 0 as PriceE8, trail: distance as PriceE8, trailRate: ppb as Ppb };
}

/** A size, or all of the position when the intent fires. */
function sizeOf(size: number | undefined, { lotSize }: OrderRules): Pick<PlaceIntent, "size" | "fraction"> {
  if (size === undefined) return { size: 0 as SizeE8, fraction: PPB as Ppb };
  return { size: (toSteps(size, lotSize, "size") * lotSize) as SizeE8, fraction: 0 as Ppb };
}

function timeOf(untilMs: number | undefined): number {
  if (untilMs === undefined) return 0;
  if (Number.isSafeInteger(untilMs) && untilMs > 0) return untilMs;
  throw invalid(`untilMs ${untilMs} is not a time in ms`, "untilMs", "add a span to ctx.now.timeMs");
}

function invalid(reason: string, place: string, hint: string): StrategyError {
  return new StrategyError("ORDER_INVALID", reason, { place, hint });
}
