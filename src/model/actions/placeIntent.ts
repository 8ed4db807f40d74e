import type { Payloads } from "../../protocol/actions/index.ts";
import { checkSpecs, type IntentSpec } from "../intents/checkIntent.ts";
import { isWellFormed } from "../intents/readIntent.ts";
import { computeTrailTrigger, watchedPrice } from "../intents/trigger.ts";
import { findMarket } from "../market/createMarket.ts";
import { enterOrder } from "../orders/enterOrder.ts";
import { type Outcome, rejected } from "../receipts.ts";
import type { Account, Context, Intent, Market, ModelState, Side } from "../state.ts";
import {
  INTENT_KINDS,
  ORDER_TYPES,
  POST_ONLY_MODES,
  PRICE_SOURCES,
  SELF_TRADE_MODES,
  SELF_TRADE_SCOPES,
  SIDES,
  TIMES_IN_FORCE,
  TRIGGER_KINDS,
} from "../words.ts";
import { actingAccount, type Handler } from "./handler.ts";

type Payload = Payloads["placeIntent"];

/** Arms an intent, or a pair; or places an entry order whose fills will arm them (INT, INT-2). */
export const applyPlaceIntent: Handler<"placeIntent"> = (state, context, payload) => {
  const market = findMarket(state, payload.market);
  if (market === undefined) return rejected("MARKET_NOT_FOUND");
  const { status } = market.parameters;
  if (status === "initializing" || status === "settling" || status === "settled") return rejected("MARKET_CLOSED");
  const account = actingAccount(context);
  const kind = INTENT_KINDS[payload.kind]!;
  if (!isWellFormed(payload, kind)) return rejected("INTENT_MALFORMED");
  const hasEntry = kind === "oto" || kind === "otoco";
  const specs = readSpecs(payload, kind, hasEntry);
  const code = checkSpecs(state, account, market, specs);
  if (code !== undefined) return rejected(code);
  const entry = hasEntry ? context.firstId : 0;
  const first = hasEntry ? context.firstId + 1 : context.firstId;
  const intents = specs.map((spec, place) =>
    arm(state, context, market, payload, spec, { id: first + place, group: first, entry }),
  );
  for (const intent of intents) state.intents.set(intent.id, intent);
  if (!hasEntry) return { results: [{ orderId: first, status: "armed" }] };
  const outcome = enter(state, context, account, market, payload);
  if (outcome.code !== undefined) for (const { id } of intents) state.intents.delete(id);
  return outcome;
};

function enter(
  state: ModelState,
  { firstId, actor }: Context,
  account: Account,
  market: Market,
  payload: Payload,
): Outcome {
  const timeInForce = TIMES_IN_FORCE[payload.timeInForce]!;
  const entered = enterOrder(state, {
    id: firstId,
    account,
    grant: actor?.grant,
    market,
    side: SIDES[payload.side]!,
    orderType: ORDER_TYPES[payload.orderType]!,
    size: BigInt(payload.size),
    price: BigInt(payload.price),
    slippage: BigInt(payload.slippage),
    timeInForce,
    goodTilHeight: timeInForce === "GTT" ? payload.goodTilHeight : 0,
    goodTilTime: timeInForce === "GTT" ? payload.goodTilTime : 0,
    postOnly: POST_ONLY_MODES[payload.postOnly]!,
    reduceOnly: false,
    selfTrade: SELF_TRADE_MODES[payload.selfTrade]!,
    selfTradeScope: SELF_TRADE_SCOPES[payload.selfTradeScope]!,
    clientOrderId: "",
  });
  return "code" in entered ? rejected(entered.code) : { results: [entered.result] };
}

/** What each intent of the payload is: itself, or its legs, which take the other side of an entry. */
function readSpecs(payload: Payload, kind: Intent["kind"], hasEntry: boolean): IntentSpec[] {
  const { goodTilHeight, goodTilTime, reduceOnly, duration, interval } = payload;
  const side: Side = (SIDES[payload.side] === "buy") === hasEntry ? "sell" : "buy";
  const shared = { side, reduceOnly, goodTilHeight, goodTilTime, follows: hasEntry };
  const size = BigInt(payload.size);
  const fraction = BigInt(payload.fraction);
  const legs = payload.legs.map((leg) => ({
    ...shared,
    ...readTrigger(leg),
    kind: TRIGGER_KINDS[leg.kind]!,
    size,
    fraction,
    slices: 1,
  }));
  if (legs.length > 0) return legs;
  const slices = kind === "twap" ? duration / interval : 1;
  return [{ ...shared, ...readTrigger(payload), kind, size, fraction, slices }];
}

function readTrigger(leg: Payload["legs"][number] | Payload) {
  return {
    source: PRICE_SOURCES[leg.source]!,
    trigger: BigInt(leg.trigger),
    trail: BigInt(leg.trail),
    trailRate: BigInt(leg.trailRate),
    orderType: ORDER_TYPES[leg.orderType]!,
    price: BigInt(leg.price),
    slippage: BigInt(leg.slippage),
    timeInForce: TIMES_IN_FORCE[leg.timeInForce]!,
    postOnlyMode: POST_ONLY_MODES[leg.postOnly]!,
  };
}

function arm(
  state: ModelState,
  { actor }: Context,
  market: Market,
  payload: Payload,
  spec: IntentSpec,
  names: { readonly id: number; readonly group: number; readonly entry: number },
): Intent {
  const { tickSize, lotSize } = market.parameters;
  const { follows, price, size, slices, ...rest } = spec;
  const isTrailing = spec.kind === "trailingStop";
  const extreme = isTrailing && !follows ? watchedPrice(market, spec.source) : 0n;
  return {
    ...rest,
    ...names,
    account: actor!.account,
    grant: actor!.grant,
    market,
    state: follows ? "waiting" : "armed",
    size: follows ? 0n : size / lotSize,
    filled: 0n,
    price: price / tickSize,
    extreme,
    trigger: isTrailing ? computeTrailTrigger(spec, extreme) : spec.trigger,
    selfTrade: SELF_TRADE_MODES[payload.selfTrade]!,
    selfTradeScope: SELF_TRADE_SCOPES[payload.selfTradeScope]!,
    startMs: state.timeMs,
    intervalMs: payload.interval,
    slices,
    slicesDone: 0,
    clientIntentId: payload.clientIntentId,
    armedHeight: state.height,
  };
}
