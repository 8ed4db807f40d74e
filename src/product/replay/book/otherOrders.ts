import { NONE } from "../../../ground/collections/table.ts";
import type { Ticks } from "../../../ground/math/fixed.ts";
import { type AccountRow, FLAG_SELL, type MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";

/**
 * A price at which an order of another account than the house rests, with its queue: lots of the house are positive,
 * those of other orders negative, the front first.
 */
export class FeltLevel {
  readonly ticks: number;
  readonly queue: number[] = [];
  /** Sums of the queue: lots of the house, and of other accounts. */
  houseLots = 0;
  otherLots = 0;
  /** The values below are those of its recorded level. */
  isKnown = false;
  /** Lots of the level as recorded after the last update, and of the trades since its last row. */
  recorded = 0;
  traded = 0;
  /**
   * Lots by which its last row made it smaller without a trade before it, and those of them that came from before the
   * first other order.
   */
  unexplained = 0;
  fromFront = 0;
  /** Number of the update with that row. */
  update = 0;

  constructor(ticks: number) {
    this.ticks = ticks;
  }

  /** Lots of the house before the first other order. */
  get front(): number {
    const first = this.queue[0];
    return first !== undefined && first > 0 ? first : 0;
  }

  /** Takes lots of the house from the front of the queue, as the step `ahead` does. */
  takeAhead(lots: number): void {
    let left = lots;
    for (let place = 0; place < this.queue.length && left > 0; place++) left = this.#takeHouse(place, left);
    this.#tidy();
  }

  /** Sets the lots of the house, as the step `level` does: at the back of the queue. */
  setHouse(lots: number): void {
    const { queue } = this;
    let left = this.houseLots - lots;
    for (let place = queue.length - 1; place >= 0 && left > 0; place--) left = this.#takeHouse(place, left);
    if (left < 0) queue.push(-left);
    this.#tidy();
  }

  #takeHouse(place: number, lots: number): number {
    const part = this.queue[place]!;
    if (part <= 0) return lots;
    const taken = Math.min(part, lots);
    this.queue[place] = part - taken;
    return lots - taken;
  }

  /** A trade takes the queue from its front. Returns the lots that nothing was left for. */
  trade(lots: number): number {
    const { queue } = this;
    let left = lots;
    for (let place = 0; place < queue.length && left > 0; place++) {
      const part = queue[place]!;
      const taken = Math.min(Math.abs(part), left);
      queue[place] = part > 0 ? part - taken : part + taken;
      left -= taken;
    }
    this.#tidy();
    return left;
  }

  /**
   * A trade through this price, or an order of the house that crosses it, takes other orders alone. Returns the lots
   * that are left.
   */
  tradeOthers(lots: number): number {
    const { queue } = this;
    let left = lots;
    for (let place = 0; place < queue.length && left > 0; place++) {
      const part = queue[place]!;
      if (part >= 0) continue;
      const taken = Math.min(-part, left);
      queue[place] = part + taken;
      left -= taken;
    }
    this.#tidy();
    return left;
  }

  /** Reads the queue of the venue. */
  readQueue(state: State, market: MarketRow, house: AccountRow): void {
    const { orders, positions } = state;
    const { queue } = this;
    let parts = 0;
    for (let order = state.books[market]!.head(this.ticks as Ticks); order !== NONE; order = orders.levelNext[order]!) {
      const lots = orders.remaining[order]!;
      queue[parts++] = positions.account[orders.position[order]!] === house ? lots : -lots;
    }
    if (parts < queue.length) queue.length = parts;
    this.#tidy();
  }

  /** Drops parts without lots, joins neighbours of the house, and adds the lots up. */
  #tidy(): void {
    const { queue } = this;
    let kept = 0;
    let houseLots = 0;
    let otherLots = 0;
    for (let place = 0; place < queue.length; place++) {
      const part = queue[place]!;
      if (part === 0) continue;
      if (part > 0) houseLots += part;
      else otherLots -= part;
      if (part > 0 && kept > 0 && queue[kept - 1]! > 0) queue[kept - 1] = queue[kept - 1]! + part;
      else queue[kept++] = part;
    }
    if (kept < queue.length) queue.length = kept;
    this.houseLots = houseLots;
    this.otherLots = otherLots;
  }
}

/** Prices of one side at which orders of other accounts rest, the best first. */
export class FeltSide {
  readonly isBid: boolean;
  levels: FeltLevel[] = [];
  /** Prices whose other orders were filled since the last `read`. */
  #left: number[] = [];

  constructor(isBid: boolean) {
    this.isBid = isBid;
  }

  /** The best price, ticks; 0 for bids and Infinity for asks where there is none. */
  get best(): number {
    return this.levels[0]?.ticks ?? (this.isBid ? 0 : Number.POSITIVE_INFINITY);
  }

  find(ticks: number): FeltLevel | undefined {
    for (const level of this.levels) if (level.ticks === ticks) return level;
    return undefined;
  }

  /** Whether the first of two prices is better. */
  isBetter(ticks: number, other: number): boolean {
    return this.isBid ? ticks > other : ticks < other;
  }

  /** Drops levels at which no other order is left. */
  dropLeft(): void {
    let kept = 0;
    for (const level of this.levels) {
      if (level.otherLots > 0) this.levels[kept++] = level;
      else this.#left.push(level.ticks);
    }
    // Mostly all are kept, and setting the length is a call.
    if (kept < this.levels.length) this.levels.length = kept;
  }

  /**
   * Reads the prices of the orders that accounts have in a market after a block, and the queue at each.
   *
   * @returns prices that it had before, and at which only the house is left
   */
  read(state: State, market: MarketRow, house: AccountRow, accounts: readonly AccountRow[]): readonly number[] {
    const prices = listPrices(state, market, accounts, this.isBid);
    const before = this.levels;
    if (prices.length === 0 && before.length === 0 && this.#left.length === 0) return NO_PRICES;
    let left = NO_PRICES;
    for (const ticks of this.#left) if (!prices.includes(ticks)) left = append(left, ticks);
    for (const { ticks } of before) if (!prices.includes(ticks)) left = append(left, ticks);
    if (this.#left.length > 0) this.#left = [];
    if (prices.length > 1) prices.sort((a, b) => (this.isBid ? b - a : a - b));
    const levels = new Array<FeltLevel>(prices.length);
    for (let place = 0; place < prices.length; place++) {
      const level = this.find(prices[place]!) ?? new FeltLevel(prices[place]!);
      level.readQueue(state, market, house);
      levels[place] = level;
    }
    this.levels = levels;
    return left;
  }
}

const NO_PRICES: number[] = [];

/** Adds a price to a list. One that begins with its first price has room for that one; most lists have no more. */
function append(prices: number[], ticks: number): number[] {
  if (prices === NO_PRICES) return [ticks];
  prices.push(ticks);
  return prices;
}

function listPrices(state: State, market: MarketRow, accounts: readonly AccountRow[], isBid: boolean): number[] {
  const { orders, positions } = state;
  let prices = NO_PRICES;
  for (const account of accounts) {
    for (let at = state.accounts.position[account]!; at !== NONE; at = positions.next[at]!) {
      if (positions.market[at] !== market) continue;
      for (let order = positions.orders[at]!; order !== NONE; order = orders.older[order]!) {
        const ticks = orders.price[order]!;
        if (((orders.flags[order]! & FLAG_SELL) === 0) !== isBid || prices.includes(ticks)) continue;
        prices = append(prices, ticks);
      }
    }
  }
  return prices;
}

/** Lots that the house has at a price of one side in the venue. */
export function readHouseLots(
  state: State,
  market: MarketRow,
  house: AccountRow,
  ticks: number,
  isBid: boolean,
): number {
  const { orders, positions } = state;
  let lots = 0;
  for (let order = state.books[market]!.head(ticks as Ticks); order !== NONE; order = orders.levelNext[order]!) {
    if (((orders.flags[order]! & FLAG_SELL) === 0) !== isBid) return 0;
    if (positions.account[orders.position[order]!] === house) lots += orders.remaining[order]!;
  }
  return lots;
}
