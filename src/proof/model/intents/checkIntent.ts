import type { RejectionCode } from "../../../protocol/rejections.ts";
import { max } from "../arithmetic.ts";
import { type Numbers, refuse } from "../receipts.ts";
import type { Account, Intent, Market, ModelState } from "../state.ts";
import { LIMIT, TICKS_MOST } from "../words.ts";
import { isReached, watchedPrice } from "./trigger.ts";

/** The order and the trigger of an intent or of one leg. Prices are 1e-8 USD. */
export interface IntentSpec
  extends Pick<
    Intent,
    | "kind"
    | "side"
    | "reduceOnly"
    | "source"
    | "trigger"
    | "trail"
    | "trailRate"
    | "fraction"
    | "orderType"
    | "slippage"
    | "timeInForce"
    | "postOnlyMode"
  > {
  readonly sizeE8: bigint;
  readonly price: bigint;
  readonly slices: number;
  readonly goodTilHeight: number;
  readonly goodTilTime: number;
  /** It waits for its entry: neither trigger nor position is checked, and it has no good-til of its own (INT-5). */
  readonly follows: boolean;
}

type Check = (spec: IntentSpec, state: ModelState, account: Account, market: Market) => boolean;
type Emit = (spec: IntentSpec, market: Market) => Numbers;

/**
 * Checks at placement, in the order of the codes (INT-3, ACT-2), with the numbers of codes that have any here.
 * Market state, margin, price band and book are checked when the intent fires.
 */
const CHECKS: readonly (readonly [RejectionCode, Check, Emit?])[] = [
  [
    "FIELD_REFUSED",
    ({ orderType, slippage }) => slippage < 0n || (slippage !== 0n && orderType === "limit"),
    () => ({ field: "slippage" }),
  ],
  ["PRICE_UNAVAILABLE", (_spec, _state, _account, market) => market.mark === 0n],
  [
    "PRICE_UNAVAILABLE",
    ({ kind, source, follows }, _state, _account, market) =>
      kind === "trailingStop" && !follows && watchedPrice(market, source) === 0n,
  ],
  ["PRICE_REQUIRED", ({ orderType, price, slippage }) => price === 0n && (orderType === "limit" || slippage === 0n)],
  [
    "EXPIRY_MISMATCH",
    ({ orderType, timeInForce, goodTilHeight, goodTilTime, follows }) =>
      timeInForce === "GTT" && (orderType === "market" || follows || (goodTilHeight === 0 && goodTilTime === 0)),
  ],
  [
    "EXPIRY_PASSED",
    ({ goodTilHeight, goodTilTime }, { height, timeMs }) =>
      (goodTilHeight !== 0 && goodTilHeight < height) || (goodTilTime !== 0 && goodTilTime < timeMs),
  ],
  ["SLIPPAGE_TOO_LARGE", ({ slippage }, _state, _account, { parameters }) => slippage > parameters.slippageMax * 1000n],
  ["SIZE_NOT_POSITIVE", ({ sizeE8, fraction }) => fraction === 0n && sizeE8 === 0n],
  ["OFF_LOT", ({ sizeE8 }, _state, _account, { parameters }) => sizeE8 % parameters.lotSize !== 0n],
  ["OFF_TICK", ({ price }, _state, _account, { parameters }) => price % parameters.tickSize !== 0n],
  ["NUMERIC_LIMIT", ({ price }, _state, _account, { parameters }) => price / parameters.tickSize > TICKS_MOST],
  ["NUMERIC_LIMIT", (spec, _state, _account, market) => priceValueOf(spec, market) > LIMIT / 4n],
  [
    "SIZE_TOO_SMALL",
    (spec, _state, { role }, { parameters }) =>
      spec.fraction === 0n &&
      role !== "house" &&
      partOf(spec, parameters.lotSize) < (spec.reduceOnly ? 1n : parameters.minLots),
    (spec, { parameters }) => ({
      lots: partOf(spec, parameters.lotSize),
      least: spec.reduceOnly ? 1n : parameters.minLots,
    }),
  ],
  [
    "SIZE_TOO_LARGE",
    (spec, _state, { role }, { parameters }) =>
      role !== "house" && partOf(spec, parameters.lotSize) > parameters.maxLots,
    (spec, { parameters }) => ({ lots: partOf(spec, parameters.lotSize), most: parameters.maxLots }),
  ],
  [
    "NOTIONAL_TOO_SMALL",
    (spec, _state, { role }, market) =>
      role !== "house" &&
      !spec.reduceOnly &&
      isPriced(spec) &&
      priceValueOf(spec, market) < market.parameters.minNotional,
    (spec, market) => ({ value: priceValueOf(spec, market), least: market.parameters.minNotional }),
  ],
  [
    "TRIGGER_PASSED",
    (spec, _state, _account, market) => !spec.follows && spec.kind !== "twap" && isPassed(spec, market),
  ],
];

/** Lots of one order; for a schedule, of an even slice, rounded down. */
function partOf({ sizeE8, slices }: IntentSpec, lotSize: bigint): bigint {
  return sizeE8 / lotSize / BigInt(slices);
}

/** Whether the value of the order is known now: it has a price and a size (INT-3). */
function isPriced({ price, slippage, fraction }: IntentSpec): boolean {
  return price !== 0n && slippage === 0n && fraction === 0n;
}

/** lots x price of a priced order, quote units; 0 of any other. */
function priceValueOf(spec: IntentSpec, { parameters }: Market): bigint {
  if (!isPriced(spec)) return 0n;
  return partOf(spec, parameters.lotSize) * (spec.price / parameters.tickSize) * parameters.tickLotValue;
}

/** An intent that only reduces needs a position to reduce, unless it waits for its entry first. */
const wouldIncrease: Check = ({ follows, reduceOnly, side }, _state, account, market) => {
  if (follows || !reduceOnly) return false;
  const signedLots = account.positions.get(market.ordinal)?.signedLots ?? 0n;
  return side === "sell" ? signedLots <= 0n : signedLots >= 0n;
};

/** Post-only has no meaning for an order that never rests. */
const takesPostOnly: Check = ({ postOnlyMode, orderType, timeInForce }) =>
  postOnlyMode !== "no" && (orderType === "market" || timeInForce === "IOC" || timeInForce === "FOK");

/** The first fault of all legs, in the order of the codes. */
export function checkSpecs(
  state: ModelState,
  account: Account,
  market: Market,
  specs: readonly IntentSpec[],
): RejectionCode | undefined {
  const findFirst = (isFault: Check) => specs.find((spec) => isFault(spec, state, account, market));
  for (const [code, isFault, emit] of CHECKS) {
    const spec = findFirst(isFault);
    if (spec !== undefined) return emit === undefined ? code : refuse(state, code, emit(spec, market));
  }
  const held = [...state.intents.values()].filter((intent) => intent.account === account).length;
  if (held + specs.length > state.genesis.intentsMax) return "INTENTS_LIMIT";
  if (findFirst(wouldIncrease) !== undefined) return "REDUCE_ONLY_WOULD_INCREASE";
  return findFirst(takesPostOnly) === undefined ? undefined : "POST_ONLY_WITH_TAKING";
}

/** Whether the price has already reached the trigger, or a trailing stop's distance is the whole price. */
function isPassed(spec: IntentSpec, market: Market): boolean {
  const value = watchedPrice(market, spec.source);
  if (value === 0n) return false;
  if (spec.kind !== "trailingStop") return isReached(spec, { low: value, high: value });
  return max(spec.trail, 0n) >= value;
}
