import { NONE } from "../../../ground/collections/table.ts";
import { compareProducts, PPM } from "../../../ground/math/fixed.ts";
import { OPERATION, OPERATIONS, VALIDITIES, VALIDITY, VALIDITY_MATRIX } from "../../../protocol/validity.ts";
import { MARK_METHOD } from "../../../protocol/words.ts";
import { type Rejection, reject } from "../handler/defineHandler.ts";
import { marginAccountOf } from "../state/marginAccount.ts";
import type { AccountRow, MarketRow, PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/** The matrix by operation, a bit for each validity that allows it. */
const ALLOWED: readonly number[] = OPERATIONS.map((name) =>
  VALIDITY_MATRIX[name].reduce<number>((bits, allowed, place) => (allowed ? bits | (1 << place) : bits), 0),
);

/**
 * How far a market's price may be trusted now (PRC-1). A recorded mark is used unchanged: it is valid once it is there.
 * Derived: from the oracle's columns, the parameters and the time of the block.
 */
export function computeValidity(state: State, market: MarketRow): number {
  const { markets } = state;
  const rules = state.parameters[market]!;
  if (rules.markMethod === MARK_METHOD.reported) {
    return markets.oracle[market] === 0 && markets.reported[market] === 0 ? VALIDITY.nonPositive : VALIDITY.valid;
  }
  const oracle = markets.oracle[market];
  if (oracle === 0) return VALIDITY.nonPositive;
  if (markets.candidate[market] !== 0) return VALIDITY.tooVolatile;
  if (compareProducts(markets.oracleConfidence[market], PPM, oracle, rules.oracleUncertain) > 0) {
    return VALIDITY.tooUncertain;
  }
  if (rules.oracleStale !== 0 && state.timeMs - markets.oracleTime[market] > rules.oracleStale) return VALIDITY.stale;
  return VALIDITY.valid;
}

/** Whether the market's price allows an operation of `OPERATION` now; none of them in a gap (PRC-1, PRC-4). */
export function allows(state: State, market: MarketRow, operation: number): boolean {
  const { restarting, validity } = state.markets;
  return restarting[market] === 0 && ((ALLOWED[operation]! >> validity[market]) & 1) === 1;
}

/** Why a market that waits for a fresh price after a gap refuses an operation that needs one (PRC-4). */
export function checkRestarting(state: State, market: MarketRow): Rejection | undefined {
  return state.markets.restarting[market] === 0
    ? undefined
    : reject("MARKET_RESTARTING", { market: state.marketNames[market]! });
}

/**
 * Why the market's price does not allow an operation outside of a gap, undefined if it does: `checkRestarting` comes
 * first.
 */
export function checkPrice(state: State, market: MarketRow, operation: number): Rejection | undefined {
  return allows(state, market, operation) ? undefined : refusePrice(state, market);
}

function refusePrice(state: State, market: MarketRow): Rejection {
  const { markets, marketNames } = state;
  return reject("PRICE_NOT_VALID", { market: marketNames[market]!, validity: VALIDITIES[markets.validity[market]]! });
}

/**
 * Why the price refuses an order that may add exposure. After a gap a post-only order may rest at an old price: no
 * order takes it before there is a new one (PRC-4).
 *
 * @param rests it is post-only and rests
 */
export function checkIncrease(state: State, market: MarketRow, rests: boolean): Rejection | undefined {
  const { markets } = state;
  const restarting = markets.restarting[market] !== 0;
  const validity = markets.validity[market];
  const refused = restarting ? !rests || validity < VALIDITY.stale : validity !== VALIDITY.valid;
  return refused ? refusePrice(state, market) : undefined;
}

/**
 * Whether a market takes no new exposure. It takes none while the raw oracle lies beyond the clamped index (PRC-2). It
 * also takes none while a margin account of the market that is due for liquidation waits for the next block (LIQ).
 */
export function isFrozen(state: State, market: MarketRow): boolean {
  return state.risk.queueFull.has(market) || isCatchingUp(state, market);
}

/** Whether the raw oracle price lies beyond the clamped index (PRC-2). Recorded marks have no clamp. */
export function isCatchingUp({ markets, parameters }: State, market: MarketRow): boolean {
  return markets.oracle[market] !== markets.index[market] && parameters[market]!.markMethod !== MARK_METHOD.reported;
}

/**
 * Why a market takes no new exposure: its liquidation queue is full, or its index has not reached the oracle price yet.
 */
export function refuseFrozen({ risk, markets, marketNames }: State, market: MarketRow): Rejection {
  const name = marketNames[market]!;
  if (risk.queueFull.has(market)) return reject("EXPOSURE_FROZEN", { market: name, cause: "liquidations" });
  return reject("EXPOSURE_FROZEN", { market: name, oracle: markets.oracle[market], index: markets.index[market] });
}

/** Why nothing may leave an account: a gap in a market in which it has a position or an order (PRC-4). */
export function checkOutflowRestarting(state: State, account: AccountRow): Rejection | undefined {
  return findInMarkets(state, account, checkRestarting);
}

/** Why nothing may leave an account: the price of a market in which it has a position or an order (PRC-1). */
export function checkOutflowPrices(state: State, account: AccountRow): Rejection | undefined {
  return findInMarkets(state, account, checkOutflowPrice);
}

function checkOutflowPrice(state: State, market: MarketRow): Rejection | undefined {
  return checkPrice(state, market, OPERATION.withdraw);
}

/** The first refusal by a market in which an account has a position or an order. Cost: once per position. */
function findInMarkets(
  state: State,
  account: AccountRow,
  check: (state: State, market: MarketRow) => Rejection | undefined,
): Rejection | undefined {
  const { positions, accounts } = state;
  for (let at = accounts.position[account]; at !== NONE; at = positions.next[at]) {
    if (positions.signedLots[at] === 0 && positions.orderCount[at] === 0) continue;
    const refused = check(state, positions.market[at]);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

/** Whether a margin account may be liquidated: the price of every market in which it has a position allows it. */
export function mayLiquidate(state: State, account: AccountRow, isolated: PositionRow): boolean {
  const { positions, accounts } = state;
  for (let at = accounts.position[account]; at !== NONE; at = positions.next[at]) {
    if (positions.signedLots[at] === 0 || marginAccountOf(state, at) !== isolated) continue;
    if (!allows(state, positions.market[at], OPERATION.liquidate)) return false;
  }
  return true;
}
