import type { Payloads } from "../../../protocol/actions/index.ts";
import type { RejectionCode } from "../../../protocol/rejections.ts";
import { type DemandOf, OTO, tradeOr } from "../authorization/demand.ts";
import { checkSpecs, type IntentSpec } from "../intents/checkIntent.ts";
import { findMisfit } from "../intents/readIntent.ts";
import { computeTrailTrigger, watchedPrice } from "../intents/trigger.ts";
import { findMarket } from "../market/createMarket.ts";
import { checkOrder } from "../orders/checkOrder.ts";
import { enterOrder, type OrderRequest } from "../orders/enterOrder.ts";
import { refuse, rejected } from "../receipts.ts";
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
import { actingAccount, type Handler, type ModelAction } from "./handler.ts";

type Payload = Payloads["placeIntent"];

// The entry of a group may open a position, whatever its legs do.
const demand: DemandOf<"placeIntent"> = ({ market, kind, reduceOnly }) => ({
  scope: tradeOr(reduceOnly && kind < OTO),
  markets: [market],
});

/** Arms an intent or a pair, or places an entry order whose fills arm them (INT, INT-2). */
const apply: Handler<"placeIntent"> = (state, context, payload) => {
  const market = findMarket(state, payload.market);
  if (market === undefined) return rejected("MARKET_NOT_FOUND");
  const account = actingAccount(context);
  const kind = INTENT_KINDS[payload.kind]!;
  const hasEntry = kind === "oto" || kind === "otoco";
  const specs = readSpecs(payload, kind, hasEntry);
  const fault = findFault(state, account, market, payload, specs);
  const { refusal } = state;
  state.refusal = undefined;
  const order = describeEntry(context, account, market, payload);
  const ofEntry = hasEntry ? checkOrder(state, order) : undefined;
  const code = firstOf(fault, typeof ofEntry === "string" ? ofEntry : undefined);
  // If both fail for the same reason, the numbers are those of the entry.
  if (code !== ofEntry) state.refusal = refusal;
  if (code !== undefined) return rejected(code);
  const entry = hasEntry ? context.firstId : 0;
  const first = hasEntry ? context.firstId + 1 : context.firstId;
  const intents = specs.map((spec, place) =>
    arm(state, context, market, payload, spec, { id: first + place, group: first, entry }),
  );
  for (const intent of intents) state.intents.set(intent.id, intent);
  if (!hasEntry) return { results: [{ orderId: first, status: "armed" }] };
  const entered = enterOrder(state, order);
  if ("code" in entered) throw new Error("a checked entry must be accepted");
  return { results: [entered.result] };
};

export const placeIntent: ModelAction<"placeIntent"> = { domain: "trading", demand, apply };

/** The faults of the intent itself, without its entry. */
function findFault(
  state: ModelState,
  account: Account,
  market: Market,
  payload: Payload,
  specs: readonly IntentSpec[],
): RejectionCode | undefined {
  const { status } = market.parameters;
  if (status === "initializing" || status === "settling" || status === "settled") return "MARKET_CLOSED";
  const misfit = findMisfit(payload);
  if (misfit !== undefined) return refuse(state, "INTENT_MALFORMED", { ...misfit });
  return checkSpecs(state, account, market, specs);
}

/**
 * Codes that an intent and an entry order can both return, in the order of the table; the others belong to orders
 * alone.
 */
const PRECEDENCE: readonly RejectionCode[] = [
  "MARKET_CLOSED",
  "OPERATION_PAUSED",
  "MARKET_RESTARTING",
  "INTENT_MALFORMED",
  "FIELD_REFUSED",
  "PRICE_UNAVAILABLE",
  "PRICE_REQUIRED",
  "EXPIRY_MISMATCH",
  "EXPIRY_PASSED",
  "SLIPPAGE_TOO_LARGE",
  "SIZE_NOT_POSITIVE",
  "OFF_LOT",
  "OFF_TICK",
  "NUMERIC_LIMIT",
  "SIZE_TOO_SMALL",
  "SIZE_TOO_LARGE",
  "NOTIONAL_TOO_SMALL",
  "PRICE_OUT_OF_BAND",
  "TRIGGER_PASSED",
  "CLIENT_ORDER_ID_USED",
  "OPEN_ORDERS_LIMIT",
  "INTENTS_LIMIT",
  "REDUCE_ONLY_WOULD_INCREASE",
  "POST_ONLY_WITH_TAKING",
];

function firstOf(a: RejectionCode | undefined, b: RejectionCode | undefined): RejectionCode | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const place = (code: RejectionCode) => (PRECEDENCE.includes(code) ? PRECEDENCE.indexOf(code) : PRECEDENCE.length);
  return place(a) <= place(b) ? a : b;
}

/** The entry order of a group, as its owner would send it. */
function describeEntry({ firstId, actor }: Context, account: Account, market: Market, payload: Payload): OrderRequest {
  return {
    id: firstId,
    account,
    grant: actor?.grant,
    market,
    side: SIDES[payload.side]!,
    orderType: ORDER_TYPES[payload.orderType]!,
    sizeE8: BigInt(payload.size),
    price: BigInt(payload.price),
    slippage: BigInt(payload.slippage),
    timeInForce: TIMES_IN_FORCE[payload.timeInForce]!,
    goodTilHeight: payload.goodTilHeight,
    goodTilTime: payload.goodTilTime,
    postOnly: POST_ONLY_MODES[payload.postOnly]!,
    reduceOnly: false,
    selfTrade: SELF_TRADE_MODES[payload.selfTrade]!,
    selfTradeScope: SELF_TRADE_SCOPES[payload.selfTradeScope]!,
    clientOrderId: "",
  };
}

/** The intents of a payload: the intent itself, or its legs, which trade on the opposite side of an entry. */
function readSpecs(payload: Payload, kind: Intent["kind"], hasEntry: boolean): IntentSpec[] {
  const { reduceOnly, duration, interval } = payload;
  // The good-til of a protected entry belongs to the entry alone (INT-5).
  const goodTilHeight = hasEntry ? 0 : payload.goodTilHeight;
  const goodTilTime = hasEntry ? 0 : payload.goodTilTime;
  const side: Side = (SIDES[payload.side] === "buy") === hasEntry ? "sell" : "buy";
  const shared = { side, reduceOnly, goodTilHeight, goodTilTime, follows: hasEntry };
  const sizeE8 = BigInt(payload.size);
  const fraction = BigInt(payload.fraction);
  const legs = payload.legs.map((leg) => ({
    ...shared,
    ...readTrigger(leg),
    kind: TRIGGER_KINDS[leg.kind]!,
    sizeE8,
    fraction,
    slices: 1,
  }));
  if (legs.length > 0) return legs;
  const slices = kind === "twap" ? duration / interval : 1;
  return [{ ...shared, ...readTrigger(payload), kind, sizeE8, fraction, slices }];
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
  const { follows, price, sizeE8, slices, ...rest } = spec;
  const isTrailing = spec.kind === "trailingStop";
  const extreme = isTrailing && !follows ? watchedPrice(market, spec.source) : 0n;
  return {
    ...rest,
    ...names,
    account: actor!.account,
    grant: actor!.grant,
    market,
    state: follows ? "waiting" : "armed",
    lots: follows ? 0n : sizeE8 / lotSize,
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
    isSlicing: false,
    clientIntentId: payload.clientIntentId,
    armedHeight: state.height,
  };
}
