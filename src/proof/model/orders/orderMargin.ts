import type { RejectionCode } from "../../../protocol/rejections.ts";
import { positionOf } from "../accounts.ts";
import { abs, divCeil, max, min } from "../arithmetic.ts";
import {
  type Exposure,
  exposureIn,
  type Health,
  isOutOfRange,
  measure,
  measureView,
  viewMarginAccount,
} from "../margin/health.ts";
import { initialOf, maintenanceOf, notionalOf } from "../margin/valuation.ts";
import { VALUE_SCALE } from "../market/parameters.ts";
import { type Numbers, refuse } from "../receipts.ts";
import type { Market, ModelState, Order, Position } from "../state.ts";
import { LIMIT } from "../words.ts";
import { bestOf, crosses, opposite, signOf } from "./book.ts";
import type { Amended, OrderPlan } from "./checkOrder.ts";
import type { OrderRequest } from "./enterOrder.ts";
import { orderCostOf } from "./orderCost.ts";

type Resting = Pick<Exposure, "buys" | "sells" | "buyOrderCost" | "sellOrderCost">;

/**
 * Equity / maintenance does not fall, by cross-multiplication; without maintenance margin, equity must not be negative
 * (MRG-4).
 */
function keepsRatio(before: Health, equity: bigint, maintenance: bigint): boolean {
  if (maintenance === 0n) return equity >= 0n;
  return equity * before.maintenance >= before.equity * maintenance;
}

/**
 * Margin of an order at entry (MRG-3, MRG-4), with all of it resting. If it would trade at once, also with all of it
 * filled at its limit price, at the expense of its order cost.
 */
export function checkOrderMargin(
  state: ModelState,
  request: OrderRequest,
  plan: OrderPlan,
  amended: Amended | undefined,
): RejectionCode | undefined {
  const { account, market, reduceOnly } = request;
  const position = positionOf(account, market);
  const lots = reduceOnly ? min(plan.lots, abs(position.signedLots)) : plan.lots;
  const orderCost = orderCostOf(state, account, market, request.side, lots, plan.ticks);
  const order = { ...request, lots, ticks: plan.ticks, orderCost };
  if (position.mode === "isolated")
    return reduceOnly
      ? checkFilled(state, position, order, restingOf(position), true)
      : checkIsolated(state, position, order, takesAtOnce(order), amended?.order);
  return reduceOnly ? checkCrossReduce(state, position, order) : checkCross(state, position, order, amended?.order);
}

type PricedOrder = OrderRequest & { readonly lots: bigint; readonly ticks: bigint; readonly orderCost: bigint };

function takesAtOnce({ market, side, ticks }: PricedOrder): boolean {
  const best = bestOf(market, opposite(side));
  return best !== undefined && crosses(side, ticks, best);
}

/** Resting orders of a position, without the replaced one, and with the new one if given. */
function restingWith(exposure: Exposure, side: "buy" | "sell", gone: Order | undefined, added?: PricedOrder): Resting {
  const lots = (added?.lots ?? 0n) - (gone?.remaining ?? 0n);
  const orderCost = (added?.orderCost ?? 0n) - (gone?.orderCost ?? 0n);
  const { buys, sells, buyOrderCost, sellOrderCost } = exposure;
  return side === "buy"
    ? { buys: buys + lots, buyOrderCost: buyOrderCost + orderCost, sells, sellOrderCost }
    : { buys, buyOrderCost, sells: sells + lots, sellOrderCost: sellOrderCost + orderCost };
}

/** Resting orders of a position that may increase it. */
export function restingOf({ account, market }: Position): Resting {
  return exposureIn(viewMarginAccount({ account, isolated: undefined }), account, market);
}

function isStorable({ buys, sells, buyOrderCost, sellOrderCost }: Resting): boolean {
  return buys <= LIMIT / 2n && sells <= LIMIT / 2n && buyOrderCost <= LIMIT && sellOrderCost <= LIMIT;
}

/** Whether both sides of a market have a storable value at the mark (NUM-3). */
function isWorthStorable({ market }: Position, signedLots: bigint, { buys, sells }: Resting): boolean {
  return notionalOf(market, signedLots + buys) <= LIMIT && notionalOf(market, signedLots - sells) <= LIMIT;
}

/** The worse side of a market (MRG-3). */
function worseSide({ market, leverage }: Position, signedLots: bigint, resting: Resting): bigint {
  const buying = initialOf(market, signedLots + resting.buys, leverage) + resting.buyOrderCost;
  const selling = initialOf(market, signedLots - resting.sells, leverage) + resting.sellOrderCost;
  return max(buying, selling);
}

/** A cross account in the states by which an order is judged: as it is, and filled whole (MRG-4). */
interface Judged {
  readonly before: Health;
  readonly equityFilled: bigint;
  readonly requiredFilled: bigint;
  readonly maintenanceFilled: bigint;
}

/** Lines 1, 3, 4 and 5 of the rule for an account below its initial margin (MRG-4). */
function isNoWorseFilled({ before, equityFilled, requiredFilled, maintenanceFilled }: Judged): boolean {
  return (
    before.equity >= 0n &&
    requiredFilled <= before.required &&
    maintenanceFilled <= before.maintenance &&
    keepsRatio(before, equityFilled, maintenanceFilled)
  );
}

/** An order at its price, with the exposures that it changes (MRG-4, stepped markets). */
interface Parted {
  readonly order: PricedOrder;
  readonly position: Position;
  /** Resting orders without this one and without the replaced one. */
  readonly resting: Resting;
  /** Initial margin with orders of the other markets. */
  readonly others: bigint;
  readonly equity: bigint;
}

/** Equity and initial margin at the first part of a fill that a stepped market does not allow (MRG-4). */
function findShortPart(
  state: ModelState,
  { order, position, resting, others, equity }: Parted,
): { readonly equity: bigint; readonly required: bigint } | undefined {
  const { account, market, signedLots } = position;
  const { buys, sells } = resting;
  for (const lots of partsOf(market, order, [signedLots + buys, signedLots - sells])) {
    const left = equity - orderCostOf(state, account, market, order.side, lots, order.ticks);
    const required = others + worseSide(position, signedLots + signOf(order.side) * lots, resting);
    if (left < required) return { equity: left, required };
  }
  return undefined;
}

/** Parts of an order at which an exposure that it shrinks is the least above the bound of a tier, ascending (MRG-4). */
function partsOf(market: Market, { side, lots }: PricedOrder, exposures: readonly bigint[]): bigint[] {
  const { initialMarginMethod, tiers, lotSize } = market.parameters;
  if (initialMarginMethod !== "stepped") return [];
  const above = tiers.slice(1).map(({ from }) => (from * VALUE_SCALE) / (lotSize * market.mark) + 1n);
  const parts = exposures
    .filter((exposure) => exposure * signOf(side) < 0n)
    .flatMap((exposure) => above.map((least) => abs(exposure) - least))
    .filter((part) => part > 0n && part < lots);
  return parts.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

function checkCross(
  state: ModelState,
  position: Position,
  order: PricedOrder,
  gone: Order | undefined,
): RejectionCode | undefined {
  const { account, market, signedLots } = position;
  const view = viewMarginAccount({ account, isolated: undefined });
  const exposure = exposureIn(view, account, market);
  const before = measureView(view);
  if (isOutOfRange(before)) return "NUMERIC_LIMIT";
  const all = restingWith(exposure, order.side, gone, order);
  const without = restingWith(exposure, order.side, gone);
  if (!isStorable(all) || !isWorthStorable(position, signedLots, all)) return "NUMERIC_LIMIT";
  const others = before.required - worseSide(position, signedLots, exposure);
  const requiredResting = others + worseSide(position, signedLots, all);
  const filled = signedLots + signOf(order.side) * order.lots;
  const isBelow = before.equity < before.required;
  const reduces = signedLots * signOf(order.side) < 0n;
  const mayMeet =
    !isBelow || !reduces || (gone !== undefined && before.equity >= others + worseSide(position, signedLots, without));
  const takes = takesAtOnce(order);
  if ((takes || (isBelow && reduces)) && !isWorthStorable(position, filled, without)) return "NUMERIC_LIMIT";
  const judged: Judged = {
    before,
    equityFilled: before.equity - order.orderCost,
    requiredFilled: others + worseSide(position, filled, without),
    maintenanceFilled: before.maintenance - maintenanceOf(market, signedLots) + maintenanceOf(market, filled),
  };
  const short = mayMeet
    ? findShort(
        state,
        { order, position, resting: without, others, equity: before.equity },
        judged,
        requiredResting,
        takes,
      )
    : undefined;
  if (mayMeet && short === undefined) return undefined;
  if (!isBelow || !reduces) return refuse(state, "INSUFFICIENT_MARGIN", short!);
  if (requiredResting <= before.required && isNoWorseFilled(judged)) return undefined;
  return refuse(state, "INSUFFICIENT_MARGIN", { ...emitJudged(judged, order), requiredResting });
}

/**
 * The shortfall of an account that must meet its initial margin with the order resting, and with all or part of it
 * filled.
 */
function findShort(
  state: ModelState,
  parted: Parted,
  { equityFilled, requiredFilled }: Judged,
  requiredResting: bigint,
  takes: boolean,
): Numbers | undefined {
  const { equity, order } = parted;
  const orderCost = order.orderCost;
  if (equity < requiredResting) return { equity, required: requiredResting, orderCost };
  if (!takes) return undefined;
  if (equityFilled < requiredFilled) return { equity: equityFilled, required: requiredFilled, orderCost };
  return findShortPart(state, parted);
}

function emitJudged({ before, ...filled }: Judged, { orderCost }: PricedOrder): Numbers {
  const { equity, required, maintenance } = before;
  return { equity, required, maintenance, orderCost: orderCost, ...filled };
}

/** Of a reduce-only order: filled at its limit price up to the position's size. */
function checkCrossReduce(state: ModelState, position: Position, order: PricedOrder): RejectionCode | undefined {
  const { account, market, signedLots } = position;
  const view = viewMarginAccount({ account, isolated: undefined });
  const exposure = exposureIn(view, account, market);
  const before = measureView(view);
  if (isOutOfRange(before)) return "NUMERIC_LIMIT";
  const filled = signedLots + signOf(order.side) * order.lots;
  if (!isWorthStorable(position, filled, exposure)) return "NUMERIC_LIMIT";
  const others = before.required - worseSide(position, signedLots, exposure);
  const judged: Judged = {
    before,
    equityFilled: before.equity - order.orderCost,
    requiredFilled: others + worseSide(position, filled, exposure),
    maintenanceFilled: before.maintenance - maintenanceOf(market, signedLots) + maintenanceOf(market, filled),
  };
  const { equity } = before;
  if (equity < before.required)
    return isNoWorseFilled(judged) ? undefined : refuse(state, "INSUFFICIENT_MARGIN", emitJudged(judged, order));
  const { equityFilled, requiredFilled } = judged;
  if (equityFilled < requiredFilled)
    return refuse(state, "INSUFFICIENT_MARGIN", {
      equity: equityFilled,
      required: requiredFilled,
      orderCost: order.orderCost,
    });
  const short = findShortPart(state, { order, position, resting: exposure, others, equity });
  return short === undefined ? undefined : refuse(state, "INSUFFICIENT_MARGIN", short);
}

/**
 * The checks of an order in an isolated market (MRG-2, MRG-4):
 *
 * - Cross holds what the market's orders reserve.
 * - What the order closes leaves the margin account above its initial margin, or no nearer to liquidation.
 * - Cross holds what fills take at once.
 */
function checkIsolated(
  state: ModelState,
  position: Position,
  order: PricedOrder,
  takes: boolean,
  gone: Order | undefined,
): RejectionCode | undefined {
  const { account, market, signedLots } = position;
  const exposure = exposureIn(viewMarginAccount({ account, isolated: undefined }), account, market);
  const all = restingWith(exposure, order.side, gone, order);
  if (!isStorable(all)) return "NUMERIC_LIMIT";
  const code = checkReserve(state, position, reserveOf(position, signedLots, all), 0n, 0n);
  if (code !== undefined) return code;
  return checkFilled(state, position, order, restingWith(exposure, order.side, gone), takes);
}

/** All of an order in an isolated market filled at its limit price, next to the other resting orders there. */
function checkFilled(
  state: ModelState,
  position: Position,
  order: PricedOrder,
  rest: Resting,
  takes: boolean,
): RejectionCode | undefined {
  const { account, market, signedLots, leverage } = position;
  const closes = signedLots * signOf(order.side) < 0n;
  const marginAccount = measure({ account, isolated: position });
  const isBelow = marginAccount.equity < marginAccount.initial;
  if (!takes && !(closes && isBelow)) return undefined;
  if (isOutOfRange(marginAccount)) return "NUMERIC_LIMIT";
  const filled = signedLots + signOf(order.side) * order.lots;
  const reserve = reserveOf(position, filled, rest);
  const initial = initialOf(market, filled, leverage);
  if (!closes) {
    // The fill's collateral covers the margin that it adds, not an existing shortfall.
    if (isBelow) return refuse(state, "INSUFFICIENT_MARGIN", compareInitial(marginAccount));
    return checkReserve(state, position, reserve, initial - marginAccount.initial + order.orderCost, 0n);
  }
  const closing = order.lots < abs(signedLots) ? order.lots : abs(signedLots);
  const orderCost = orderCostOf(state, account, market, order.side, closing, order.ticks);
  const left = signedLots + signOf(order.side) * closing;
  const equity = marginAccount.equity - orderCost;
  const required = initialOf(market, left, leverage);
  if (isBelow) {
    const maintenance = maintenanceOf(market, left);
    if (marginAccount.equity < 0n || !keepsRatio(marginAccount, equity, maintenance))
      return refuse(state, "INSUFFICIENT_MARGIN", {
        ...compareInitial(marginAccount),
        maintenance: marginAccount.maintenance,
        orderCost,
        equityFilled: equity,
        requiredFilled: required,
        maintenanceFilled: maintenance,
      });
    if (!takes) return undefined;
  } else {
    if (equity < required) return refuse(state, "INSUFFICIENT_MARGIN", { equity, required, orderCost });
    for (const lots of partsOf(market, { ...order, lots: order.lots }, [signedLots])) {
      const leftOver = marginAccount.equity - orderCostOf(state, account, market, order.side, lots, order.ticks);
      const needed = initialOf(market, signedLots + signOf(order.side) * lots, leverage);
      if (leftOver < needed) return refuse(state, "INSUFFICIENT_MARGIN", { equity: leftOver, required: needed });
    }
  }
  if (left !== 0n) return checkReserve(state, position, reserve, 0n, 0n);
  return checkReserve(state, position, reserve, filled === 0n ? 0n : initial + order.orderCost - orderCost, equity);
}

function compareInitial({ equity, initial }: Health): { readonly equity: bigint; readonly required: bigint } {
  return { equity, required: initial };
}

/**
 * Margin that orders reserve next to a position: initial margin of the worse side, less the position's own. Undefined
 * if a side is worth more than the storable range.
 */
export function reserveOf(position: Position, signedLots: bigint, resting: Resting): bigint | undefined {
  if (resting.buys === 0n && resting.sells === 0n) return 0n;
  if (!isWorthStorable(position, signedLots, resting)) return undefined;
  return worseSide(position, signedLots, resting) - initialOf(position.market, signedLots, position.leverage);
}

/** Whether cross covers a reserve and the net amount of a fill; or the reserve is no more than it is now. */
export function checkReserve(
  state: ModelState,
  { account, market }: Position,
  reserve: bigint | undefined,
  moved: bigint,
  back: bigint,
): RejectionCode | undefined {
  const view = viewMarginAccount({ account, isolated: undefined });
  const exposure = exposureIn(view, account, market);
  const before = measureView(view);
  if (isOutOfRange(before) || reserve === undefined) return "NUMERIC_LIMIT";
  const now =
    before.required - measureView({ ...view, exposures: view.exposures.filter((at) => at !== exposure) }).required;
  if (moved <= back && reserve <= now) return undefined;
  const free = before.collateral + before.losses - max(before.required - now, divCeil(before.notional, 10n));
  const required = reserve + moved - back;
  return free >= required ? undefined : refuse(state, "INSUFFICIENT_MARGIN", { free, required });
}
