import type { RejectionCode } from "../../protocol/rejections.ts";
import { positionOf } from "../accounts.ts";
import { abs, divCeil, max, min } from "../arithmetic.ts";
import { type Exposure, exposureIn, type Health, isWide, measure, measureView, viewBucket } from "../margin/health.ts";
import { initialOf, maintenanceOf, notionalOf } from "../margin/requirement.ts";
import { refuse } from "../receipts.ts";
import type { ModelState, Order, Position } from "../state.ts";
import { LIMIT } from "../words.ts";
import { bestOf, crosses, opposite, signOf } from "./book.ts";
import { chargeOf } from "./charge.ts";
import type { Amended, OrderPlan } from "./checkOrder.ts";
import type { OrderRequest } from "./enterOrder.ts";

type Resting = Pick<Exposure, "buys" | "sells" | "buyCharge" | "sellCharge">;

/** MRG-4, the second half: a ratio that does not fall, compared crosswise, and where nothing is left, nothing owed. */
export function keepsRatio(before: Health, equity: bigint, maintenance: bigint): boolean {
  if (maintenance === 0n) return equity >= 0n;
  if (before.maintenance === 0n) return equity >= maintenance;
  return equity * before.maintenance >= before.equity * maintenance;
}

/**
 * Margin of an order at entry (MRG-3, MRG-4): with all of it resting, and, where it would trade at once, with all of it
 * filled at its limit price, which costs what it was charged.
 */
export function checkOrderMargin(
  state: ModelState,
  request: OrderRequest,
  plan: OrderPlan,
  amended: Amended | undefined,
): RejectionCode | undefined {
  const { account, market, reduceOnly } = request;
  const position = positionOf(account, market);
  const lots = reduceOnly ? min(plan.lots, abs(position.size)) : plan.lots;
  const charge = chargeOf(state, account, market, request.side, lots, plan.ticks);
  const order = { ...request, lots, ticks: plan.ticks, charge };
  if (position.mode === "isolated")
    return reduceOnly
      ? checkFilled(state, position, order, restingOf(position))
      : checkIsolated(state, position, order, takesAtOnce(order), amended?.order);
  return reduceOnly ? checkCrossReduce(state, position, order) : checkCross(state, position, order, amended?.order);
}

type PricedOrder = OrderRequest & { readonly lots: bigint; readonly ticks: bigint; readonly charge: bigint };

function takesAtOnce({ market, side, ticks }: PricedOrder): boolean {
  const best = bestOf(market, opposite(side));
  return best !== undefined && crosses(side, ticks, best);
}

/** Resting orders of a position without the one that is replaced, and with the new one where it is given. */
function restingWith(exposure: Exposure, side: "buy" | "sell", gone: Order | undefined, added?: PricedOrder): Resting {
  const lots = (added?.lots ?? 0n) - (gone?.remaining ?? 0n);
  const charge = (added?.charge ?? 0n) - (gone?.charge ?? 0n);
  const { buys, sells, buyCharge, sellCharge } = exposure;
  return side === "buy"
    ? { buys: buys + lots, buyCharge: buyCharge + charge, sells, sellCharge }
    : { buys, buyCharge, sells: sells + lots, sellCharge: sellCharge + charge };
}

/** Resting orders of a position that may increase it. */
export function restingOf({ account, market }: Position): Resting {
  return exposureIn(viewBucket({ account, isolated: undefined }), account, market);
}

function isStorable({ buys, sells, buyCharge, sellCharge }: Resting): boolean {
  return buys <= LIMIT / 2n && sells <= LIMIT / 2n && buyCharge <= LIMIT && sellCharge <= LIMIT;
}

/** Whether both sides of a market are worth at the mark what can be stored (NUM-3). */
function isWorthStorable({ market }: Position, size: bigint, { buys, sells }: Resting): boolean {
  return notionalOf(market, size + buys) <= LIMIT && notionalOf(market, size - sells) <= LIMIT;
}

/** The worse side of a market (MRG-3). */
function worseSide({ market, leverage }: Position, size: bigint, resting: Resting): bigint {
  const buying = initialOf(market, size + resting.buys, leverage) + resting.buyCharge;
  const selling = initialOf(market, size - resting.sells, leverage) + resting.sellCharge;
  return max(buying, selling);
}

function checkCross(
  state: ModelState,
  position: Position,
  order: PricedOrder,
  gone: Order | undefined,
): RejectionCode | undefined {
  const { account, market, size, leverage } = position;
  const view = viewBucket({ account, isolated: undefined });
  const exposure = exposureIn(view, account, market);
  const before = measureView(view);
  if (isWide(before)) return "NUMERIC_LIMIT";
  const resting = restingWith(exposure, order.side, gone, order);
  if (!isStorable(resting) || !isWorthStorable(position, size, resting)) return "NUMERIC_LIMIT";
  const others = before.required - worseSide(position, size, exposure);
  const required = others + worseSide(position, size, resting);
  const filled = size + signOf(order.side) * order.lots;
  let compared = { equity: before.equity, required };
  if (before.equity >= required) {
    if (!takesAtOnce(order)) return undefined;
    // Filled at once, what rests on the other side stands against a position of another size.
    const exposed = order.side === "buy" ? filled - resting.sells : filled + resting.buys;
    if (notionalOf(market, exposed) > LIMIT) return "NUMERIC_LIMIT";
    const charged = order.side === "buy" ? resting.sellCharge : resting.buyCharge;
    const other = initialOf(market, exposed, leverage) + charged;
    compared = { equity: before.equity - order.charge, required: others + other };
    if (compared.equity >= compared.required) return undefined;
  }
  // Below its requirement an account may only close, at no lower equity / maintenance (MRG-4).
  const closes = size * signOf(order.side) < 0n && order.lots <= abs(size);
  const maintenance = before.maintenance - maintenanceOf(market, size) + maintenanceOf(market, filled);
  const mayClose = closes && required <= before.required && before.equity < before.required;
  if (mayClose && keepsRatio(before, before.equity - order.charge, maintenance)) return undefined;
  return refuse(state, "INSUFFICIENT_MARGIN", compared);
}

/** Of a reduce-only order: filled at its limit price as far as the position reaches. */
function checkCrossReduce(state: ModelState, position: Position, order: PricedOrder): RejectionCode | undefined {
  const { account, market, size } = position;
  const view = viewBucket({ account, isolated: undefined });
  const exposure = exposureIn(view, account, market);
  const before = measureView(view);
  if (isWide(before)) return "NUMERIC_LIMIT";
  const left = size + signOf(order.side) * order.lots;
  if (!isWorthStorable(position, left, exposure)) return "NUMERIC_LIMIT";
  const required = before.required - worseSide(position, size, exposure) + worseSide(position, left, exposure);
  const equity = before.equity - order.charge;
  // Only a part may fill: who is below keeps the ratio, even where all of it would end above.
  if (before.equity >= before.required)
    return equity >= required ? undefined : refuse(state, "INSUFFICIENT_MARGIN", { equity, required });
  const maintenance = before.maintenance - maintenanceOf(market, size) + maintenanceOf(market, left);
  if (required <= before.required && keepsRatio(before, equity, maintenance)) return undefined;
  return refuse(state, "INSUFFICIENT_MARGIN", { equity: before.equity, required: before.required });
}

/**
 * In an isolated market: cross must hold what its orders reserve; where it would trade at once, also what a fill of all of it
 * takes, and what it closes must leave the bucket above its requirement or no nearer to liquidation (MRG-2, decision 0009).
 */
function checkIsolated(
  state: ModelState,
  position: Position,
  order: PricedOrder,
  takes: boolean,
  gone: Order | undefined,
): RejectionCode | undefined {
  const { account, market, size } = position;
  const exposure = exposureIn(viewBucket({ account, isolated: undefined }), account, market);
  const all = restingWith(exposure, order.side, gone, order);
  if (!isStorable(all)) return "NUMERIC_LIMIT";
  const code = checkReserve(state, position, reserveOf(position, size, all), 0n, 0n);
  if (code !== undefined || !takes) return code;
  return checkFilled(state, position, order, restingWith(exposure, order.side, gone));
}

/** All of an order in an isolated market filled at its limit price, beside what else rests there. */
function checkFilled(
  state: ModelState,
  position: Position,
  order: PricedOrder,
  rest: Resting,
): RejectionCode | undefined {
  const { account, market, size, leverage } = position;
  const filled = size + signOf(order.side) * order.lots;
  const reserve = reserveOf(position, filled, rest);
  const initial = initialOf(market, filled, leverage);
  const bucket = measure({ account, isolated: position });
  if (isWide(bucket)) return "NUMERIC_LIMIT";
  const closes = size * signOf(order.side) < 0n;
  if (!closes) {
    // What a fill brings covers what it adds, not what the bucket lacks.
    if (bucket.equity < bucket.initial) return refuse(state, "INSUFFICIENT_MARGIN", compareInitial(bucket));
    return checkReserve(state, position, reserve, initial - bucket.initial + order.charge, 0n);
  }
  if (filled !== 0n && filled > 0n === size > 0n) {
    const equity = bucket.equity - order.charge;
    const isBelow = bucket.equity < bucket.initial;
    const holds = isBelow ? keepsRatio(bucket, equity, maintenanceOf(market, filled)) : equity >= initial;
    if (holds) return checkReserve(state, position, reserve, 0n, 0n);
    return refuse(state, "INSUFFICIENT_MARGIN", isBelow ? compareInitial(bucket) : { equity, required: initial });
  }
  const closed = chargeOf(state, account, market, order.side, abs(size), order.ticks);
  const left = bucket.equity - closed;
  if (left < 0n) return refuse(state, "INSUFFICIENT_MARGIN", { equity: left, required: 0n });
  return checkReserve(state, position, reserve, filled === 0n ? 0n : initial + order.charge - closed, left);
}

function compareInitial({ equity, initial }: Health): { readonly equity: bigint; readonly required: bigint } {
  return { equity, required: initial };
}

/**
 * What orders reserve beside a position: the requirement of the worse side, less the position's own; undefined where a side
 * is worth more than can be stored.
 */
export function reserveOf(position: Position, size: bigint, resting: Resting): bigint | undefined {
  if (resting.buys === 0n && resting.sells === 0n) return 0n;
  if (!isWorthStorable(position, size, resting)) return undefined;
  return worseSide(position, size, resting) - initialOf(position.market, size, position.leverage);
}

/** Whether cross holds a reserve, and what a fill takes beyond what a close gives back; or no more than it does now. */
export function checkReserve(
  state: ModelState,
  { account, market }: Position,
  reserve: bigint | undefined,
  moved: bigint,
  back: bigint,
): RejectionCode | undefined {
  const view = viewBucket({ account, isolated: undefined });
  const exposure = exposureIn(view, account, market);
  const before = measureView(view);
  if (isWide(before) || reserve === undefined) return "NUMERIC_LIMIT";
  const now =
    before.required - measureView({ ...view, exposures: view.exposures.filter((at) => at !== exposure) }).required;
  if (moved <= back && reserve <= now) return undefined;
  const free = before.collateral + before.losses - max(before.required - now, divCeil(before.notional, 10n));
  const required = reserve + moved - back;
  return free >= required ? undefined : refuse(state, "INSUFFICIENT_MARGIN", { free, required });
}
