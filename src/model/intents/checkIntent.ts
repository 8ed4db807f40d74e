import type { RejectionCode } from "../../protocol/rejections.ts";
import { max } from "../arithmetic.ts";
import { statusRules } from "../market/lifecycle.ts";
import type { Account, Intent, Market, ModelState } from "../state.ts";
import { isReached, watchedPrice } from "./trigger.ts";

/** What an intent, or one leg of it, wants to place and waits for. Prices are 1e-8 USD, the size 1e-8 base. */
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
  readonly size: bigint;
  readonly price: bigint;
  readonly slices: number;
  readonly goodTilHeight: number;
  readonly goodTilTime: number;
  /** It waits for its entry: neither trigger nor position is looked at. */
  readonly follows: boolean;
}

type Check = (spec: IntentSpec, state: ModelState, account: Account, market: Market) => boolean;

/** What can be known when an intent is placed, in the order of the codes (INT, ACT-2). */
const CHECKS: readonly (readonly [RejectionCode, Check])[] = [
  [
    "MARKET_CLOSED",
    ({ postOnlyMode, reduceOnly }, _state, _account, market) => {
      const { placing } = statusRules(market);
      if (placing === "postOnly") return postOnlyMode === "no";
      return placing === "none" || (placing === "reduceOnly" && !reduceOnly);
    },
  ],
  ["OPERATION_PAUSED", (_spec, _state, _account, market) => market.parameters.pauseTrade === "on"],
  [
    "PRICE_UNAVAILABLE",
    ({ source }, _state, _account, market) => market.mark === 0n || watchedPrice(market, source) === 0n,
  ],
  [
    "PRICE_REQUIRED",
    ({ orderType, price, slippage }) =>
      orderType === "limit" ? price === 0n || slippage !== 0n : price === 0n && slippage === 0n,
  ],
  [
    "EXPIRY_MISMATCH",
    ({ timeInForce, goodTilHeight, goodTilTime }) => timeInForce === "GTT" && goodTilHeight === 0 && goodTilTime === 0,
  ],
  [
    "EXPIRY_PASSED",
    ({ goodTilHeight, goodTilTime }, { height, timeMs }) =>
      (goodTilHeight !== 0 && goodTilHeight < height) || (goodTilTime !== 0 && goodTilTime < timeMs),
  ],
  ["SLIPPAGE_TOO_LARGE", ({ slippage }, _state, _account, { parameters }) => slippage > parameters.slippageMax * 1000n],
  ["SIZE_NOT_POSITIVE", ({ size, fraction, follows }) => !follows && fraction === 0n && size === 0n],
  ["OFF_LOT", ({ size }, _state, _account, { parameters }) => size % parameters.lotSize !== 0n],
  ["OFF_TICK", ({ price }, _state, _account, { parameters }) => price % parameters.tickSize !== 0n],
  ["NUMERIC_LIMIT", ({ trigger }, _state, _account, { parameters }) => trigger > parameters.priceMost],
  [
    "SIZE_TOO_SMALL",
    ({ size, fraction, follows, reduceOnly, slices }, _state, _account, { parameters }) =>
      !follows && fraction === 0n && !reduceOnly && size / parameters.lotSize / BigInt(slices) < parameters.minLots,
  ],
  [
    "SIZE_TOO_LARGE",
    ({ size, slices }, _state, _account, { parameters }) =>
      size / parameters.lotSize > parameters.maxLots * BigInt(slices),
  ],
  [
    "TRIGGER_PASSED",
    (spec, _state, _account, market) => !spec.follows && spec.kind !== "twap" && isPassed(spec, market),
  ],
];

/** Checks that stand behind the limit of intents. */
const LATER_CHECKS: readonly (readonly [RejectionCode, Check])[] = [
  [
    "REDUCE_ONLY_WOULD_INCREASE",
    ({ follows, reduceOnly, side }, _state, account, market) => {
      if (follows || !reduceOnly) return false;
      const size = account.positions.get(market.ordinal)?.size ?? 0n;
      return side === "sell" ? size <= 0n : size >= 0n;
    },
  ],
  [
    "POST_ONLY_WITH_TAKING",
    ({ postOnlyMode, orderType, timeInForce }) =>
      postOnlyMode !== "no" && (orderType === "market" || timeInForce === "IOC" || timeInForce === "FOK"),
  ],
];

/** The first fault of any of the legs, in the order of the codes. */
export function checkSpecs(
  state: ModelState,
  account: Account,
  market: Market,
  specs: readonly IntentSpec[],
): RejectionCode | undefined {
  const faultOf = (checks: typeof CHECKS) =>
    checks.find(([, isFault]) => specs.some((spec) => isFault(spec, state, account, market)))?.[0];
  const fault = faultOf(CHECKS);
  if (fault !== undefined) return fault;
  const held = [...state.intents.values()].filter((intent) => intent.account === account).length;
  if (held + specs.length > state.genesis.intentsMax) return "INTENTS_LIMIT";
  return faultOf(LATER_CHECKS);
}

/** Whether the price is at the trigger already, or a trailing stop's distance is the whole price. */
function isPassed(spec: IntentSpec, market: Market): boolean {
  const value = watchedPrice(market, spec.source);
  if (spec.kind !== "trailingStop") return isReached(spec, { low: value, high: value });
  return max(spec.trail, 0n) >= value;
}
