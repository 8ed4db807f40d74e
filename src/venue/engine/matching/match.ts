import type { Amount, Lots, Ticks } from "../../../ground/math/fixed.ts";
import { CANCEL_CAUSE } from "../../../protocol/events.ts";
import { MARGIN_MODE, ROLE, SELF_TRADE, SELF_TRADE_SCOPE, SIDE } from "../../../protocol/words.ts";
import { isExpired } from "../book/expiry.ts";
import { getLastHeight, getLastTime } from "../book/extras.ts";
import { cancelRow, removeOrder, resizeOrder, shrinkOrder } from "../book/orders.ts";
import { sweepPool } from "../funding/pool.ts";
import { followFill, noteTrade } from "../intents/followOrders.ts";
import { canFund, fundFill, returnIsolated } from "../margin/isolated.ts";
import { keepMarket } from "../state/journalRows.ts";
import { releaseIfEmpty } from "../state/positions.ts";
import { type AccountRow, FLAG_EXPIRES, FLAG_REDUCE_ONLY, type OrderRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { TOTAL } from "../state/totals.ts";
import { applyFill, fitsLimits } from "./applyFill.ts";
import { isInBand } from "./band.ts";
import { getOpenInterestRoom, getPositionRoom } from "./caps.ts";
import { computeMakerFee, computeTakerFee } from "./fees.ts";
import { capInsuredLots, settleLiquidationFill } from "./liquidationFill.ts";
import { canMake } from "./makerCheck.ts";
import { getReducingLots, isMakerGated } from "./makerGate.ts";
import { cutAtMatch, fitReduceOnly } from "./reduceOnly.ts";
import { NOT_STOPPED, type Taker } from "./taker.ts";
import { countVolume, getMakerRate, getTakerRate } from "./volume.ts";

/**
 * Matches an incoming order against the book by price and time (ORD-1), until it is filled, stopped, or nothing is left
 * within its limit. Fills are at the maker's price. Makers that may not trade are cancelled and matching continues.
 * Every turn of the loop fills, cancels a maker, shrinks an order, or stops the taker.
 */
export function match(state: State, taker: Taker): void {
  const book = state.books[taker.market]!;
  const { orders, positions } = state;
  const buys = taker.side === SIDE.buy;
  while (taker.remaining > 0 && taker.stopped === NOT_STOPPED) {
    // A position that is closed leaves nothing to reduce, whatever comes next in the book (ORD-9).
    if (taker.reduceOnly && positions.signedLots[taker.position] === 0) {
      taker.stopped = CANCEL_CAUSE.reduceOnly;
      return;
    }
    const price = buys ? book.bestAsk : book.bestBid;
    if (price === 0 || (buys ? price > taker.limit : price < taker.limit)) return;
    const order = book.head(price);
    const maker = positions.account[orders.position[order]];
    if ((orders.flags[order] & FLAG_EXPIRES) !== 0 && hasExpired(state, order)) {
      cancelMaker(state, taker, order, CANCEL_CAUSE.expired);
    } else if (taker.liquidation === undefined && isOwn(state, taker, maker)) {
      preventSelfTrade(state, taker, order);
    } else if (taker.liquidation === undefined && !taker.house && !isBandFree(state, taker, maker, price)) {
      cancelMaker(state, taker, order, CANCEL_CAUSE.priceBand);
    } else {
      trade(state, taker, order, price);
    }
  }
}

/**
 * Whether an order is beyond its last height or time: expiries are done in step 4, and house flow comes before (ORD-2).
 */
function hasExpired(state: State, order: OrderRow): boolean {
  return isExpired(state, getLastHeight(state, order), getLastTime(state, order));
}

/** House orders need no band; for the others it is read again at match (ORD-5). */
function isBandFree(state: State, taker: Taker, maker: AccountRow, price: Ticks): boolean {
  return state.accounts.role[maker] === ROLE.house || isInBand(state, taker.market, price);
}

/** Whether a resting order counts as the taker's own (ORD-3). */
function isOwn(state: State, taker: Taker, maker: AccountRow): boolean {
  if (maker === taker.account) return true;
  const { accounts } = state;
  return taker.selfTradeScope === SELF_TRADE_SCOPE.owner && accounts.owner[maker] === accounts.owner[taker.account];
}

function preventSelfTrade(state: State, taker: Taker, order: OrderRow): void {
  const { orders } = state;
  switch (taker.selfTrade) {
    case SELF_TRADE.cancelMaker:
      cancelMaker(state, taker, order, CANCEL_CAUSE.selfTrade);
      return;
    case SELF_TRADE.cancelBoth:
      cancelMaker(state, taker, order, CANCEL_CAUSE.selfTrade);
      taker.stopped = CANCEL_CAUSE.selfTrade;
      return;
    case SELF_TRADE.decrement: {
      const remaining = orders.remaining[order];
      if (remaining <= taker.remaining) {
        taker.remaining = (taker.remaining - remaining) as Lots;
        cancelMaker(state, taker, order, CANCEL_CAUSE.selfTrade);
      } else {
        resizeOrder(state, order, (remaining - taker.remaining) as Lots, CANCEL_CAUSE.selfTrade);
        taker.remaining = 0 as Lots;
      }
      return;
    }
    default:
      taker.stopped = CANCEL_CAUSE.selfTrade;
  }
}

/** One meeting of the taker with a maker's order: a fill, or the end of one of them. */
function trade(state: State, taker: Taker, order: OrderRow, price: Ticks): void {
  const { orders, positions, accounts } = state;
  const rules = state.parameters[taker.market]!;
  const makerPosition = orders.position[order];
  const maker = positions.account[makerPosition];
  const house = accounts.role[maker] === ROLE.house;
  if ((orders.flags[order] & FLAG_REDUCE_ONLY) !== 0 && !cutAtMatch(state, order)) {
    if (makerPosition !== taker.position) releaseIfEmpty(state, makerPosition);
    return;
  }
  const lots = findLots(state, taker, order, maker, house, price);
  if (lots === 0) return;

  const value = price * lots * rules.tickLotValue;
  const buys = taker.side === SIDE.buy;
  const signedLots = (buys ? lots : -lots) as Lots;
  const paid = (buys ? value : -value) as Amount;
  const takerFee =
    taker.liquidation === undefined
      ? computeTakerFee(taker.value + value, getTakerRate(state, rules, taker.account)) - taker.feePaid
      : 0;
  const makerFee = computeMakerFee(value, getMakerRate(state, rules, maker), takerFee);
  if (!fitsLimits(state, makerPosition, (0 - signedLots) as Lots, (0 - paid) as Amount)) {
    cancelMaker(state, taker, order, CANCEL_CAUSE.numericLimit);
  } else if (!fitsLimits(state, taker.position, signedLots, paid)) {
    taker.stopped = CANCEL_CAUSE.numericLimit;
  } else if (!house && !canMake(state, makerPosition, 0 - signedLots, 0 - paid, makerFee)) {
    cancelMaker(state, taker, order, CANCEL_CAUSE.margin);
  } else if (!canPay(state, taker, signedLots, paid, takerFee)) {
    taker.stopped = CANCEL_CAUSE.margin;
  } else {
    execute(state, taker, order, price, signedLots, paid, takerFee as Amount, makerFee as Amount);
    if (taker.liquidation !== undefined) settleLiquidationFill(state, taker, taker.liquidation, lots, paid);
  }
}

/** Whether the margin accounts of an isolated taker can carry a fill (MRG-2); a cross one was checked at entry. */
function canPay(state: State, taker: Taker, signedLots: Lots, paid: Amount, fee: number): boolean {
  if (state.positions.mode[taker.position] === MARGIN_MODE.cross || taker.liquidation !== undefined) return true;
  return canFund(state, taker.position, signedLots, paid, fee);
}

/**
 * Lots that taker and maker may trade: the remaining lots of both, within the caps of ORD-5 and its maker's gate. A cap
 * reached by the maker, or the gate, cancels its order; a cap reached by the taker stops it. In both cases it returns
 * 0.
 */
function findLots(
  state: State,
  taker: Taker,
  order: OrderRow,
  maker: AccountRow,
  house: boolean,
  price: Ticks,
): number {
  const { orders, positions, accounts } = state;
  const { market, side } = taker;
  const takerSignedLots: number = positions.signedLots[taker.position];
  const makerSignedLots: number = positions.signedLots[orders.position[order]];
  let lots: number = orders.remaining[order] < taker.remaining ? orders.remaining[order] : taker.remaining;
  if (taker.reduceOnly) lots = Math.min(lots, Math.abs(takerSignedLots));
  // Between subaccounts of one owner nothing changes hands: the owner's sum stays where it is.
  const within = accounts.owner[maker] === accounts.owner[taker.account];
  if (taker.liquidation === undefined) {
    if (!taker.house && !within)
      lots = Math.min(lots, getPositionRoom(state, taker.account, market, takerSignedLots, side));
    if (lots <= 0) return stop(taker, CANCEL_CAUSE.positionLimit);
    const buyer = side === SIDE.buy ? takerSignedLots : makerSignedLots;
    const seller = side === SIDE.buy ? makerSignedLots : takerSignedLots;
    lots = Math.min(lots, getOpenInterestRoom(state, market, buyer, seller));
    if (lots <= 0) return stop(taker, CANCEL_CAUSE.openInterest);
  }
  const makerSide = side === SIDE.buy ? SIDE.sell : SIDE.buy;
  if (!house && !within) {
    lots = Math.min(lots, getPositionRoom(state, maker, market, makerSignedLots, makerSide));
    if (lots <= 0) {
      cancelMaker(state, taker, order, CANCEL_CAUSE.positionLimit);
      return 0;
    }
  }
  if (!house && taker.liquidation === undefined && isMakerGated(state, market, taker.account)) {
    lots = Math.min(lots, getReducingLots(makerSignedLots, makerSide));
    if (lots === 0) {
      cancelMaker(state, taker, order, CANCEL_CAUSE.exposureFrozen);
      return 0;
    }
  }
  if (taker.liquidation !== undefined) {
    lots = capInsuredLots(state, taker, taker.liquidation, lots, price * state.parameters[market]!.tickLotValue);
    if (lots === 0) return stop(taker, CANCEL_CAUSE.liquidation);
  }
  return lots;
}

/** Cancels a maker's order. The taker's own position row stays while the taker is at work. */
function cancelMaker(state: State, taker: Taker, order: OrderRow, cause: number): void {
  const position = state.orders.position[order];
  cancelRow(state, order, cause);
  if (position !== taker.position) releaseIfEmpty(state, position);
}

function stop(taker: Taker, cause: number): 0 {
  taker.stopped = cause;
  return 0;
}

/** Carries a fill out: both positions, the maker's order, fees, last price. */
function execute(
  state: State,
  taker: Taker,
  order: OrderRow,
  price: Ticks,
  signedLots: Lots,
  paid: Amount,
  takerFee: Amount,
  makerFee: Amount,
): void {
  const { orders, positions } = state;
  const makerPosition = orders.position[order];
  const lots = (signedLots < 0 ? -signedLots : signedLots) as Lots;
  const rest = (orders.remaining[order] - lots) as Lots;
  const makerOrder = orders.id[order];
  keepMarket(state, taker.market);
  let makerOrderCost = 0;
  if (rest === 0) {
    removeOrder(state, order);
  } else {
    shrinkOrder(state, order, rest);
    orders.filled[order] = (orders.filled[order] + lots) as Lots;
    makerOrderCost = orders.orderCost[order];
  }
  taker.remaining = (taker.remaining - lots) as Lots;
  taker.filled = (taker.filled + lots) as Lots;
  taker.value += paid < 0 ? -paid : paid;
  taker.feePaid += takerFee;
  state.markets.last[taker.market] = price;
  state.totals.add(TOTAL.fees, (takerFee + makerFee) as Amount);
  state.events.fill({
    market: taker.market,
    price,
    size: lots,
    value: paid < 0 ? -paid : paid,
    takerSide: taker.side,
    makerOrder,
    makerAccount: positions.account[makerPosition],
    makerRemaining: rest,
    makerOrderCost,
    makerFee,
    takerOrder: taker.orderId,
    takerAccount: taker.account,
    takerFee,
    liquidation: taker.liquidation === undefined ? 0 : taker.liquidation.id,
  });
  if (state.tiered && taker.liquidation === undefined) {
    countVolume(state, taker.account, positions.account[makerPosition], paid < 0 ? -paid : paid);
  }
  fundFill(state, makerPosition, (0 - signedLots) as Lots, (0 - paid) as Amount, makerFee);
  fundFill(state, taker.position, signedLots, paid, takerFee);
  applyFill(state, makerPosition, (0 - signedLots) as Lots, (0 - paid) as Amount, makerFee);
  applyFill(state, taker.position, signedLots, paid, takerFee);
  returnIsolated(state, makerPosition);
  // The rest after a liquidation returns to cross at the end of the margin account's step.
  if (taker.liquidation === undefined) returnIsolated(state, taker.position);
  sweepPool(state, taker.market);
  fitReduceOnly(state, makerPosition);
  fitReduceOnly(state, taker.position);
  if (state.intents.rows.count !== 0) {
    noteTrade(state, taker.market, price);
    followFill(state, makerOrder, positions.account[makerPosition], lots, rest);
    followFill(state, taker.orderId, taker.account, lots, taker.remaining);
  }
  releaseIfEmpty(state, makerPosition);
}
