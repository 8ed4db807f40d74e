import { NONE } from "../../../ground/collections/table.ts";
import { type Amount, LIMIT, type Lots } from "../../../ground/math/fixed.ts";
import { MARGIN_MODE, ROLE, SELF_TRADE, SELF_TRADE_SCOPE, SIDE } from "../../../protocol/words.ts";
import { getFreeForFills } from "../margin/isolated.ts";
import type { AccountRow, MarketRow, PositionRow } from "../state/schema.ts";
import { getPosition, type State } from "../state/state.ts";
import { fitsLimits } from "./applyFill.ts";
import { isInBand } from "./band.ts";
import { getOpenInterestRoom, getPositionRoom } from "./caps.ts";
import { MakersAhead } from "./makersAhead.ts";

interface Wanted {
  readonly side: number;
  /** Lots that must fill; for a reduce-only order at most the position. */
  readonly lots: number;
  readonly price: number;
  readonly selfTrade: number;
  readonly selfTradeScope: number;
}

/**
 * Whether a fill-or-kill order would fill whole, without trading (ORD-2). It walks the makers in their order and counts
 * the lots that each would trade after the earlier ones (`MakersAhead`). The taker's cap and that of open interest
 * bound them, as they would be then. A maker in doubt is not counted: an order found fillable does fill. Cost: once per
 * order up to the size.
 */
export function isFillable(state: State, account: AccountRow, market: MarketRow, wanted: Wanted): boolean {
  const { orders, positions, accounts } = state;
  const book = state.books[market]!;
  const buys = wanted.side === SIDE.buy;
  const own = getPosition(state, account, market);
  const signedLots = own === NONE ? 0 : positions.signedLots[own];
  const takerHouse = accounts.role[account] === ROLE.house;
  const makers = new MakersAhead(state, account, market, wanted.side, signedLots);
  // If the whole order fits the caps, the caps need no check per maker.
  const isCapped = !fitsCaps(state, account, market, signedLots, wanted);
  const isOneFill = needsOneFill(state, account, own, signedLots, wanted);
  let left: number = wanted.lots;
  let value = 0;
  let price = buys ? book.bestAsk : book.bestBid;
  while (price !== 0 && (buys ? price <= wanted.price : price >= wanted.price)) {
    for (let order = book.head(price); order !== NONE; order = orders.levelNext[order]) {
      const makerAccount = positions.account[orders.position[order]];
      if (
        makerAccount === account ||
        (wanted.selfTradeScope === SELF_TRADE_SCOPE.owner && accounts.owner[makerAccount] === accounts.owner[account])
      ) {
        if (wanted.selfTrade === SELF_TRADE.cancelMaker) continue;
        return false;
      }
      if (!takerHouse && accounts.role[makerAccount] !== ROLE.house && !isInBand(state, market, price)) continue;
      // A reduce-only order that reduces nothing by then is cancelled by then (ORD-9).
      if (makers.getOffered(order) === 0) continue;
      const room = isCapped ? makers.getRoom(order) : Number.POSITIVE_INFINITY;
      if (room <= 0) return false;
      const lots = makers.getLots(order, price, left < room ? left : room);
      // A maker in doubt may trade after all. Then less of a cap is left, and the order has one more fill.
      if ((isCapped || isOneFill) && makers.doubted) return false;
      if (lots === 0) continue;
      // A maker that takes all that a cap leaves, and offers more, is the last one.
      if (lots === room && left > room && makers.getOffered(order) > room) return false;
      makers.count(order, price, lots);
      left -= lots;
      value += lots * price * state.parameters[market]!.tickLotValue;
      if (!isStorable(state, account, own, (buys ? wanted.lots - left : left - wanted.lots) as Lots, value))
        return false;
      if (left === 0) return true;
      if (isOneFill) return false;
    }
    price = buys ? book.above(price) : book.below(price);
  }
  return false;
}

/**
 * Whether the order can trade with one maker only. The amount that closing an isolated position returns pays for
 * opening the other side. Between two fills it is in cross, and where cross lacks margin nothing leaves it again
 * (MRG-2).
 */
function needsOneFill(
  state: State,
  account: AccountRow,
  own: PositionRow,
  signedLots: number,
  wanted: Wanted,
): boolean {
  if (own === NONE || state.positions.mode[own] === MARGIN_MODE.cross) return false;
  const turns =
    signedLots !== 0 && signedLots > 0 === (wanted.side === SIDE.sell) && wanted.lots > Math.abs(signedLots);
  return turns && !(getFreeForFills(state, account) >= 0);
}

/**
 * Whether the taker could store each of its fills (NUM-3). One that closes pays its part of the cost out as collateral.
 * Twice the traded value is therefore bounded, which is more than the sum can reach.
 */
function isStorable(state: State, account: AccountRow, own: PositionRow, lots: Lots, value: number): boolean {
  if (own !== NONE) return fitsLimits(state, own, lots, (2 * value) as Amount);
  return Math.abs(state.accounts.collateral[account]) + 4 * value <= LIMIT;
}

/** Whether the taker's own cap and open interest leave room for all of it, if no maker closed anything. */
function fitsCaps(state: State, account: AccountRow, market: MarketRow, signedLots: number, wanted: Wanted): boolean {
  const buys = wanted.side === SIDE.buy;
  if (getOpenInterestRoom(state, market, buys ? signedLots : 0, buys ? 0 : signedLots) < wanted.lots) return false;
  if (state.accounts.role[account] === ROLE.house) return true;
  return getPositionRoom(state, account, market, signedLots, wanted.side) >= wanted.lots;
}
