import { positionOf } from "../accounts.ts";
import { abs, max, min } from "../arithmetic.ts";
import { emit } from "../emitted.ts";
import { feeOf, makerFeeOf } from "../fees/fees.ts";
import { countVolume, feeRatesOf } from "../fees/volume.ts";
import { afterFillOfOrder, afterOrderEnded } from "../intents/hooks.ts";
import { coversMargin, lookAhead } from "../margin/afterFill.ts";
import { canFund } from "../margin/isolatedFill.ts";
import { valueAtTicks } from "../margin/valuation.ts";
import { crosses, isInBand, opposite, sideOf, signOf } from "../orders/book.ts";
import { isPast } from "../orders/expiry.ts";
import { cutOrder } from "../orders/reduceOnly.ts";
import { removeFromBook } from "../orders/removeFromBook.ts";
import { removeOrder } from "../orders/removeOrder.ts";
import { resizeOrder, shrinkOrder } from "../orders/shrinkOrder.ts";
import { applyClose, applyFill, sweepPool } from "../positions/applyFill.ts";
import type { Account, Market, ModelState, Order, SelfTrade, Side } from "../state.ts";
import { LIMIT } from "../words.ts";
import { isHeldByLimits, roomOfOpenInterest, roomOfOwner } from "./caps.ts";
import type { FillForecast, Tried } from "./fillForecast.ts";

/** An order that takes from the book. */
export interface Taker {
  /** 0 for an order that can never rest. */
  readonly id: number;
  readonly account: Account;
  readonly market: Market;
  readonly side: Side;
  /** Worst price in ticks. */
  readonly limit: bigint;
  /** Lots. */
  readonly lots: bigint;
  readonly reduceOnly: boolean;
  readonly selfTrade: SelfTrade;
  readonly selfTradeScope: "account" | "owner";
  /** Set for the order of a liquidation. */
  readonly liquidation?: {
    /** Number of the record. */
    readonly record: number;
    /** Greatest number of these lots that may fill at a price, ticks: the fund pays for no more (LIQ-4). */
    readonly mostLots: (lots: bigint, ticks: bigint) => bigint;
    /** Called after each fill with its lots and its value, positive for a purchase. */
    readonly afterFill: (lots: bigint, value: bigint) => void;
  };
}

export type Stop = "selfTrade" | "positionLimit" | "openInterest" | "margin" | "reduceOnly" | "numericLimit";

export interface Matched {
  readonly filled: bigint;
  /** Paid by the taker: positive for a purchase. */
  readonly value: bigint;
  readonly takerFee: bigint;
  /** Lots removed by self-trade prevention without a fill. */
  readonly decremented: bigint;
  /** Number of fills. */
  readonly fills: number;
  /** Why a rule stopped the rest, if it did. */
  readonly stopped: Stop | undefined;
}

/**
 * Matches a taker against the book, best price first, each maker re-checked (ORD-1, ORD-3, ORD-5, ORD-6).
 *
 * @param forecast gets each maker, for an order that fills whole or not at all
 */
export function match(state: ModelState, taker: Taker, forecast?: FillForecast): Matched {
  const { account, market, side } = taker;
  const run = { left: taker.lots, filled: 0n, value: 0n, fee: 0n, decremented: 0n, fills: 0 };
  const end = (stopped: Stop | undefined): Matched => ({
    filled: run.filled,
    value: run.value,
    takerFee: run.fee,
    decremented: run.decremented,
    fills: run.fills,
    stopped,
  });
  while (run.left > 0n) {
    // The rest of the book does not matter: nothing is left to reduce (ORD-9).
    if (taker.reduceOnly && positionOf(account, market).signedLots === 0n) return end("reduceOnly");
    const maker = sideOf(market, opposite(side))[0];
    if (maker === undefined || !crosses(side, taker.limit, maker.price)) return end(undefined);
    if (isPast(state, maker.goodTilHeight, maker.goodTilTime)) {
      // House flow comes before a block's expiries, and skips overdue orders (ORD-2).
      removeOrder(state, maker, "expired");
      continue;
    }
    if (isOwn(taker, maker)) {
      if (taker.selfTrade === "cancelTaker") return end("selfTrade");
      if (taker.selfTrade === "decrement") {
        const lots = min(run.left, maker.remaining);
        run.left -= lots;
        run.decremented += lots;
        cutOrder(state, maker, lots, "selfTrade");
        continue;
      }
      removeOrder(state, maker, "selfTrade");
      if (taker.selfTrade === "cancelBoth") return end("selfTrade");
      continue;
    }
    if (needsBand(taker, maker) && !isInBand(market, maker.price)) {
      removeOrder(state, maker, "priceBand");
      continue;
    }
    let lots = min(run.left, maker.remaining);
    if (taker.reduceOnly) lots = min(lots, abs(positionOf(account, market).signedLots));
    if (maker.reduceOnly) lots = min(lots, capAtPosition(state, maker));
    // Between subaccounts of one owner nothing changes hands: the owner's total does not change.
    const within = account.owner === maker.account.owner;
    if (taker.liquidation === undefined) {
      if (isHeldByLimits(account) && !within) lots = min(lots, roomOfOwner(state, account, market, signOf(side)));
      if (lots === 0n) return end("positionLimit");
      const [buyer, seller] = side === "buy" ? [account, maker.account] : [maker.account, account];
      lots = min(lots, roomOfOpenInterest(state, buyer, seller, market));
      if (lots === 0n) return end("openInterest");
    }
    if (isHeldByLimits(maker.account) && !within) {
      lots = min(lots, roomOfOwner(state, maker.account, market, -signOf(side)));
      if (lots === 0n) {
        removeOrder(state, maker, "positionLimit");
        continue;
      }
    }
    lots = min(lots, gateLots(taker, maker, lots));
    if (lots === 0n) {
      removeOrder(state, maker, "exposureFrozen");
      continue;
    }
    if (taker.liquidation !== undefined) {
      lots = taker.liquidation.mostLots(lots, maker.price);
      if (lots === 0n) return end(undefined);
    }
    const value = signOf(side) * valueAtTicks(market, lots, maker.price);
    const rates = feeRatesOf(state, account, market);
    const takerFee = taker.liquidation === undefined ? feeOf(abs(run.value + value), rates.taker) - run.fee : 0n;
    const makerFee = makerFeeOf(abs(value), feeRatesOf(state, maker.account, market).maker, takerFee);
    const tried: Tried = {
      lots: -signOf(side) * lots,
      value: -value,
      fee: makerFee,
      rate: feeRatesOf(state, maker.account, market).maker,
      may: (fee) => makerMay(maker, -signOf(side) * lots, -value, fee),
    };
    forecast?.meet(maker, tried);
    if (!isStorable(maker.account, market, -signOf(side) * lots, -value)) {
      removeOrder(state, maker, "numericLimit");
      continue;
    }
    if (!isStorable(account, market, signOf(side) * lots, value)) return end("numericLimit");
    if (!makerMay(maker, -signOf(side) * lots, -value, makerFee)) {
      removeOrder(state, maker, "margin");
      continue;
    }
    if (!takerCanPay(taker, signOf(side) * lots, value, takerFee)) return end("margin");
    run.left -= lots;
    run.fills++;
    forecast?.fill(maker, tried);
    fill(state, taker, maker, lots, value, makerFee, takerFee, run.left);
    run.filled += lots;
    run.value += value;
    run.fee += takerFee;
    taker.liquidation?.afterFill(lots, value);
  }
  return end(undefined);
}

/**
 * Whether resting orders are checked again; not those of the house, nor those that the house or a liquidation meets
 * (ORD-5, ACC, LIQ).
 */
function needsBand({ account, liquidation }: Taker, maker: Order): boolean {
  return liquidation === undefined && isHeldByLimits(account) && isHeldByLimits(maker.account);
}

/** With `capAtMatch` a reduce-only maker is first cut to its position (ORD-9). */
function capAtPosition(state: ModelState, maker: Order): bigint {
  const { account, market, remaining } = maker;
  if (market.parameters.reduceOnlyResting !== "capAtMatch") return remaining;
  const left = abs(positionOf(account, market).signedLots);
  if (remaining > left) resizeOrder(state, maker, left, "reduceOnly");
  return maker.remaining;
}

/**
 * The maker's gate. While the index catches up, and in a reduce-only market, a maker fills a user's order only with
 * lots that reduce its own position (ORD-5).
 */
function gateLots({ account, market, side, liquidation }: Taker, maker: Order, lots: bigint): bigint {
  if (liquidation !== undefined || account.role === "house" || maker.account.role === "house") return lots;
  const { status, markMethod } = market.parameters;
  const isShut = status === "reduceOnly" || (markMethod !== "reported" && market.oracle !== market.index);
  if (!isShut) return lots;
  const reduces = positionOf(maker.account, market).signedLots * signOf(side);
  return max(0n, reduces);
}

/** Whether a maker belongs to the taker, by the taker's scope; liquidations match any maker (ORD-3). */
function isOwn({ account, selfTradeScope, liquidation }: Taker, maker: Order): boolean {
  if (liquidation !== undefined) return false;
  return maker.account === account || (selfTradeScope === "owner" && maker.account.owner === account.owner);
}

/** Whether a fill keeps a position and its collateral within the storable range, at any realised profit (NUM-3). */
function isStorable(account: Account, market: Market, lots: bigint, value: bigint): boolean {
  const position = positionOf(account, market);
  const cost = abs(position.cost) + abs(value);
  const collateral = abs(account.collateral) + abs(position.isolated);
  return abs(position.signedLots + lots) <= LIMIT && cost <= LIMIT / 2n && collateral + 2n * cost <= LIMIT;
}

/** Whether a maker can pay for the fill, and passes the margin check (ORD-6, MRG-2). */
function makerMay({ account, market }: Order, lots: bigint, value: bigint, fee: bigint): boolean {
  if (account.role === "house") return true;
  const position = positionOf(account, market);
  if (position.mode === "isolated") {
    if (!canFund(position, lots, value, fee)) return false;
    // Closed, or opened through zero: funded to its initial margin, with nothing negative left.
    const after = position.signedLots + lots;
    if (after === 0n || (position.signedLots !== 0n && after > 0n !== position.signedLots > 0n)) return true;
  }
  return coversMargin(lookAhead(account, market, lots, value, fee));
}

/** An isolated position moves the fill's amount from cross, if that is free (MRG-2). */
function takerCanPay({ account, market, liquidation }: Taker, lots: bigint, value: bigint, fee: bigint): boolean {
  const position = positionOf(account, market);
  return liquidation !== undefined || position.mode !== "isolated" || canFund(position, lots, value, fee);
}

function fill(
  state: ModelState,
  taker: Taker,
  maker: Order,
  lots: bigint,
  value: bigint,
  makerFee: bigint,
  takerFee: bigint,
  left: bigint,
): void {
  const { account, market, side } = taker;
  const sign = signOf(side);
  maker.filled += lots;
  const isWhole = lots === maker.remaining;
  if (isWhole) removeFromBook(state, maker);
  else shrinkOrder(maker, maker.remaining - lots);
  emit(state, "fill", {
    market: market.ordinal,
    price: maker.price,
    size: lots,
    value: abs(value),
    takerSide: side,
    makerOrder: maker.id,
    makerAccount: maker.account.id,
    makerRemaining: isWhole ? 0n : maker.remaining,
    makerOrderCost: isWhole ? 0n : maker.orderCost,
    makerFee,
    takerOrder: taker.id,
    takerAccount: account.id,
    takerFee,
    liquidation: taker.liquidation?.record ?? 0,
  });
  market.last = maker.price;
  market.low = market.low === 0n || maker.price < market.low ? maker.price : market.low;
  market.high = maker.price > market.high ? maker.price : market.high;
  applyFill(state, maker.account, market, -sign * lots, -value, makerFee);
  if (taker.liquidation !== undefined) applyClose(state, positionOf(account, market), sign * lots, value);
  else applyFill(state, account, market, sign * lots, value, takerFee);
  sweepPool(state, market);
  if (taker.liquidation === undefined) countVolume(state, maker.account, account, abs(value));
  afterFillOfOrder(state, maker.id, lots, isWhole ? 0n : maker.remaining);
  if (isWhole) afterOrderEnded(state, maker.id);
  afterFillOfOrder(state, taker.id, lots, left);
}
