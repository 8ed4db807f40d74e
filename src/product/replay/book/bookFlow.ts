import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { ReplayError } from "../errors.ts";
import type { HouseLevel } from "../houseState.ts";
import type { BookSide } from "./bookSide.ts";
import { FELT_STEP, FeltSteps, NOTHING_FELT } from "./feltSteps.ts";
import { FlowWriter } from "./flowWriter.ts";
import { type FeltLevel, FeltSide, readHouseLots } from "./otherOrders.ts";
import { NO_SLOT } from "./priceLadder.ts";
import type { QueueModel } from "./queueModel.ts";
import { ReplayBook } from "./replayBook.ts";

/**
 * The part of a book that orders entering with a block can reach: asks up to a price, bids down to one, and the prices
 * at which they may rest.
 */
export interface BookReach {
  /** Ticks; 0 for no ask, Infinity for every one. */
  buyTicks: number;
  /** Ticks; Infinity for no bid, 0 for every one. */
  sellTicks: number;
  readonly prices: number[];
}

/** Steps of passed instants that wait for a block, at most. */
const WAITING_MOST = 1_000;

/**
 * Brings a recorded book into the venue. Where an order of another account than the house rests, or can be met, the
 * steps of the house are those of history in their order. Every other level is set once a block, to where history left
 * it.
 */
export class BookFlow {
  readonly book: ReplayBook = new ReplayBook();
  readonly #queueModel: QueueModel;
  /** Prices at which orders of other accounts rest. */
  readonly others = { bid: new FeltSide(true), ask: new FeltSide(false) } as const;
  readonly #writer = new FlowWriter();
  /** Of instants that were passed, and of this one. */
  readonly #passedSteps = new FeltSteps();
  readonly #steps = new FeltSteps();
  /**
   * Worst prices at which the house may have traded in the last block, ticks: Infinity for no bid, 0 for no ask. They
   * start as doubles, so that the shape of the object never changes.
   */
  #metBid = Number.POSITIVE_INFINITY;
  #metAsk = Number.POSITIVE_INFINITY;
  /** Prices that only the house has left: in several orders, where others were between them. */
  #left: { readonly side: BookSide; readonly ticks: number }[] = [];
  #isWhole = false;
  /**
   * Prices of this instant at which an order of another account could trade: lowest for its bids, highest for its asks.
   */
  lowTicks = Number.POSITIVE_INFINITY;
  highTicks = 0;

  constructor(queueModel: QueueModel) {
    this.#queueModel = queueModel;
    this.#metBid = 0;
  }

  /** The venue has every level as this flow has it. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** So many steps wait that a block should carry them. */
  get isFull(): boolean {
    return this.#passedSteps.count > WAITING_MOST;
  }

  get #hasOthers(): boolean {
    return this.others.bid.levels.length > 0 || this.others.ask.levels.length > 0;
  }

  setLevel(
    isBid: boolean,
    ticks: number,
    lots: number,
    isLost: boolean,
    timeMs: number,
    id: number,
    flags: number,
  ): void {
    if (this.book.isNext(timeMs, id, flags)) this.endUpdate();
    this.book.setLevel(isBid, ticks, lots, isLost, timeMs, id, flags);
    if (lots > 0) this.#reach(!isBid, ticks);
  }

  /** A further row of the same update, without flags. */
  setNext(isBid: boolean, ticks: number, lots: number, isLost: boolean): void {
    this.book.setNext(isBid, ticks, lots, isLost);
    if (lots > 0) this.#reach(!isBid, ticks);
  }

  setBest(isBid: boolean, ticks: number, lots: number, isLost: boolean, timeMs: number, id: number): void {
    if (this.book.isNext(timeMs, id, 0)) this.endUpdate();
    this.book.setBest(isBid, ticks, lots, isLost, timeMs, id);
    if (lots > 0) this.#reach(!isBid, ticks);
  }

  /** Other bids at or above the price, or other asks at or below it, may trade. */
  #reach(meetsBids: boolean, ticks: number): void {
    if (meetsBids) {
      if (ticks < this.lowTicks) this.lowTicks = ticks;
    } else if (ticks > this.highTicks) this.highTicks = ticks;
  }

  /** Whether a trade of no known side was a purchase, as the book has it; between bid and ask as the trade before. */
  isPurchase(ticks: number, wasPurchase: boolean): boolean {
    this.endUpdate();
    const { bids, asks } = this.book;
    const bid = bids.findBestShown();
    const ask = asks.findBestShown();
    if (ask !== NO_SLOT && ticks >= asks.ticks[ask]!) return true;
    if (bid !== NO_SLOT && ticks <= bids.ticks[bid]!) return false;
    return wasPurchase;
  }

  /** A recorded trade. */
  print(isBuy: boolean, ticks: number, lots: number, keepsSteps: boolean): void {
    this.endUpdate();
    this.#reach(!isBuy, ticks);
    const { book } = this;
    const side = isBuy ? book.asks : book.bids;
    const slot = side.find(ticks);
    if (!keepsSteps) {
      book.trade(isBuy, ticks, lots, slot);
      return;
    }
    const felt = isBuy ? this.others.ask : this.others.bid;
    const before = slot === NO_SLOT ? 0 : side.shown[slot]!;
    let late = book.trade(isBuy, ticks, lots, slot);
    let left = lots;
    for (const level of felt.levels) {
      if (!felt.isBetter(level.ticks, ticks)) break;
      left = level.tradeOthers(left);
      level.setHouse(0);
    }
    const level = felt.find(ticks);
    let after = Math.max(0, before - left);
    let missing = Math.max(0, left - before);
    let counted = 0;
    if (level !== undefined) {
      late = level.update === book.update ? Math.min(lots, level.unexplained) : 0;
      // Lots that the change before it took from before the order are not taken again.
      counted = Math.min(late, level.fromFront, left);
      level.unexplained -= late;
      level.fromFront -= counted;
      missing = level.trade(left - counted);
      level.traded += lots - late;
      after = level.houseLots;
      late -= counted;
    }
    // Lots that the last row of the level shows already are still there.
    const recorded = slot === NO_SLOT ? 0 : side.recorded[slot]!;
    const shown = Math.min(Math.max(0, after - missing + late), recorded);
    if (slot !== NO_SLOT) book.setShown(side, slot, shown);
    this.#steps.add(FELT_STEP.print, !isBuy, ticks, lots - counted, left, level === undefined ? NOTHING_FELT : after);
    if (level !== undefined && shown !== after) this.#setQueue(!isBuy, level, 0, shown);
    felt.dropLeft();
  }

  #setQueue(isBid: boolean, level: FeltLevel, ahead: number, lots: number): void {
    level.takeAhead(ahead);
    level.setHouse(lots);
    this.#steps.add(FELT_STEP.queue, isBid, level.ticks, lots, ahead, 0);
  }

  /** Ends the update that is open, if any. */
  endUpdate(): void {
    if (!this.book.end() || !this.#hasOthers) return;
    this.#followQueues(this.book.bids, this.others.bid);
    this.#followQueues(this.book.asks, this.others.ask);
    this.#cross(this.book.bids, this.others.ask);
    this.#cross(this.book.asks, this.others.bid);
  }

  /** Changes of the levels at which other orders rest. */
  #followQueues(side: BookSide, felt: FeltSide): void {
    for (const level of felt.levels) {
      const slot = side.find(level.ticks);
      const recorded = slot === NO_SLOT ? 0 : side.recorded[slot]!;
      const shown = slot === NO_SLOT ? 0 : side.shown[slot]!;
      const isSet = slot === NO_SLOT || recorded === 0 ? level.recorded > 0 : this.book.isSet(side, slot);
      const had = level.houseLots;
      if (!isSet && shown === had) continue;
      let ahead = 0;
      if (isSet) {
        const unexplained = Math.max(0, level.recorded - recorded - level.traded);
        const { front } = level;
        const back = Math.max(0, Math.min(had, level.recorded - level.traded) - front);
        if (unexplained > 0) ahead = this.#queueModel.takeAhead(unexplained, front, back);
        level.recorded = recorded;
        level.traded = 0;
        level.unexplained = unexplained;
        level.update = this.book.update;
      }
      const { front } = level;
      if (ahead > 0 || shown !== had) this.#setQueue(felt.isBid, level, ahead, shown);
      if (isSet) level.fromFront = Math.max(0, front - level.front);
    }
  }

  /** Levels of a side that other orders of the other side meet: they trade, the best level first. */
  #cross(side: BookSide, felt: FeltSide): void {
    for (let slot = side.findBestShown(); slot !== NO_SLOT; slot = side.findNextShown(slot)) {
      const ticks = side.ticks[slot]!;
      if (felt.levels.length === 0 || felt.isBetter(ticks, felt.best)) return;
      const lots = side.shown[slot]!;
      let left = lots;
      for (const level of felt.levels) if (!felt.isBetter(ticks, level.ticks)) left = level.tradeOthers(left);
      felt.dropLeft();
      this.#reach(felt.isBid, ticks);
      side.consumed[slot] = side.consumed[slot]! + lots - left;
      side.shown[slot] = left;
      this.#steps.add(FELT_STEP.cross, !felt.isBid, ticks, lots, 0, left);
    }
  }

  /** The instant has all of its rows. */
  endInstant(): void {
    this.endUpdate();
    this.#isWhole = false;
  }

  /** No block is made at this instant: no order was met in it. Changes of queues are kept for the next block. */
  pass(): void {
    if (this.#steps.count > 0) {
      this.#passedSteps.addQueues(this.#steps);
      this.#steps.clear();
    }
    this.#isWhole = false;
    this.#beginReach();
  }

  #beginReach(): void {
    this.lowTicks = Number.POSITIVE_INFINITY;
    this.highTicks = 0;
  }

  /**
   * The flows that bring the venue to the state of history.
   *
   * @param isReached an order of another account may trade in this instant: every trade is printed
   * @param lastTicks the last price, where no trade is printed that makes it; 0 for none
   * @param reach     what of the other levels the venue needs; default: all
   */
  takeFlows(isReached: boolean, lastTicks: number, reach?: BookReach): Uint8Array[] {
    this.#metBid = reach?.sellTicks ?? 0;
    this.#metAsk = reach?.buyTicks ?? Number.POSITIVE_INFINITY;
    this.#writePassed();
    const steps = this.#steps;
    for (let step = 0; step < steps.count; step++) {
      if (isReached || steps.kind(step) === FELT_STEP.queue) this.#write(steps, step);
    }
    steps.clear();
    if (lastTicks > 0) this.#writer.last(lastTicks);
    if (reach === undefined) this.#setAll();
    else this.#setReached(reach);
    this.#beginReach();
    return this.#writer.take();
  }

  /**
   * The flows of a block at the instant that was passed last. No order enters with it, and none is met, so it leaves
   * the other levels to a later block.
   */
  takePassedFlows(lastTicks: number): Uint8Array[] {
    this.#writePassed();
    if (lastTicks > 0) this.#writer.last(lastTicks);
    return this.#writer.take();
  }

  /** The house has one order at a price again, so that the parts of a queue that is gone do not show in later fills. */
  #joinLeft(): void {
    for (const { side, ticks } of this.#left) {
      const slot = side.find(ticks);
      const felt = side.sign > 0 ? this.others.bid : this.others.ask;
      // An order that has come since is after them.
      if (slot !== NO_SLOT && side.held[slot] !== 0 && felt.find(ticks) === undefined) this.#set(side, slot, ticks, 0);
    }
    this.#left = [];
  }

  #writePassed(): void {
    if (this.#left.length > 0) this.#joinLeft();
    const steps = this.#passedSteps;
    for (let step = 0; step < steps.count; step++) this.#write(steps, step);
    steps.clear();
  }

  #setAll(): void {
    const { bids, asks } = this.book;
    this.#reduce(bids, 0);
    this.#reduce(asks, Number.POSITIVE_INFINITY);
    this.#raise(bids, 0);
    this.#raise(asks, Number.POSITIVE_INFINITY);
    this.#isWhole = true;
  }

  #setReached({ buyTicks, sellTicks, prices }: BookReach): void {
    if (buyTicks === 0 && sellTicks === Number.POSITIVE_INFINITY) return;
    const { bids, asks } = this.book;
    // The house has nothing left on a side that would meet the levels of the other.
    const bid = bids.findBestShown();
    const ask = asks.findBestShown();
    if (bid !== NO_SLOT) this.#clearBetter(asks, bids.ticks[bid]! + 1);
    if (ask !== NO_SLOT) this.#clearBetter(bids, asks.ticks[ask]! - 1);
    this.#reduce(bids, sellTicks);
    this.#reduce(asks, buyTicks);
    for (const ticks of prices) {
      this.#setOne(bids, ticks);
      this.#setOne(asks, ticks);
    }
    this.#raise(bids, sellTicks);
    this.#raise(asks, buyTicks);
  }

  #setOne(side: BookSide, ticks: number): void {
    const slot = side.find(ticks);
    // A price of an order may be off the grid; then no level has it.
    if (slot === NO_SLOT || side.ticks[slot] !== ticks || side.held[slot] === side.shown[slot]) return;
    this.#set(side, slot, ticks, side.shown[slot]!);
  }

  #write(steps: FeltSteps, step: number): void {
    const isBid = steps.isBid(step);
    const ticks = steps.ticks(step);
    const lots = steps.lots(step);
    const taken = steps.taken(step);
    const after = steps.after(step);
    const { bids, asks } = this.book;
    const side = isBid ? bids : asks;
    if (steps.kind(step) === FELT_STEP.print) {
      this.#clearBetter(side, ticks);
      this.#meet(isBid, ticks);
      this.#writer.print(!isBid, ticks, lots);
      const slot = side.find(ticks);
      if (slot !== NO_SLOT) side.held[slot] = after === NOTHING_FELT ? Math.max(0, side.held[slot]! - taken) : after;
      return;
    }
    // The house does not meet its own orders of before.
    if (lots > 0) this.#clearBetter(isBid ? asks : bids, isBid ? ticks + 1 : ticks - 1);
    const slot = side.open(ticks);
    if (steps.kind(step) === FELT_STEP.cross) {
      this.#meet(isBid, ticks);
      this.#set(side, slot, ticks, lots);
      side.held[slot] = after;
      return;
    }
    if (taken > 0) {
      this.#writer.ahead(isBid, ticks, taken);
      side.held[slot] = Math.max(0, side.held[slot]! - taken);
    }
    if (side.held[slot] !== lots) this.#set(side, slot, ticks, lots);
  }

  #meet(isBid: boolean, ticks: number): void {
    if (isBid) this.#metBid = Math.min(this.#metBid, ticks);
    else this.#metAsk = Math.max(this.#metAsk, ticks);
  }

  #set(side: BookSide, slot: number, ticks: number, lots: number): void {
    this.#writer.level(side.sign > 0, ticks, lots);
    side.held[slot] = lots;
  }

  /** Takes back the house's orders at better prices of a side. */
  #clearBetter(side: BookSide, ticks: number): void {
    for (let slot = side.best; slot !== NO_SLOT && side.isBetter(slot, ticks); slot = side.worse[slot]!) {
      if (side.held[slot] !== 0) this.#set(side, slot, side.ticks[slot]!, 0);
    }
  }

  /** @param ticks worst price that is set */
  #reduce(side: BookSide, ticks: number): void {
    for (let slot = side.best; slot !== NO_SLOT && !side.isWorse(slot, ticks); ) {
      const next = side.worse[slot]!;
      const lots = side.shown[slot]!;
      if (lots < side.held[slot]!) this.#set(side, slot, side.ticks[slot]!, lots);
      if (lots === 0) side.dropIfEmpty(slot);
      slot = next;
    }
  }

  #raise(side: BookSide, ticks: number): void {
    for (let slot = side.best; slot !== NO_SLOT && !side.isWorse(slot, ticks); slot = side.worse[slot]!) {
      const lots = side.shown[slot]!;
      if (lots > side.held[slot]!) this.#set(side, slot, side.ticks[slot]!, lots);
    }
  }

  /** Best price of a side, ticks; 0 for an empty one. */
  findBest(isBid: boolean): number {
    const side = isBid ? this.book.bids : this.book.asks;
    const slot = side.findBestShown();
    const other = (isBid ? this.others.bid : this.others.ask).levels[0];
    if (slot === NO_SLOT) return other?.ticks ?? 0;
    const ticks = side.ticks[slot]!;
    if (other === undefined) return ticks;
    return isBid ? Math.max(ticks, other.ticks) : Math.min(ticks, other.ticks);
  }

  /**
   * Levels of a side, best first: what the house shows, with the orders of others.
   *
   * @param most levels at most
   */
  listLevels(isBid: boolean, most: number): HouseLevel[] {
    const side = isBid ? this.book.bids : this.book.asks;
    const felt = isBid ? this.others.bid : this.others.ask;
    const found: HouseLevel[] = [];
    let other = 0;
    let slot = side.findBestShown();
    while (found.length < most) {
      const level = felt.levels[other];
      const ticks = slot === NO_SLOT ? undefined : side.ticks[slot]!;
      if (level === undefined && ticks === undefined) break;
      if (ticks === undefined || (level !== undefined && !felt.isBetter(ticks, level.ticks))) {
        const isBoth = ticks === level!.ticks;
        found.push({ ticks: level!.ticks, lots: level!.otherLots + (isBoth ? side.shown[slot]! : 0) });
        other++;
        if (!isBoth) continue;
      } else found.push({ ticks, lots: side.shown[slot]! });
      slot = side.findNextShown(slot);
    }
    return found;
  }

  /**
   * Reads the venue after a block.
   *
   * @param accounts that may have orders, besides the house
   * @param mayTrade one of them may have traded or changed its orders
   */
  read(state: State, market: MarketRow, house: AccountRow, accounts: readonly AccountRow[], mayTrade: boolean): void {
    if (!mayTrade) return;
    const { bids, asks } = this.book;
    readConsumed(state, market, house, bids, this.#metBid);
    readConsumed(state, market, house, asks, this.#metAsk);
    this.#readOthers(state, market, house, accounts, bids, this.others.bid);
    this.#readOthers(state, market, house, accounts, asks, this.others.ask);
  }

  #readOthers(
    state: State,
    market: MarketRow,
    house: AccountRow,
    accounts: readonly AccountRow[],
    side: BookSide,
    felt: FeltSide,
  ): void {
    for (const ticks of felt.read(state, market, house, accounts)) this.#left.push({ side, ticks });
    for (const level of felt.levels) {
      if (level.isKnown) continue;
      level.isKnown = true;
      const slot = side.find(level.ticks);
      if (slot !== NO_SLOT && side.held[slot] !== side.shown[slot]) throw this.#fault(level.ticks);
      level.recorded = slot === NO_SLOT ? 0 : side.recorded[slot]!;
      level.traded = slot === NO_SLOT ? 0 : side.traded[slot]!;
      level.unexplained = slot === NO_SLOT || !this.book.isSet(side, slot) ? 0 : Math.max(0, side.unexplained[slot]!);
      level.fromFront = level.unexplained;
      level.update = this.book.update;
    }
  }

  /** A level at which an order came to rest was not in the venue before it. */
  #fault(ticks: number): ReplayError {
    return new ReplayError(
      "DATA_UNUSABLE",
      `an order rests at tick ${ticks}, where the venue lacked the recorded level`,
      {
        place: "book",
        hint: "this is a fault in perplab; --blocks all sets every level",
      },
    );
  }
}

/** Lots that strategies took from the house are gone until history sets the level again. */
function readConsumed(state: State, market: MarketRow, house: AccountRow, side: BookSide, worstTicks: number): void {
  for (let slot = side.best; slot !== NO_SLOT && !side.isWorse(slot, worstTicks); slot = side.worse[slot]!) {
    const held = side.held[slot]!;
    if (held === 0) continue;
    const lots = readHouseLots(state, market, house, side.ticks[slot]!, side.sign > 0);
    if (lots === held) continue;
    side.held[slot] = lots;
    side.consumed[slot] = side.consumed[slot]! + held - lots;
    side.shown[slot] = Math.max(0, side.shown[slot]! - (held - lots));
  }
}
