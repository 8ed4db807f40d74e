import { NONE } from "../../../ground/collections/table.ts";
import { type Amount, LIMIT, type Lots, PPM, type PriceE8 } from "../../../ground/math/fixed.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { MARGIN_MODE } from "../../../protocol/words.ts";
import { getUnsettledFunding } from "../../../venue/engine/funding/owed.ts";
import { type AccountRow, FLAG_SELL, type MarketRow, type PositionRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { computeMaintenance, computeMarkedValue, computeNotional } from "../../../venue/engine/valuation/notional.ts";
import type { BarPath } from "../../replay/barPath.ts";
import { ArmedTriggers, type PriceRange } from "./armedTriggers.ts";
import type { PointColumns } from "./pointColumns.ts";

/** Prices at which an order of an account may trade in an instant, ticks, and all prices of the market. */
export interface Reach extends PriceRange {
  readonly lowTicks: number;
  readonly highTicks: number;
}

/** By market: the mark, 1e-8 USD, and the most of its notional that a position may pay in funding. */
export type Marks = readonly { readonly markNow: number; readonly fundingShare: number }[];

/** More than the roundings of funding payments, quote units. */
const FUNDING_SPARE = 1_000;

/** By market: the marks of a stretch of time, 1e-8 USD, and the sum of what a position may pay in funding meanwhile. */
export type MarkRanges = readonly {
  readonly low: number;
  readonly high: number;
  /** Of its greatest notional. */
  readonly fundingShare: number;
}[];

interface Resting {
  lots: number;
  value: number;
}

/** A position. Objects are used again after the next block. */
interface Held {
  market: MarketRow;
  rules: MarketParameters;
  lots: Lots;
  /** Quote units. */
  cost: number;
  owed: number;
  /** Mark of the last `move`, 1e-8 USD; NaN before the first after a block. The values below are at this mark. */
  mark: number;
  unrealizedPnl: number;
  notional: Amount;
  maintenance: Amount;
}

/**
 * An account as the last block left it, at marks that no block has yet. With the same marks in the venue, `measure` of
 * the engine gives the same numbers.
 */
export class MarkedAccount {
  readonly account: AccountRow;
  /** Quote units, at the marks of the last `move`. */
  equity = Number.NaN;
  maintenance = Number.NaN;
  #collateral = Number.NaN;
  readonly #held: Held[] = [];
  /** By market: the object of its position. */
  readonly #spare: Held[] = [];
  /** Place in `#held` by market, NONE for none. */
  #places: number[] = [];
  #isBusy = true;
  /** By market: the highest bid and the lowest ask of the account; 0 and Infinity without one. */
  #bids: number[] = [];
  #asks: number[] = [];
  /** By market and side: lots of its resting orders, and their value at their prices, quote units. */
  readonly #resting = { buy: [] as Resting[], sell: [] as Resting[] } as const;
  #rests = false;
  readonly #triggers = new ArmedTriggers();

  constructor(account: AccountRow) {
    this.account = account;
  }

  /**
   * The account may change with any block, whatever the prices are. Causes: an order or intent waits for its time, a
   * stop trails, it is being liquidated, or its margin is not that of cross positions alone.
   */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** An order of the account rests. */
  get rests(): boolean {
    return this.#rests;
  }

  /** A stop or take-profit of the account waits for its price. */
  get isArmed(): boolean {
    return this.#triggers.isArmed;
  }

  /** An order of the account rests, or a trigger waits for its price. */
  get isExposed(): boolean {
    return this.#rests || this.#triggers.isArmed;
  }

  /**
   * Whether, in any market, an order of the account rests at a price at which the house may trade, or a trigger is
   * reached.
   */
  isReached(reaches: readonly Reach[]): boolean {
    if (this.#triggers.isReached(reaches)) return true;
    for (let market = 0; market < reaches.length; market++) {
      const { lowTicks, highTicks } = reaches[market]!;
      if (this.#bids[market]! >= lowTicks || this.#asks[market]! <= highTicks) return true;
    }
    return false;
  }

  #readOrders(state: State, position: PositionRow): void {
    const { orders, positions } = state;
    const market = positions.market[position]!;
    const { tickLotValue } = state.parameters[market]!;
    this.#rests = true;
    for (let order = positions.orders[position]!; order !== NONE; order = orders.older[order]!) {
      const price = orders.price[order]!;
      const isBid = (orders.flags[order]! & FLAG_SELL) === 0;
      if (isBid) this.#bids[market] = Math.max(this.#bids[market]!, price);
      else this.#asks[market] = Math.min(this.#asks[market]!, price);
      const resting = this.#resting[isBid ? "buy" : "sell"][market]!;
      const lots = orders.remaining[order]!;
      resting.lots += lots;
      resting.value += price * lots * tickLotValue;
    }
  }

  #clearResting(market: number): void {
    clear((this.#resting.buy[market] ??= newResting()));
    clear((this.#resting.sell[market] ??= newResting()));
  }

  /** Reads the account after a block. */
  read(state: State): void {
    const { accounts, positions } = state;
    const { account } = this;
    this.#collateral = accounts.collateral[account]!;
    let count = 0;
    const rested = this.#rests;
    this.#rests = false;
    for (let market = 0; market < state.parameters.length; market++) {
      this.#bids[market] = 0;
      this.#asks[market] = Number.POSITIVE_INFINITY;
      // Most accounts have no order at rest from block to block.
      if (rested || this.#resting.buy[market] === undefined) this.#clearResting(market);
      this.#places[market] = NONE;
    }
    this.#triggers.read(state, account);
    this.#isBusy = accounts.liquidation[account] !== 0 || accounts.cancelTime[account] !== 0 || this.#triggers.isBusy;
    for (let at = accounts.position[account]!; at !== NONE; at = positions.next[at]!) {
      const lots = positions.signedLots[at]!;
      if (positions.orderCount[at] !== 0) this.#readOrders(state, at);
      if (positions.mode[at] !== MARGIN_MODE.cross && (lots !== 0 || positions.isolated[at] !== 0)) this.#isBusy = true;
      if (lots === 0) continue;
      const market = positions.market[at]!;
      this.#places[market] = count;
      const rules = state.parameters[market]!;
      const held = (this.#spare[market] ??= newHeld(market, rules));
      held.rules = rules;
      held.lots = lots;
      held.cost = positions.cost[at]!;
      held.owed = getUnsettledFunding(state, at);
      held.mark = Number.NaN;
      held.unrealizedPnl = 0;
      this.#held[count++] = held;
    }
    // Setting the length frees the list, and it has to grow again.
    if (this.#held.length !== count) this.#held.length = count;
    if (this.#held.length === 0 && this.#collateral < 0) this.#isBusy = true;
  }

  /**
   * Whether a block at the marks of the last `move` leaves the account alone, whichever of its resting orders are
   * filled in it. Fees and losses are those of all orders together.
   */
  isSafeFilled(state: State, marks: Marks): boolean {
    let { equity } = this;
    let maintenance = 0;
    let notionals = 0;
    for (let market = 0; market < marks.length; market++) {
      const buys = this.#resting.buy[market]!;
      const sells = this.#resting.sell[market]!;
      const most = (Math.abs(this.getLots(market)) + buys.lots + sells.lots) as Lots;
      if (most === 0) continue;
      const rules = state.parameters[market]!;
      const mark = marks[market]!.markNow as PriceE8;
      const fee = Math.max(0, rules.makerFee, rules.takerFee) / PPM;
      equity -= Math.max(0, buys.value - computeNotional(rules, buys.lots as Lots, mark));
      equity -= Math.max(0, computeNotional(rules, sells.lots as Lots, mark) - sells.value);
      equity -= (buys.value + sells.value) * fee * 1.001 + FUNDING_SPARE;
      const notional = computeNotional(rules, most, mark);
      notionals += notional;
      maintenance += computeMaintenance(rules, notional);
    }
    return equity > maintenance && notionals <= LIMIT;
  }

  /** Unrealised profit of its position in a market at the marks of the last `move`, quote units. */
  getUnrealizedPnl(market: number): number {
    const place = this.#places[market]!;
    return place === NONE ? 0 : this.#held[place]!.unrealizedPnl;
  }

  /** Signed size of its position in a market, lots. */
  getLots(market: number): number {
    const place = this.#places[market]!;
    return place === NONE ? 0 : this.#held[place]!.lots;
  }

  /** The account has no position. */
  get isFlat(): boolean {
    return this.#held.length === 0;
  }

  /**
   * Whether every block leaves the account alone, except for funding payments, while marks stay within ranges: equity
   * at the worst of them, less all funding, is above maintenance at the highest, and all sums are storable.
   */
  isSafeWithin(ranges: MarkRanges): boolean {
    let worst = this.#collateral;
    let best = this.#collateral;
    let maintenance = 0;
    let notionals = 0;
    let losses = 0;
    let funding = 0;
    for (const { market, rules, lots, cost, owed } of this.#held) {
      const { low, high, fundingShare } = ranges[market]!;
      const [against, along] = lots > 0 ? [low, high] : [high, low];
      const loss = computeMarkedValue(rules, lots, against as PriceE8) - cost - owed;
      worst += loss;
      best += computeMarkedValue(rules, lots, along as PriceE8) - cost - owed;
      if (loss < 0) losses += loss;
      const notional = computeNotional(rules, lots, high as PriceE8);
      notionals += notional;
      if (fundingShare !== 0) funding += notional * fundingShare * 1.001 + FUNDING_SPARE;
      maintenance += computeMaintenance(rules, notional);
    }
    return (
      this.#held.length === 0 ||
      (worst - funding > maintenance && best + funding <= LIMIT && notionals <= LIMIT && losses - funding >= -LIMIT)
    );
  }

  /**
   * Moves the account of a run with one market along a path, and appends its points.
   *
   * @returns how many: those before the first at which a block would not leave it alone
   */
  moveAlong({ times, marks, lasts }: BarPath, count: number, points: PointColumns): number {
    const [held] = this.#held;
    const [market] = points.markets;
    const from = points.count;
    const balance = points.nextBalance;
    for (let at = 0; at < count; at++) {
      let equity = this.#collateral;
      let maintenance = 0;
      let unrealizedPnl = 0;
      if (held !== undefined) {
        const { rules, lots, owed } = held;
        const mark = marks[at]! as PriceE8;
        const notional = computeNotional(rules, lots, mark);
        unrealizedPnl = computeMarkedValue(rules, lots, mark) - held.cost;
        const gain = unrealizedPnl - owed;
        equity += gain;
        maintenance = computeMaintenance(rules, notional);
        if (!isLeftAlone(equity, maintenance, notional, gain < 0 ? gain : 0)) return at;
      }
      const place = from + at;
      points.times[place] = times[at]!;
      points.equity[place] = equity;
      points.maintenance[place] = maintenance;
      points.balance[place] = balance;
      market!.marks[place] = marks[at]!;
      market!.lasts[place] = lasts[at]!;
      market!.unrealizedPnl[place] = unrealizedPnl;
      points.count = place + 1;
    }
    return count;
  }

  /**
   * Moves the account to other marks.
   *
   * @returns whether a block at these marks leaves it alone: its equity is above maintenance after funding, and all
   * sums are storable
   */
  move(marks: Marks): boolean {
    let equity = this.#collateral;
    let maintenance = 0;
    let notionals = 0;
    let losses = 0;
    let funding = 0;
    for (let place = 0; place < this.#held.length; place++) {
      const held = this.#held[place]!;
      const { markNow, fundingShare } = marks[held.market]!;
      // Most instants of a recorded book leave its middle.
      if (markNow !== held.mark) moveHeld(held, markNow);
      const { notional } = held;
      const gain = held.unrealizedPnl - held.owed;
      equity += gain;
      if (gain < 0) losses += gain;
      notionals += notional;
      if (fundingShare !== 0) funding += notional * fundingShare * 1.001 + FUNDING_SPARE;
      maintenance += held.maintenance;
    }
    this.equity = equity;
    this.maintenance = maintenance;
    if (this.#held.length === 0) return true;
    return equity <= LIMIT && isLeftAlone(equity - funding, maintenance, notionals, losses);
  }
}

/** Its values start as `NaN`, which is stored as a double, so that their shape never changes. */
function newResting(): Resting {
  return { lots: Number.NaN, value: Number.NaN };
}

function clear(resting: Resting): void {
  resting.lots = 0;
  resting.value = 0;
}

function newHeld(market: MarketRow, rules: MarketParameters): Held {
  const none = Number.NaN;
  const values = { cost: none, owed: none, mark: none, unrealizedPnl: none };
  return { market, rules, lots: none as Lots, ...values, notional: none as Amount, maintenance: none as Amount };
}

/** Moves a position to another mark. */
function moveHeld(held: Held, markNow: number): void {
  const { rules, lots } = held;
  const mark = markNow as PriceE8;
  held.mark = markNow;
  held.unrealizedPnl = computeMarkedValue(rules, lots, mark) - held.cost;
  held.notional = computeNotional(rules, lots, mark);
  held.maintenance = computeMaintenance(rules, held.notional);
}

/** Whether a block leaves an account with positions alone. @param equity after all funding that it may pay */
function isLeftAlone(equity: number, maintenance: number, notionals: number, losses: number): boolean {
  return equity > maintenance && equity <= LIMIT && notionals <= LIMIT && losses >= -LIMIT;
}
