import { NONE } from "../../collections/table.ts";
import { mulDivCeil, PPM } from "../../math/fixed.ts";
import { ROLE, SELF_TRADE, SELF_TRADE_SCOPE, SIDE } from "../../protocol/words.ts";
import type { AccountRow, MarketRow, PositionRow } from "../state/schema.ts";
import { getPosition, type State } from "../state/state.ts";
import { fitsLimits } from "./applyFill.ts";
import { isInBand } from "./band.ts";
import { getOpenInterestRoom, getPositionRoom } from "./caps.ts";
import { canMake } from "./makerCheck.ts";

interface Wanted {
  readonly side: number;
  readonly lots: number;
  readonly price: number;
  readonly reduceOnly: boolean;
  readonly selfTrade: number;
  readonly selfTradeScope: number;
}

/** What a maker would have traded already, while looking ahead. */
interface Ahead {
  lots: number;
  value: number;
  fee: number;
}

/** Rounding that predicted and later equity may differ by, per fill. */
const ROUNDING = 4;

/**
 * Whether a fill-or-kill order would fill whole, without trading (ORD-2). It looks at the makers in their order and counts
 * those that may trade, each with what it would have traded before; a maker is counted only if it stays a few units above
 * its fill requirement, so that what is found fillable does fill. Cost: once per order up to the size.
 */
export function isFillable(state: State, account: AccountRow, market: MarketRow, wanted: Wanted): boolean {
  const { orders, positions, accounts } = state;
  const rules = state.parameters[market]!;
  const book = state.books[market]!;
  const buys = wanted.side === SIDE.buy;
  const own = getPosition(state, account, market);
  const size = own === NONE ? 0 : positions.size[own];
  if (wanted.reduceOnly && Math.abs(size) < wanted.lots) return false;
  if (!fitsCaps(state, account, market, size, wanted)) return false;
  const ahead = new Map<PositionRow, Ahead>();
  let left = wanted.lots;
  let price = buys ? book.bestAsk : book.bestBid;
  while (price !== 0 && (buys ? price <= wanted.price : price >= wanted.price)) {
    for (let order = book.head(price); order !== NONE; order = orders.levelNext[order]) {
      const maker = orders.position[order];
      const makerAccount = positions.account[maker];
      if (
        makerAccount === account ||
        (wanted.selfTradeScope === SELF_TRADE_SCOPE.owner && accounts.owner[makerAccount] === accounts.owner[account])
      ) {
        if (wanted.selfTrade === SELF_TRADE.cancelMaker) continue;
        return false;
      }
      const house = accounts.role[makerAccount] === ROLE.house;
      if (!house && !isInBand(state, market, price)) continue;
      const done = ahead.get(maker) ?? { lots: 0, value: 0, fee: 0 };
      const lots = Math.min(left, orders.remaining[order]);
      const value = lots * price * rules.tickLotValue;
      const fee = rules.makerFee > 0 ? mulDivCeil(value, rules.makerFee, PPM) : 0;
      const signed = buys ? -lots : lots;
      const paid = buys ? -value : value;
      if (!house) {
        const room =
          getPositionRoom(state, makerAccount, market, positions.size[maker], buys ? SIDE.sell : SIDE.buy) -
          Math.abs(done.lots);
        if (room < lots) continue;
        if (!fitsLimits(state, maker, (signed + done.lots) as never, (paid + done.value) as never)) continue;
        if (!canMake(state, maker, signed, paid, fee + ROUNDING, done)) continue;
      }
      left -= lots;
      if (left === 0) return true;
      done.lots += signed;
      done.value += paid;
      done.fee += fee + ROUNDING;
      ahead.set(maker, done);
    }
    price = buys ? book.above(price) : book.below(price);
  }
  return false;
}

/** The taker's own caps, and open interest as if no maker closed anything. */
function fitsCaps(state: State, account: AccountRow, market: MarketRow, size: number, wanted: Wanted): boolean {
  const buys = wanted.side === SIDE.buy;
  if (getOpenInterestRoom(state, market, buys ? size : 0, buys ? 0 : size) < wanted.lots) return false;
  if (state.accounts.role[account] === ROLE.house) return true;
  return getPositionRoom(state, account, market, size, wanted.side) >= wanted.lots;
}
