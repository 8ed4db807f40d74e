import { BookFlag } from "../../market-data/types.ts";
import type { BookSide } from "./bookSide.ts";
import { giveBack, NO_ASKS, NO_BIDS, takeSide } from "./keptSides.ts";
import { NO_SLOT } from "./priceLadder.ts";

/** Changes that the replay had to make in a recorded book. */
export interface BookNotes {
  /** Updates after which a best bid met a best ask, so that older levels were taken out. */
  readonly crossed: number;
  readonly levelsOut: number;
  /** Updates before which others are missing. */
  readonly gaps: number;
  /** Levels of less than one lot, of which nothing was left. */
  readonly sizesLost: number;
}

/**
 * A recorded order book, row by row, and what the house shows of it.
 *
 * Rows of one time and one id are one update. A level is worth its last row. Between updates a trade takes lots from
 * the level at its price, and proves that nothing is left at better prices. The next update is later than the trade, so
 * it is right again: a level has its recorded lots, less what strategies took of it since its own last row.
 */
export class ReplayBook {
  bids: BookSide = takeSide(1);
  asks: BookSide = takeSide(-1);
  /** Number of the last row, and of the first row of the update that it belongs to. */
  #stamp = 0;
  #updateStamp = 0;
  /** Doubles from the start, so that the shape of the object never changes. */
  #updateMs = Number.NaN;
  #updateId = Number.NaN;
  #isOpen = false;
  /** The update is a snapshot: levels that it does not have are gone. By side. */
  #clearsBids = false;
  #clearsAsks = false;
  /** Prices of the levels that trades have changed since the last update. */
  readonly #tradedBids = new TradedPrices();
  readonly #tradedAsks = new TradedPrices();
  #crossed = 0;
  #levelsOut = 0;
  #gaps = 0;
  #sizesLost = 0;

  /** The run has ended: the book cannot be read from now on, and its memory is that of a later one. */
  release(): void {
    giveBack(this.bids);
    giveBack(this.asks);
    this.bids = NO_BIDS;
    this.asks = NO_ASKS;
  }

  get notes(): BookNotes {
    return { crossed: this.#crossed, levelsOut: this.#levelsOut, gaps: this.#gaps, sizesLost: this.#sizesLost };
  }

  /** Number of the update that is open, or has ended last. */
  get update(): number {
    return this.#updateStamp;
  }

  /** Whether a row belongs to another update than the row before it. */
  isNext(timeMs: number, id: number, flags: number): boolean {
    return this.#isOpen && (timeMs !== this.#updateMs || id !== this.#updateId || (flags & BookFlag.first) !== 0);
  }

  /**
   * Takes in a row of an update. The caller has ended the update before it.
   *
   * @param lots 0 where the level is gone
   * @param isLost the level has less than one lot
   */
  setLevel(
    isBid: boolean,
    ticks: number,
    lots: number,
    isLost: boolean,
    timeMs: number,
    id: number,
    flags: number,
  ): void {
    if (!this.#isOpen) this.#begin(timeMs, id);
    if (flags !== 0) {
      if ((flags & BookFlag.first) !== 0) {
        this.#clearsBids = true;
        this.#clearsAsks = true;
      }
      if ((flags & BookFlag.gap) !== 0) this.#gaps++;
    }
    this.setNext(isBid, ticks, lots, isLost);
  }

  /** Takes in a further row of the update that is open, without flags. */
  setNext(isBid: boolean, ticks: number, lots: number, isLost: boolean): void {
    if (isLost) this.#sizesLost++;
    this.#set(isBid ? this.bids : this.asks, ticks, lots);
  }

  /** Takes in one side of a quote: its best price, or none (ticks 0), and nothing else. */
  setBest(isBid: boolean, ticks: number, lots: number, isLost: boolean, timeMs: number, id: number): void {
    if (!this.#isOpen) this.#begin(timeMs, id);
    if (isBid) this.#clearsBids = true;
    else this.#clearsAsks = true;
    if (isLost) this.#sizesLost++;
    if (ticks > 0) this.#set(isBid ? this.bids : this.asks, ticks, lots);
  }

  #begin(timeMs: number, id: number): void {
    this.#isOpen = true;
    this.#updateMs = timeMs;
    this.#updateId = id;
    this.#updateStamp = this.#stamp + 1;
  }

  #set(side: BookSide, ticks: number, lots: number): void {
    const stamp = ++this.#stamp;
    let slot = side.find(ticks);
    if (slot === NO_SLOT) {
      if (lots === 0) return;
      slot = side.insert(ticks);
    }
    const before = side.stamp[slot]! >= this.#updateStamp ? side.unexplained[slot]! : 0;
    side.unexplained[slot] = lots === 0 ? 0 : before + side.recorded[slot]! - side.traded[slot]! - lots;
    side.recorded[slot] = lots;
    side.shown[slot] = lots;
    side.consumed[slot] = 0;
    side.traded[slot] = 0;
    side.stamp[slot] = stamp;
    if (lots === 0) side.leave(slot);
  }

  /**
   * Ends the update, if one is open: a snapshot's old levels go, a book that meets itself loses its older side, and
   * what trades took is as recorded again.
   *
   * @returns whether one was open
   */
  end(): boolean {
    if (!this.#isOpen) return false;
    this.#isOpen = false;
    if (this.#clearsBids) this.#clearOld(this.bids);
    if (this.#clearsAsks) this.#clearOld(this.asks);
    this.#clearsBids = false;
    this.#clearsAsks = false;
    this.#restore(this.bids, this.#tradedBids);
    this.#restore(this.asks, this.#tradedAsks);
    this.#uncross();
    return true;
  }

  #clearOld(side: BookSide): void {
    for (let slot = side.best; slot !== NO_SLOT; slot = side.worse[slot]!) {
      if (side.stamp[slot]! < this.#updateStamp) forget(side, slot);
    }
    side.dropEmpty();
  }

  #restore(side: BookSide, prices: TradedPrices): void {
    for (let place = 0; place < prices.count; place++) {
      const slot = side.find(prices.ticks[place]!);
      if (slot !== NO_SLOT) side.shown[slot] = side.recorded[slot]! - side.consumed[slot]!;
    }
    prices.count = 0;
  }

  /** Takes out the older of a best bid and a best ask that meet, until they do not. */
  #uncross(): void {
    const { bids, asks } = this;
    let bid = bids.findBestRecorded();
    let ask = asks.findBestRecorded();
    if (bid === NO_SLOT || ask === NO_SLOT || bids.ticks[bid]! < asks.ticks[ask]!) return;
    this.#crossed++;
    while (bid !== NO_SLOT && ask !== NO_SLOT && bids.ticks[bid]! >= asks.ticks[ask]!) {
      const isBidOlder = bids.stamp[bid]! < asks.stamp[ask]!;
      const [side, slot] = isBidOlder ? [bids, bid] : [asks, ask];
      forget(side, slot);
      side.dropIfEmpty(slot);
      this.#levelsOut++;
      if (isBidOlder) bid = bids.findBestRecorded();
      else ask = asks.findBestRecorded();
    }
  }

  /** Whether the update that is open, or has ended last, has a row of the level in a slot. */
  isSet(side: BookSide, slot: number): boolean {
    return side.stamp[slot]! >= this.#updateStamp;
  }

  /**
   * A trade: its price loses lots, and better prices are empty until the next update. The part that the last row of the
   * level shows already does not count again.
   *
   * @param isBuy the taker buys, so that asks are taken
   * @param slot  of its level, where the caller has it
   * @returns lots of it that the last row of its level shows already
   */
  trade(isBuy: boolean, ticks: number, lots: number, slot = (isBuy ? this.asks : this.bids).find(ticks)): number {
    const side = isBuy ? this.asks : this.bids;
    const prices = isBuy ? this.#tradedAsks : this.#tradedBids;
    for (let better = side.best; better !== NO_SLOT; better = side.worse[better]!) {
      const price = side.ticks[better]!;
      if (isBuy ? price >= ticks : price <= ticks) break;
      if (side.shown[better] === 0) continue;
      side.shown[better] = 0;
      prices.add(price);
    }
    if (slot === NO_SLOT || side.recorded[slot] === 0) return 0;
    const late = this.isSet(side, slot) ? Math.min(lots, Math.max(0, side.unexplained[slot]!)) : 0;
    if (late > 0) side.unexplained[slot] = side.unexplained[slot]! - late;
    const counted = lots - late;
    if (counted === 0) return late;
    side.traded[slot] = side.traded[slot]! + counted;
    side.shown[slot] = Math.max(0, side.shown[slot]! - counted);
    prices.add(ticks);
    return late;
  }

  /** After a trade that other orders took a part of: the level shows these lots until the next update. */
  setShown(side: BookSide, slot: number, lots: number): void {
    if (side.shown[slot] === lots) return;
    side.shown[slot] = lots;
    (side === this.asks ? this.#tradedAsks : this.#tradedBids).add(side.ticks[slot]!);
  }

  /**
   * Twice the price between best bid and best ask, ticks; 0 where a side is empty. What strategies take does not move
   * it.
   */
  get middle2(): number {
    const bid = this.bids.findBestRecorded();
    const ask = this.asks.findBestRecorded();
    return bid === NO_SLOT || ask === NO_SLOT ? 0 : this.bids.ticks[bid]! + this.asks.ticks[ask]!;
  }
}

/** Prices in a list that keeps its room: every trade adds one, and every update takes them out. */
class TradedPrices {
  readonly ticks: number[] = [];
  count = 0;

  add(ticks: number): void {
    this.ticks[this.count++] = ticks;
  }
}

/** The level is not recorded any more. */
function forget(side: BookSide, slot: number): void {
  side.recorded[slot] = 0;
  side.shown[slot] = 0;
  side.consumed[slot] = 0;
  side.traded[slot] = 0;
  side.unexplained[slot] = 0;
}
