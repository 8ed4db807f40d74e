import { NONE } from "../../../ground/collections/table.ts";
import { bigDivFloor, LIMIT, type Lots, mulDivCeil, mulDivFloor, PPB, type Ticks } from "../../../ground/math/fixed.ts";
import { PLACING, placingOf } from "../../../protocol/lifecycle.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { MARGIN_MODE, MARKET_STATUSES, POST_ONLY, SIDE } from "../../../protocol/words.ts";
import { type Rejection, reject } from "../handler/defineHandler.ts";
import { OFF_GRID, TICKS_MOST, toSteps } from "../handler/grid.ts";
import { DEPTH, getSideInitial, getWorseInitial, measure, meetsInitial } from "../margin/health.ts";
import { listParts } from "../margin/parts.ts";
import { computeSurplus } from "../margin/surplus.ts";
import { getBandTicks, isInBand } from "../matching/band.ts";
import { getTakerRate } from "../matching/volume.ts";
import type { Health } from "../state/health.ts";
import type { AccountRow, MarketRow, PositionRow } from "../state/schema.ts";
import { getPosition, type State } from "../state/state.ts";
import { computeMaintenance, getNotionalAtMark } from "../valuation/notional.ts";
import { computeOrderCost } from "../valuation/orderCost.ts";
import { checkBelowInitial } from "./checkBelowInitial.ts";
import { checkIsolatedMargin, checkIsolatedReduce } from "./checkIsolated.ts";

/** Terms of an order, in lots and ticks. */
export interface OrderTerms {
  readonly side: number;
  readonly lots: Lots;
  readonly price: Ticks;
  readonly reduceOnly: boolean;
}

/** State after an order that lacks margin: equity, the initial margin that it has to cover, and the cost of filling. */
export interface Lacking {
  readonly equity: number;
  readonly required: number;
  readonly orderCost: number;
}

/**
 * Whether a market takes an order in its status, while trading is not paused (MKT), and after a gap only what is
 * post-only (PRC-4).
 *
 * @param rests the order only makes: it is post-only
 */
export function checkStatus(
  state: State,
  market: MarketRow,
  reduceOnly: boolean,
  rests: boolean,
): Rejection | undefined {
  const rules = state.parameters[market]!;
  const placing = placingOf(rules);
  const open =
    placing === PLACING.all ||
    (placing === PLACING.reduceOnly && reduceOnly) ||
    (placing === PLACING.postOnly && rests);
  if (!open) return reject("MARKET_CLOSED", { status: MARKET_STATUSES[rules.status]! });
  if (rules.pauseTrade !== 0) return reject("OPERATION_PAUSED", { operation: "trade" });
  if (state.markets.restarting[market] !== 0 && !rests)
    return reject("MARKET_RESTARTING", { market: state.marketNames[market]! });
  return undefined;
}

/**
 * Worst price of a market order without a price (ORD-1). It is the last whole tick within the slippage bound around the
 * mark, and at least one tick.
 */
export function computeWorstPrice(rules: MarketParameters, side: number, mark: number, slippagePpb: number): Ticks {
  const price =
    side === SIDE.buy ? mulDivFloor(mark, PPB + slippagePpb, PPB) : mulDivCeil(mark, PPB - slippagePpb, PPB);
  const bound = Number.isNaN(price)
    ? computeFarPrice(rules, mark, slippagePpb)
    : side === SIDE.buy
      ? Math.floor(price / rules.tickSize)
      : Math.ceil(price / rules.tickSize);
  return (bound < 1 ? 1 : bound <= TICKS_MOST ? bound : TICKS_MOST) as Ticks;
}

/**
 * Limit of an order in ticks: its own price, the worst price of its slippage bound, or the tighter of the two (ORD-1).
 * `OFF_GRID` if its own price is no multiple of the tick, even if the bound is tighter.
 */
export function boundPrice(
  rules: MarketParameters,
  side: number,
  mark: number,
  { price, slippage }: { readonly price: number; readonly slippage: number },
): Ticks {
  if (price === 0) return computeWorstPrice(rules, side, mark, slippage);
  const own = toSteps(price, rules.tickSize) as Ticks;
  if (slippage === 0 || own === OFF_GRID) return own;
  const bound = computeWorstPrice(rules, side, mark, slippage);
  return (side === SIDE.buy ? own < bound : own > bound) ? own : bound;
}

/** Worst price of a purchase, ticks, where the bound in USD is beyond what is storable. */
function computeFarPrice({ tickSize }: MarketParameters, mark: number, slippagePpb: number): number {
  return Number(bigDivFloor(BigInt(mark) * BigInt(PPB + slippagePpb), BigInt(PPB) * BigInt(tickSize)));
}

/**
 * Price of an order that may slide (ORD-2): one tick outside the best price of the other side, if it would take at its
 * own. Where no tick is left outside, its own: then it is rejected as one that would take.
 */
export function slidePrice(state: State, market: MarketRow, side: number, price: Ticks, postOnly: number): Ticks {
  if (postOnly !== POST_ONLY.slide || !crosses(state, market, side, price)) return price;
  const { bestAsk, bestBid } = state.books[market]!;
  const outside = side === SIDE.buy ? bestAsk - 1 : bestBid + 1;
  return outside < 1 || outside > TICKS_MOST ? price : (outside as Ticks);
}

/** Rejects a post-only order that would take (ORD-2). */
export function checkPostOnly(state: State, market: MarketRow, side: number, price: Ticks): Rejection | undefined {
  if (!crosses(state, market, side, price)) return undefined;
  const { bestAsk, bestBid } = state.books[market]!;
  return reject("POST_ONLY_WOULD_TAKE", { price, best: side === SIDE.buy ? bestAsk : bestBid });
}

/**
 * Size, value and band of an order (ORD-5), in order of precedence. For the house only the storable range applies
 * (ACC).
 */
export function checkLimits(state: State, market: MarketRow, terms: OrderTerms, house: boolean): Rejection | undefined {
  const rules = state.parameters[market]!;
  const { lots, price, reduceOnly } = terms;
  const value = lots * price * rules.tickLotValue;
  if (price > TICKS_MOST || lots > LIMIT || value > LIMIT / 4)
    return reject("NUMERIC_LIMIT", { value, limit: LIMIT / 4 });
  if (house) return undefined;
  if (!reduceOnly && lots < rules.minLots) return reject("SIZE_TOO_SMALL", { lots, least: rules.minLots });
  if (lots > rules.maxLots) return reject("SIZE_TOO_LARGE", { lots, most: rules.maxLots });
  if (!reduceOnly && value < rules.minNotional)
    return reject("NOTIONAL_TOO_SMALL", { value, least: rules.minNotional });
  if (!isInBand(state, market, price))
    return reject("PRICE_OUT_OF_BAND", { price, ...getBandTicks(state, market), index: state.markets.index[market] });
  return undefined;
}

/**
 * Whether the house's resting lots of a side stay storable with more of them (NUM-3). Others are bounded by their
 * margin.
 */
export function fitsResting(state: State, account: AccountRow, market: MarketRow, side: number, lots: number): boolean {
  const { positions } = state;
  const position = getPosition(state, account, market);
  if (position === NONE) return lots <= LIMIT / 2;
  return (side === SIDE.buy ? positions.buys[position] : positions.sells[position]) + lots <= LIMIT / 2;
}

/**
 * Whether an order can only reduce a position: it is on the closing side, and together with the orders that rest there
 * does not reach beyond it.
 *
 * @param gone lots of the resting order that this one replaces
 */
export function onlyReduces(state: State, position: PositionRow, side: number, lots: number, gone = 0): boolean {
  if (position === NONE) return false;
  const { positions } = state;
  const signedLots: number = positions.signedLots[position];
  return side === SIDE.buy
    ? positions.buys[position] - gone + lots <= -signedLots
    : positions.sells[position] - gone + lots <= signedLots;
}

/**
 * Whether it is certain, without `checkMargin`, that an order passes it, and that its account meets its initial margin
 * before (`computeSurplus`). An order in an isolated position never is.
 *
 * The bounds cover the order resting, filled, and filled in part: between `low` and `high` lie all exposures that it
 * may lead to. A part of an order may cost a unit more than all of it, by rounding.
 *
 * @param orderCost of all of it
 * @param gone lots of the resting order that this one replaces
 */
export function hasAmpleMargin(
  state: State,
  account: AccountRow,
  market: MarketRow,
  { side, lots }: OrderTerms,
  orderCost: number,
  gone = 0,
): boolean {
  const { positions } = state;
  const position = getPosition(state, account, market);
  const added = lots - gone;
  if (position === NONE) {
    const buys = side === SIDE.buy;
    return computeSurplus(state, account, market, buys ? 0 : 0 - added, buys ? added : 0) > orderCost;
  }
  if (positions.mode[position] !== MARGIN_MODE.cross) return false;
  const signedLots: number = positions.signedLots[position];
  const low = side === SIDE.buy ? 0 : signedLots - positions.sells[position] - added;
  const high = side === SIDE.buy ? signedLots + positions.buys[position] + added : 0;
  return computeSurplus(state, account, market, low, high) > orderCost;
}

/**
 * Margin of a new order, or of an amendment that enters as one, at entry and at its worst price (ACT-1, MRG-3, MRG-4).
 * An account that meets its initial margin must meet it with the order on its side. If the order would trade at once,
 * it must also meet it with all of it filled. One below it may reduce, close or turn its position
 * (`checkBelowInitial`).
 *
 * @param orderCost order cost, `computeOrderCost`
 * @param gone   lots and order cost of the resting order that this one replaces
 */
export function checkMargin(
  state: State,
  account: AccountRow,
  market: MarketRow,
  terms: OrderTerms,
  orderCost: number,
  gone: { readonly lots: number; readonly orderCost: number } = NOTHING_GONE,
): Rejection | undefined {
  const { positions } = state;
  const position = getPosition(state, account, market);
  if (position !== NONE && positions.mode[position] !== MARGIN_MODE.cross) {
    return checkIsolatedMargin(
      state,
      position,
      terms,
      orderCost,
      gone,
      crosses(state, market, terms.side, terms.price),
    );
  }
  const health = measure(state, account, DEPTH.orders, market);
  if (health.overflow) return reject("NUMERIC_LIMIT", { limit: LIMIT });
  const none = position === NONE;
  const signedLots: number = none ? 0 : positions.signedLots[position];
  const buying = terms.side === SIDE.buy;
  const buys = (none ? 0 : positions.buys[position]) + (buying ? terms.lots - gone.lots : 0);
  const sells = (none ? 0 : positions.sells[position]) + (buying ? 0 : terms.lots - gone.lots);
  const buyOrderCost = (none ? 0 : positions.buyOrderCost[position]) + (buying ? orderCost - gone.orderCost : 0);
  const sellOrderCost = (none ? 0 : positions.sellOrderCost[position]) + (buying ? 0 : orderCost - gone.orderCost);
  if (!(buys <= LIMIT / 2 && sells <= LIMIT / 2 && buyOrderCost <= LIMIT && sellOrderCost <= LIMIT)) {
    return reject("NUMERIC_LIMIT", { limit: LIMIT });
  }
  const rules = state.parameters[market]!;
  const leverage = none ? 0 : positions.leverage[position];
  const sideAt = (exposure: number, cost: number) =>
    getSideInitial(state.markets, rules, market, leverage, exposure, cost);
  const buySide = sideAt(signedLots + buys, buyOrderCost);
  const sellSide = sideAt(signedLots - sells, sellOrderCost);
  const others = health.initial - health.marketInitial;
  const required = others + Math.max(buySide, sellSide);
  if (Number.isNaN(required)) return reject("NUMERIC_LIMIT", { limit: LIMIT });
  const { equity } = health;
  const trades = crosses(state, market, terms.side, terms.price);
  const belowInitial = !meetsInitial(health) && (buying ? signedLots < 0 : signedLots > 0);
  if (!belowInitial && (equity < required || !trades)) {
    return equity >= required ? undefined : reject("INSUFFICIENT_MARGIN", { equity, required, orderCost: orderCost });
  }
  // Filled, its cost is lost, and the orders of the other side are left with a position of another size.
  const filled = buying ? signedLots + terms.lots : signedLots - terms.lots;
  const other = buying ? sideAt(filled - sells, sellOrderCost) : sideAt(filled + buys, buyOrderCost);
  const requiredFilled = others + Math.max((buying ? buySide : sellSide) - orderCost, other);
  if (Number.isNaN(requiredFilled)) return reject("NUMERIC_LIMIT", { limit: LIMIT });
  if (!belowInitial && equity - orderCost < requiredFilled) {
    return reject("INSUFFICIENT_MARGIN", {
      equity: equity - orderCost,
      required: requiredFilled,
      orderCost: orderCost,
    });
  }
  const exposures = [signedLots + buys - (buying ? terms.lots : 0), signedLots - sells + (buying ? 0 : terms.lots)];
  const orderCosts = [buyOrderCost - (buying ? orderCost : 0), sellOrderCost - (buying ? 0 : orderCost)];
  const findPart = () => findLackingPart(state, account, market, health, terms, exposures, orderCosts);
  if (!belowInitial) {
    const part = findPart();
    return part === undefined ? undefined : reject("INSUFFICIENT_MARGIN", { ...part });
  }
  // An amendment whose account meets its initial margin without the order that it replaces is held to it, as others
  // are.
  const without = others + Math.max(sideAt(exposures[0]!, orderCosts[0]!), sideAt(exposures[1]!, orderCosts[1]!));
  if (gone.lots > 0 && equity >= without && equity >= required) {
    if (!trades || (equity - orderCost >= requiredFilled && findPart() === undefined)) return undefined;
  }
  return checkBelowInitial(health, {
    orderCost: orderCost,
    requiredResting: required,
    requiredFilled,
    maintenanceFilled: getMaintenanceAt(state, market, health, signedLots, filled),
  });
}

/**
 * The first part of an order after which equity would not cover initial margin, in a `stepped` market (MRG-4).
 *
 * @param exposures signed lots of both sides without the order
 * @param orderCosts   order costs of the resting orders of both sides, without the order
 */
function findLackingPart(
  state: State,
  account: AccountRow,
  market: MarketRow,
  health: Health,
  { side, lots, price }: OrderTerms,
  exposures: readonly number[],
  orderCosts: readonly number[],
): Lacking | undefined {
  const rules = state.parameters[market]!;
  for (const part of listParts(state, market, side, lots, exposures)) {
    const position = getPosition(state, account, market);
    const leverage = position === NONE ? 0 : state.positions.leverage[position];
    const moved = side === SIDE.buy ? part : -part;
    const [buySide, sellSide] = exposures.map((exposure, place) =>
      getSideInitial(state.markets, rules, market, leverage, exposure + moved, orderCosts[place]!),
    );
    const rate = getTakerRate(state, rules, account);
    const orderCost = computeOrderCost(rules, side, part as Lots, price, state.markets.mark[market], rate);
    const required = health.initial - health.marketInitial + Math.max(buySide!, sellSide!);
    const equity = health.equity - orderCost;
    if (!(equity >= required)) return { equity, required, orderCost };
  }
  return undefined;
}

/** Whether an order would meet another at once. */
function crosses(state: State, market: MarketRow, side: number, price: Ticks): boolean {
  const { bestAsk, bestBid } = state.books[market]!;
  return side === SIDE.buy ? bestAsk !== 0 && price >= bestAsk : price <= bestBid;
}

/**
 * Margin of a reduce-only order (MRG-4), filled at its worst price as far as the position reaches. Equity must cover
 * the initial margin of the remaining position. For an account below it already, the account must be no worse
 * (`checkBelowInitial`).
 *
 * @param terms  with as many lots of it as can fill
 * @param orderCost what filling it so would cost against the mark, with the fee
 */
export function checkReduceOnlyMargin(
  state: State,
  account: AccountRow,
  market: MarketRow,
  terms: OrderTerms,
  orderCost: number,
): Rejection | undefined {
  const { positions } = state;
  const { side, lots } = terms;
  const position = getPosition(state, account, market);
  if (positions.mode[position] !== MARGIN_MODE.cross) return checkIsolatedReduce(state, position, terms, orderCost);
  const health = measure(state, account, DEPTH.orders, market);
  if (health.overflow) return reject("NUMERIC_LIMIT", { limit: LIMIT });
  const signedLots = positions.signedLots[position];
  const left = side === SIDE.buy ? signedLots + lots : signedLots - lots;
  const worse = getWorseInitial(state, position, left, positions.leverage[position]);
  const required = health.initial - health.marketInitial + worse;
  if (Number.isNaN(required)) return reject("NUMERIC_LIMIT", { limit: LIMIT });
  if (meetsInitial(health)) {
    const equity = health.equity - orderCost;
    if (equity < required) return reject("INSUFFICIENT_MARGIN", { equity, required, orderCost: orderCost });
    const exposures = [signedLots + positions.buys[position], signedLots - positions.sells[position]];
    const orderCosts = [positions.buyOrderCost[position], positions.sellOrderCost[position]];
    const part = findLackingPart(state, account, market, health, terms, exposures, orderCosts);
    return part === undefined ? undefined : reject("INSUFFICIENT_MARGIN", { ...part });
  }
  return checkBelowInitial(health, {
    orderCost: orderCost,
    requiredResting: undefined,
    requiredFilled: required,
    maintenanceFilled: getMaintenanceAt(state, market, health, signedLots, left),
  });
}

/** Maintenance margin of an account if one of its cross positions had another size. */
function getMaintenanceAt(state: State, market: MarketRow, health: Health, signedLots: number, then: number): number {
  const rules = state.parameters[market]!;
  const at = (lots: number) =>
    computeMaintenance(rules, getNotionalAtMark(state.markets, rules, market, Math.abs(lots)));
  return health.maintenance - at(signedLots) + at(then);
}

const NOTHING_GONE = { lots: 0, orderCost: 0 } as const;
