/** Margin checks of orders in a market whose position is isolated (MRG-2). */
import { LIMIT, type Lots } from "../../../ground/math/fixed.ts";
import { SIDE } from "../../../protocol/words.ts";
import { type Rejection, reject } from "../handler/defineHandler.ts";
import { DEPTH, getSideInitial, measure, measureIsolated, meetsInitial } from "../margin/health.ts";
import { computeFreeWithIsolated, getIsolatedInitial } from "../margin/isolated.ts";
import { listParts } from "../margin/parts.ts";
import { getTakerRate } from "../matching/volume.ts";
import type { Health } from "../state/health.ts";
import type { PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { computeMaintenance, getNotionalAtMark } from "../valuation/notional.ts";
import { computeOrderCost } from "../valuation/orderCost.ts";
import { checkBelowInitial } from "./checkBelowInitial.ts";
import type { Lacking, OrderTerms } from "./checkOrder.ts";

/** Resting orders of a position, as they are or would be. */
interface Resting {
  readonly buys: number;
  readonly sells: number;
  readonly buyOrderCost: number;
  readonly sellOrderCost: number;
}

/**
 * Margin of an order in an isolated market (ACT-1, MRG-2, MRG-4). Three checks:
 *
 * - Its reserve must be free in cross, or not rise. The reserve is what it adds to the initial margin of the worse side
 *   beyond that of the position.
 * - If it would trade at once, the amount that a fill of all of it takes from cross must be free, with the reserve of
 *   the other orders then.
 * - What it closes must leave the position's margin account above its initial margin. If it is below already, equity /
 *   maintenance must not fall.
 *
 * @param orderCost order cost at entry
 * @param gone    lots and order cost of the resting order that this one replaces
 * @param crosses whether it would trade at once
 */
export function checkIsolatedMargin(
  state: State,
  position: PositionRow,
  terms: OrderTerms,
  orderCost: number,
  gone: { readonly lots: number; readonly orderCost: number },
  crosses: boolean,
): Rejection | undefined {
  const { positions } = state;
  const buying = terms.side === SIDE.buy;
  const signedLots: number = positions.signedLots[position];
  // Without the order that is replaced; then with this one, too.
  const rest: Resting = {
    buys: positions.buys[position] - (buying ? gone.lots : 0),
    sells: positions.sells[position] - (buying ? 0 : gone.lots),
    buyOrderCost: positions.buyOrderCost[position] - (buying ? gone.orderCost : 0),
    sellOrderCost: positions.sellOrderCost[position] - (buying ? 0 : gone.orderCost),
  };
  const all: Resting = {
    buys: rest.buys + (buying ? terms.lots : 0),
    sells: rest.sells + (buying ? 0 : terms.lots),
    buyOrderCost: rest.buyOrderCost + (buying ? orderCost : 0),
    sellOrderCost: rest.sellOrderCost + (buying ? 0 : orderCost),
  };
  const { buys, sells, buyOrderCost, sellOrderCost } = all;
  if (!(buys <= LIMIT / 2 && sells <= LIMIT / 2 && buyOrderCost <= LIMIT && sellOrderCost <= LIMIT)) {
    return reject("NUMERIC_LIMIT", { limit: LIMIT });
  }
  const refused = checkReserve(state, position, getReserve(state, position, signedLots, all), 0, 0);
  if (refused !== undefined) return refused;
  return crosses ? checkFilled(state, position, terms, orderCost, rest) : checkRestingClose(state, position, terms);
}

/** As `checkIsolatedMargin`, for an order that only reduces: filled as far as the position reaches (MRG-4). */
export function checkIsolatedReduce(
  state: State,
  position: PositionRow,
  terms: OrderTerms,
  orderCost: number,
): Rejection | undefined {
  const { positions } = state;
  return checkFilled(state, position, terms, orderCost, {
    buys: positions.buys[position],
    sells: positions.sells[position],
    buyOrderCost: positions.buyOrderCost[position],
    sellOrderCost: positions.sellOrderCost[position],
  });
}

/** All of an order filled at its worst price. */
function checkFilled(
  state: State,
  position: PositionRow,
  terms: OrderTerms,
  orderCost: number,
  rest: Resting,
): Rejection | undefined {
  const { positions } = state;
  const signedLots: number = positions.signedLots[position];
  const filled = terms.side === SIDE.buy ? signedLots + terms.lots : signedLots - terms.lots;
  const reserve = getReserve(state, position, filled, rest);
  const marginAccount = measureIsolated(state, position);
  if (marginAccount.overflow) return reject("NUMERIC_LIMIT", { limit: LIMIT });
  if (!isClosing(signedLots, terms.side)) {
    // A fill pays for the margin that it adds, not for a shortfall of the margin account: its owner adds that first
    // (MRG-4).
    if (!meetsInitial(marginAccount)) {
      return reject("INSUFFICIENT_MARGIN", { equity: marginAccount.equity, required: marginAccount.initial });
    }
    const moved =
      getIsolatedInitial(state, position, filled) - getIsolatedInitial(state, position, signedLots) + orderCost;
    return checkReserve(state, position, reserve, moved, 0);
  }
  const refused = checkClosed(state, position, terms, marginAccount);
  if (refused !== undefined) return refused;
  const isLeft = filled !== 0 && filled > 0 === signedLots > 0;
  if (isLeft) return checkReserve(state, position, reserve, 0, 0);
  const closed = getOrderCost(state, position, terms, Math.abs(signedLots));
  const moved = filled === 0 ? 0 : getIsolatedInitial(state, position, filled) + orderCost - closed;
  return checkReserve(state, position, reserve, moved, marginAccount.equity - closed);
}

function isClosing(signedLots: number, side: number): boolean {
  return signedLots !== 0 && signedLots > 0 !== (side === SIDE.buy);
}

/**
 * An order that only rests: below its initial margin, a margin account may be no worse after the closing part of it
 * (MRG-4).
 */
function checkRestingClose(state: State, position: PositionRow, terms: OrderTerms): Rejection | undefined {
  if (!isClosing(state.positions.signedLots[position], terms.side)) return undefined;
  const marginAccount = measureIsolated(state, position);
  if (marginAccount.overflow) return reject("NUMERIC_LIMIT", { limit: LIMIT });
  return meetsInitial(marginAccount) ? undefined : checkClosed(state, position, terms, marginAccount);
}

/**
 * The closing part of an order, filled: the margin account meets its initial margin, or is no worse where it was below
 * it (MRG-4).
 */
function checkClosed(
  state: State,
  position: PositionRow,
  terms: OrderTerms,
  marginAccount: Health,
): Rejection | undefined {
  const { positions, markets } = state;
  const market = positions.market[position];
  const rules = state.parameters[market]!;
  const open = Math.abs(positions.signedLots[position]);
  const lots = Math.min(terms.lots, open);
  const orderCost = getOrderCost(state, position, terms, lots);
  const left = open - lots;
  const required = getIsolatedInitial(state, position, left);
  if (meetsInitial(marginAccount)) {
    const equity = marginAccount.equity - orderCost;
    const lacking =
      equity < required
        ? { equity, required, orderCost }
        : findLackingPart(state, position, terms, marginAccount.equity);
    return lacking === undefined ? undefined : reject("INSUFFICIENT_MARGIN", { ...lacking });
  }
  const maintenanceFilled = computeMaintenance(rules, getNotionalAtMark(markets, rules, market, left));
  return checkBelowInitial(marginAccount, {
    orderCost,
    requiredResting: undefined,
    requiredFilled: required,
    maintenanceFilled,
  });
}

/**
 * The first part that closes after which the position's equity would not cover its initial margin, in a `stepped`
 * market.
 */
function findLackingPart(state: State, position: PositionRow, terms: OrderTerms, before: number): Lacking | undefined {
  const { positions } = state;
  const signedLots: number = positions.signedLots[position];
  for (const part of listParts(state, positions.market[position], terms.side, terms.lots, [signedLots])) {
    const orderCost = getOrderCost(state, position, terms, part);
    const equity = before - orderCost;
    const required = getIsolatedInitial(state, position, Math.abs(signedLots) - part);
    if (!(equity >= required)) return { equity, required, orderCost };
  }
  return undefined;
}

function getOrderCost(state: State, position: PositionRow, terms: OrderTerms, lots: number): number {
  const market = state.positions.market[position];
  const rules = state.parameters[market]!;
  const rate = getTakerRate(state, rules, state.positions.account[position]);
  return computeOrderCost(rules, terms.side, lots as Lots, terms.price, state.markets.mark[market], rate);
}

/**
 * Whether cross can hold the reserve of a market's orders and the amount that a fill takes. Both together must be free,
 * apart from the market's present reserve (MRG-5); or nothing is taken and no more is reserved.
 *
 * @param back amount that a close gives back to cross
 */
export function checkReserve(
  state: State,
  position: PositionRow,
  reserve: number,
  moved: number,
  back: number,
): Rejection | undefined {
  const account = state.positions.account[position];
  const health = measure(state, account, DEPTH.orders, state.positions.market[position]);
  if (health.overflow) return reject("NUMERIC_LIMIT", { limit: LIMIT });
  const required = reserve + moved - back;
  if (Number.isNaN(required)) return reject("NUMERIC_LIMIT", { limit: LIMIT });
  if (moved <= back && reserve <= health.marketInitial) return undefined;
  const free = computeFreeWithIsolated(state.accounts.collateral[account], health);
  return free >= required ? undefined : reject("INSUFFICIENT_MARGIN", { free, required });
}

/** What orders reserve in addition to a position: the margin of the worse side, less the margin of the position. */
function getReserve(state: State, position: PositionRow, signedLots: number, resting: Resting): number {
  const { positions, markets } = state;
  const market = positions.market[position];
  const rules = state.parameters[market]!;
  const leverage = positions.leverage[position];
  const { buys, sells, buyOrderCost, sellOrderCost } = resting;
  if (buys === 0 && sells === 0) return 0;
  const buy = getSideInitial(markets, rules, market, leverage, signedLots + buys, buyOrderCost);
  const sell = getSideInitial(markets, rules, market, leverage, signedLots - sells, sellOrderCost);
  return Math.max(buy, sell) - getIsolatedInitial(state, position, signedLots);
}
