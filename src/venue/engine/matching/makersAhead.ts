import { type Amount, type Lots, mulDivCeil, mulDivFloor, PPM, type Ticks } from "../../../ground/math/fixed.ts";
import { MARGIN_MODE, REDUCE_ONLY_RESTING, ROLE, SIDE } from "../../../protocol/words.ts";
import {
  type AccountRow,
  FLAG_REDUCE_ONLY,
  type MarketRow,
  type OrderRow,
  type OwnerRow,
  type PositionRow,
} from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { fitsLimits } from "./applyFill.ts";
import { getOpenInterestRoom, getPositionRoom } from "./caps.ts";
import { canMake } from "./makerCheck.ts";
import { getReducingLots, isMakerGated } from "./makerGate.ts";
import { getMakerRate } from "./volume.ts";

/** Trades of a maker so far in the look-ahead. */
interface Ahead {
  lots: number;
  value: number;
  /** Most that it would have paid in fees: no rebates. */
  fee: number;
  /** An order that is not reduce-only is among it. */
  plain: boolean;
  /** Whether its further orders trade is unknown. */
  doubtful: boolean;
}

/** Rounding that predicted and later equity may differ by, per fill. */
const ROUNDING = 4;

/**
 * The makers of a market one after the other, as they would be once those before had traded with a taker (ORD-2).
 * Nothing is changed.
 */
export class MakersAhead {
  /** Whether a maker was met whose part is not known to the unit. */
  doubted = false;
  private readonly state: State;
  private readonly account: AccountRow;
  private readonly market: MarketRow;
  private readonly side: number;
  private readonly trims: boolean;
  /** Of the taker, lots; as it would be now. */
  private signedLots: number;
  private traded = 0;
  /** Makers fill only as far as they reduce their positions (ORD-5). */
  private readonly isGated: boolean;
  private openInterest: number;
  private readonly ahead = new Map<PositionRow, Ahead>();
  /** Signed lots traded by owner, the taker's included. */
  private readonly owners = new Map<OwnerRow, number>();

  /** @param signedLots of the taker's position, lots */
  constructor(state: State, account: AccountRow, market: MarketRow, side: number, signedLots: number) {
    this.state = state;
    this.account = account;
    this.market = market;
    this.side = side;
    this.trims = state.parameters[market]!.reduceOnlyResting === REDUCE_ONLY_RESTING.trim;
    this.signedLots = signedLots;
    this.openInterest = state.markets.openInterest[market];
    this.isGated = isMakerGated(state, market, account);
  }

  /** Most lots that the taker's cap and that of open interest leave it against a maker's order (ORD-5). */
  getRoom(order: OrderRow): number {
    const { positions, accounts, orders } = this.state;
    const maker = orders.position[order];
    const owner = accounts.owner[this.account];
    const makerSignedLots = this.signedLotsOf(maker);
    const buys = this.side === SIDE.buy;
    const room = getOpenInterestRoom(
      this.state,
      this.market,
      buys ? this.signedLots : makerSignedLots,
      buys ? makerSignedLots : this.signedLots,
      this.openInterest,
    );
    if (accounts.role[this.account] === ROLE.house || accounts.owner[positions.account[maker]] === owner) return room;
    const others = (this.owners.get(owner) ?? 0) - this.traded;
    const own = getPositionRoom(this.state, this.account, this.market, this.signedLots, this.side, others);
    return own < room ? own : room;
  }

  /** Lots that an order offers. A reduce-only order offers its position's size by then: it is cut at match (ORD-9). */
  getOffered(order: OrderRow): number {
    const { orders } = this.state;
    const remaining: number = orders.remaining[order];
    if ((orders.flags[order] & FLAG_REDUCE_ONLY) === 0 || this.trims) return remaining;
    const signedLots = this.signedLotsOf(orders.position[order]);
    return Math.max(0, Math.min(remaining, this.side === SIDE.buy ? signedLots : -signedLots));
  }

  /** Lots of an order that would trade with a taker that has `left`; 0 for none or in doubt. */
  getLots(order: OrderRow, price: Ticks, left: number): number {
    const { state, market } = this;
    const { orders, positions, accounts } = state;
    const rules = state.parameters[market]!;
    const maker = orders.position[order];
    const account = positions.account[maker];
    const owner = accounts.owner[account];
    const house = accounts.role[account] === ROLE.house;
    const done = this.aheadOf(maker);
    const isAnother = done.lots !== 0;
    // A plain order that filled before lowers the position that reduce-only orders may close. Their ages decide which
    // is cut.
    if ((orders.flags[order] & FLAG_REDUCE_ONLY) !== 0 && done.plain && this.trims) done.doubtful = true;
    // An order of a group of intents reduces its sibling as it fills.
    if (state.intentIndex.watched.size !== 0 && state.intentIndex.watched.has(orders.id[order])) done.doubtful = true;
    // A transfer from cross to an isolated position changes the rest of cross.
    if (isAnother && positions.mode[maker] !== MARGIN_MODE.cross) done.doubtful = true;
    if (done.doubtful) return this.doubt();
    const sells = this.side === SIDE.buy;
    const side = sells ? SIDE.sell : SIDE.buy;
    let lots = Math.min(left, this.getOffered(order));
    if (!house && owner !== accounts.owner[this.account]) {
      const others = (this.owners.get(owner) ?? 0) - done.lots;
      lots = Math.min(lots, getPositionRoom(state, account, market, this.signedLotsOf(maker), side, others));
      if (lots <= 0) return 0;
    }
    if (this.isGated && !house) lots = Math.min(lots, getReducingLots(this.signedLotsOf(maker), side));
    if (lots <= 0) return 0;
    const value = lots * price * rules.tickLotValue;
    const rate = getMakerRate(state, rules, account);
    const signed = sells ? -lots : lots;
    const paid = sells ? -value : value;
    if (
      fitsLimits(state, maker, (signed + done.lots) as Lots, (paid + done.value) as Amount) &&
      (house || canMake(state, maker, signed, paid, computeMost(value, rate), done))
    )
      return lots;
    // A first fill that fails with any fee does not happen: the order is cancelled, and nothing else of its owner
    // changes.
    if (!isAnother && (house || !canMake(state, maker, signed, paid, computeLeast(value, rate)))) return 0;
    done.doubtful = true;
    return this.doubt();
  }

  /** Notes that lots of an order trade. */
  count(order: OrderRow, price: Ticks, lots: number): void {
    const { positions, accounts, orders, parameters } = this.state;
    const rules = parameters[this.market]!;
    const maker = orders.position[order];
    const account = positions.account[maker];
    const done = this.aheadOf(maker);
    const value = lots * price * rules.tickLotValue;
    const sells = this.side === SIDE.buy;
    const before = this.signedLotsOf(maker);
    const signed = sells ? -lots : lots;
    this.openInterest += raise(before, signed) + raise(this.signedLots, -signed);
    done.lots += signed;
    done.value += sells ? -value : value;
    done.fee += computeMost(value, getMakerRate(this.state, rules, account));
    done.plain ||= (orders.flags[order] & FLAG_REDUCE_ONLY) === 0;
    this.signedLots -= signed;
    this.traded -= signed;
    this.add(accounts.owner[account], signed);
    this.add(accounts.owner[this.account], -signed);
  }

  private signedLotsOf(maker: PositionRow): number {
    return this.state.positions.signedLots[maker] + (this.ahead.get(maker)?.lots ?? 0);
  }

  private aheadOf(maker: PositionRow): Ahead {
    const found = this.ahead.get(maker);
    if (found !== undefined) return found;
    const made = { lots: 0, value: 0, fee: 0, plain: false, doubtful: false };
    this.ahead.set(maker, made);
    return made;
  }

  private doubt(): 0 {
    this.doubted = true;
    return 0;
  }

  private add(owner: OwnerRow, lots: number): void {
    this.owners.set(owner, (this.owners.get(owner) ?? 0) + lots);
  }
}

/** Most that a maker could pay for a fill: its fee without a rebate, plus the greatest rounding. */
function computeMost(value: number, rate: number): number {
  return (rate > 0 ? mulDivCeil(value, rate, PPM) : 0) + ROUNDING;
}

/** Least that a maker could pay for a fill: the whole rebate. */
function computeLeast(value: number, rate: number): number {
  const fee = rate > 0 ? mulDivCeil(value, rate, PPM) : 0 - mulDivFloor(value, -rate, PPM);
  return fee - ROUNDING;
}

/** How much of open interest, the sum of longs, a trade of signed lots adds to a position. */
function raise(signedLots: number, lots: number): number {
  const after = signedLots + lots;
  return (after > 0 ? after : 0) - (signedLots > 0 ? signedLots : 0);
}
