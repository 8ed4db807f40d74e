import { NONE } from "../../collections/table.ts";
import { type Amount, LIMIT, type Lots, mulDivCeil, PPM, type Ticks } from "../../math/fixed.ts";
import { MARGIN_MODE, ROLE, SELF_TRADE, SELF_TRADE_SCOPE, SIDE } from "../../protocol/words.ts";
import { getFreeForFills } from "../margin/isolated.ts";
import {
  type AccountRow,
  FLAG_REDUCE_ONLY,
  type MarketRow,
  type OrderRow,
  type OwnerRow,
  type PositionRow,
} from "../state/schema.ts";
import { getPosition, type State } from "../state/state.ts";
import { fitsLimits } from "./applyFill.ts";
import { isInBand } from "./band.ts";
import { getOpenInterestRoom, getPositionRoom } from "./caps.ts";
import { canMake } from "./makerCheck.ts";
import { getMakerRate } from "./volume.ts";

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
  /** An order that is not reduce-only is among it. */
  plain: boolean;
  /** Whether its further orders trade cannot be told. */
  doubtful: boolean;
}

/** Rounding that predicted and later equity may differ by, per fill. */
const ROUNDING = 4;

/**
 * Whether a fill-or-kill order would fill whole, without trading (ORD-2). It looks at the makers in their order and counts
 * what each would trade, with what its owner would have traded before. A maker whose part cannot be told for certain (its
 * margin is within a few units of the requirement; a fill of its own would trim its reduce-only orders) is not counted
 * from there on, so that what is found fillable does fill. Cost: once per order up to the size.
 */
export function isFillable(state: State, account: AccountRow, market: MarketRow, wanted: Wanted): boolean {
  const { orders, positions, accounts } = state;
  const book = state.books[market]!;
  const buys = wanted.side === SIDE.buy;
  const own = getPosition(state, account, market);
  const size = own === NONE ? 0 : positions.size[own];
  if (wanted.reduceOnly && Math.abs(size) < wanted.lots) return false;
  if (!fitsCaps(state, account, market, size, wanted)) return false;
  const takerHouse = accounts.role[account] === ROLE.house;
  const look: Look = {
    market,
    takerOwner: accounts.owner[account],
    makerSide: buys ? SIDE.sell : SIDE.buy,
    ahead: new Map(),
    owners: new Map(),
  };
  const isOneFill = needsOneFill(state, account, own, size, wanted);
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
      const lots = getLotsAhead(state, look, order, price, left);
      if (lots === 0) continue;
      left -= lots;
      value += lots * price * state.parameters[market]!.tickLotValue;
      if (!isStorable(state, account, own, (buys ? wanted.lots - left : left - wanted.lots) as Lots, value))
        return false;
      if (left === 0) return true;
      if (isOneFill) return false;
      addAhead(look.owners, accounts.owner[account], buys ? lots : -lots);
    }
    price = buys ? book.above(price) : book.below(price);
  }
  return false;
}

/**
 * Whether the order can trade with one maker only: what closing an isolated position gives back pays for opening the other
 * side, but between two fills it stands in cross, and where that lacks margin nothing leaves it again (MRG-2).
 */
function needsOneFill(state: State, account: AccountRow, own: PositionRow, size: number, wanted: Wanted): boolean {
  if (own === NONE || state.positions.mode[own] === MARGIN_MODE.cross) return false;
  const turns = size !== 0 && size > 0 === (wanted.side === SIDE.sell) && wanted.lots > Math.abs(size);
  return turns && !(getFreeForFills(state, account) >= 0);
}

/**
 * Whether the taker could store each of its fills (NUM-3). One that closes pays its part of the cost out as collateral, so that
 * twice of all that is traded is bounded: more than it would come to.
 */
function isStorable(state: State, account: AccountRow, own: PositionRow, lots: Lots, value: number): boolean {
  if (own !== NONE) return fitsLimits(state, own, lots, (2 * value) as Amount);
  return Math.abs(state.accounts.collateral[account]) + 4 * value <= LIMIT;
}

/** What a look ahead has seen so far. */
interface Look {
  readonly market: MarketRow;
  readonly takerOwner: OwnerRow;
  readonly makerSide: number;
  readonly ahead: Map<PositionRow, Ahead>;
  /** Signed lots traded by owner, the taker's included. */
  readonly owners: Map<OwnerRow, number>;
}

/** Lots of a maker's order that would trade with a taker that has `left`, and notes them; 0 for none or in doubt. */
function getLotsAhead(state: State, look: Look, order: OrderRow, price: Ticks, left: number): number {
  const { orders, positions, accounts } = state;
  const rules = state.parameters[look.market]!;
  const maker = orders.position[order];
  const account = positions.account[maker];
  const owner = accounts.owner[account];
  const done = look.ahead.get(maker) ?? { lots: 0, value: 0, fee: 0, plain: false, doubtful: false };
  look.ahead.set(maker, done);
  const reduceOnly = (orders.flags[order] & FLAG_REDUCE_ONLY) !== 0;
  // A plain order that filled before takes from what a reduce-only order may close.
  if (reduceOnly && done.plain) done.doubtful = true;
  // An order of a group of intents takes from the other as it fills.
  if (state.intentIndex.watched.size !== 0 && state.intentIndex.watched.has(orders.id[order])) done.doubtful = true;
  if (done.doubtful) return 0;
  const sign = look.makerSide === SIDE.buy ? 1 : -1;
  let lots = Math.min(left, orders.remaining[order]);
  if (accounts.role[account] !== ROLE.house && owner !== look.takerOwner) {
    const others = (look.owners.get(owner) ?? 0) - done.lots;
    const size = positions.size[maker] + done.lots;
    lots = Math.min(lots, getPositionRoom(state, account, look.market, size, look.makerSide, others));
    if (lots <= 0) return 0;
  }
  const value = lots * price * rules.tickLotValue;
  const rate = getMakerRate(state, rules, account);
  const fee = (rate > 0 ? mulDivCeil(value, rate, PPM) : 0) + ROUNDING;
  const signed = sign * lots;
  const paid = sign * value;
  const fits = fitsLimits(state, maker, (signed + done.lots) as Lots, (paid + done.value) as Amount);
  if (!fits || (accounts.role[account] !== ROLE.house && !canMake(state, maker, signed, paid, fee, done))) {
    done.doubtful = true;
    return 0;
  }
  done.lots += signed;
  done.value += paid;
  done.fee += fee;
  done.plain ||= !reduceOnly;
  addAhead(look.owners, owner, signed);
  return lots;
}

function addAhead(owners: Map<OwnerRow, number>, owner: OwnerRow, lots: number): void {
  owners.set(owner, (owners.get(owner) ?? 0) + lots);
}

/** The taker's own caps, and open interest as if no maker closed anything. */
function fitsCaps(state: State, account: AccountRow, market: MarketRow, size: number, wanted: Wanted): boolean {
  const buys = wanted.side === SIDE.buy;
  if (getOpenInterestRoom(state, market, buys ? size : 0, buys ? 0 : size) < wanted.lots) return false;
  if (state.accounts.role[account] === ROLE.house) return true;
  return getPositionRoom(state, account, market, size, wanted.side) >= wanted.lots;
}
