import { formatDecimal } from "../../ground/math/decimal.ts";
import { mulDivFloor, PPM, PRICE_DECIMALS } from "../../ground/math/fixed.ts";
import { HOUSE_STEP } from "../../protocol/houseSteps.ts";
import { SIDE } from "../../protocol/words.ts";
import { POINTS } from "../market-data/stream/barPath.ts";
import { type EventChunk, EventKind } from "../market-data/types.ts";
import type { BarPath } from "./barPath.ts";
import { BookFlow, type BookReach } from "./book/bookFlow.ts";
import { ReplayError } from "./errors.ts";
import { type HouseLevel, HouseState, type PassedHouse } from "./houseState.ts";
import { type PricedMarket, ReferencePrices } from "./referencePrices.ts";
import type { ReplaySettings } from "./settings.ts";
import { StepWriter } from "./stepWriter.ts";

/** Levels into which a point's depth is split. */
export const DEPTH_LEVELS = 4;
/**
 * Most lots of a print or of a side's depth. The lots of a market are far less, and the sums of a block stay storable
 * for any recorded volume (NUM-3).
 */
const LOTS_MOST = 2 ** 42;
/** Prices of orders are 31-bit. */
const TICKS_MOST = 2 ** 31 - 1;

/** The rules and prices of a market in the venue that history needs. */
export interface FlowMarket extends PricedMarket {
  /** 1e-8 USD. */
  readonly tickSize: number;
  /** 1e-8 base. */
  readonly lotSize: number;
}

/** Assumptions of the replay about a market. */
export interface FlowNotes {
  /** Instants at which the market had a mark. */
  readonly markInstants: number;
  /** Funding rates that were settled. */
  readonly fundingRates: number;
  /** Instants that used the last price instead of a recorded mark or index that was missing or too old. */
  readonly markMissing: number;
  readonly indexMissing: number;
  /** Prices off the tick grid, rounded to the nearest tick. */
  readonly pricesRounded: number;
  /** Trades or points of less than one lot, of which nothing was left. */
  readonly sizesLost: number;
  /** Times at which the house took its depth back because the next bar is missing. */
  readonly gaps: number;
}

/**
 * Turns the data of one market into the content of its next block: reference prices, a funding rate, and the house's
 * orders. Trades and points are taken in one at a time; `close` finishes the block.
 */
export class MarketFlow implements PassedHouse {
  readonly name: string;
  /** Index, mark and funding rates. */
  readonly prices: ReferencePrices;
  /** Of a market that a recorded order book drives, or its best prices. */
  readonly book: BookFlow | undefined;
  readonly #tickSize: number;
  readonly #lotSize: number;
  readonly #priceMost: number;
  readonly #spread: number;
  readonly #impact: number;
  readonly #participation: number;
  readonly #steps = new StepWriter();
  /** Of the block of a passed instant: the steps of the instant after it may be written already. */
  readonly #leadingSteps = new StepWriter();
  // Prices and ticks start as `NaN`, which is stored as a double, so that their shape never changes.

  /** Prices of the house in this instant, from those that the instant before left. */
  #lowTicks = Number.POSITIVE_INFINITY;
  #highTicks = Number.NaN;

  /** Last price, 1e-8 USD and ticks; 0 before the first. */
  #last = Number.NaN;
  #lastTicks = Number.NaN;
  /** Whether the last price is at the ask (it rose to it) or at the bid. */
  #atAsk = false;
  #lastLots = 0;
  /** The last volume whose depth was computed, and that depth in lots. */
  #depthVolume = Number.NaN;
  #depthLots = 0;
  #traded = false;
  #keepsSteps = true;
  /** After this instant, and after the instant before it if no block was made there. */
  readonly #now = new HouseState();
  readonly #passed = new HouseState();
  /** The state that the instant before left, as far as the order of the next quotes depends on it. */
  #quoted = false;
  #bidTicks = Number.NaN;

  // What the venue has.
  #sentQuoted = false;
  #sentBid = Number.NaN;

  #pricesRounded = 0;
  #sizesLost = 0;
  #gaps = 0;

  constructor(
    market: FlowMarket,
    { spreadTicks, impactTicks, participation, queue }: Omit<ReplaySettings, "blockMs" | "intrabar">,
    recorded: { readonly mark: boolean; readonly index: boolean; readonly book: boolean },
  ) {
    const { name, tickSize, lotSize, priceMost } = market;
    this.name = name;
    this.prices = new ReferencePrices(market, recorded);
    this.book = recorded.book ? new BookFlow(queue) : undefined;
    this.#tickSize = tickSize;
    this.#lotSize = lotSize;
    this.#priceMost = priceMost;
    this.#spread = spreadTicks;
    this.#impact = impactTicks;
    this.#participation = participation;
    this.#highTicks = 0;
    this.#lastTicks = 0;
    this.#bidTicks = 0;
    this.#sentBid = 0;
    this.#last = 0;
  }

  /** As of the instant that was passed last. */
  get passed(): Readonly<HouseState> {
    return this.#passed;
  }

  listPassedLevels(side: "buy" | "sell", most: number): HouseLevel[] | undefined {
    return this.#passed.isQuoteDue ? this.#passed.listLevels(side, this.#spread, this.#impact, most) : undefined;
  }

  /** The mark that a block of this instant gives the market, 1e-8 USD; 0 before the first. */
  get markNow(): number {
    return this.prices.markNow;
  }

  /** The last price that a block of this instant gives the market, 1e-8 USD; 0 before the first. */
  get lastNow(): number {
    return this.#now.lastTicks * this.#tickSize;
  }

  /**
   * Lowest and highest of all prices of this instant, 1e-8 USD: of the house, the last, mark and index; 0 before the
   * first.
   */
  get lowPrice(): number {
    return Math.min(this.lowTicks * this.#tickSize, this.lastNow, this.prices.markNow, this.prices.indexNow);
  }

  get highPrice(): number {
    return Math.max(this.highTicks * this.#tickSize, this.lastNow, this.prices.markNow, this.prices.indexNow);
  }

  /** Lowest and highest price at which the house rests or trades in this instant, ticks; Infinity and 0 for none. */
  get lowTicks(): number {
    return this.book === undefined ? this.#lowTicks : this.book.lowTicks;
  }

  get highTicks(): number {
    return this.book === undefined ? this.#highTicks : this.book.highTicks;
  }

  /** Prices of which each may be the mark of a later instant before another row comes, 1e-8 USD. */
  listHeldPrices(): number[] {
    return [...this.prices.listHeld(), this.#last].filter((price) => price !== 0);
  }

  /** Most that a position may pay in this instant's funding, as a share of its notional at the mark. */
  get fundingShare(): number {
    return this.prices.fundingShare;
  }

  /**
   * Reads the venue after a block: orders of others may have moved the last price.
   *
   * @param lastTicks  last price of the venue
   * @param keepsSteps whether the next blocks carry every step of their instants, trades among them, as a
   *                   resting order in the market needs it. Otherwise they carry the result: the last price and quotes
   */
  followBlock(lastTicks: number, keepsSteps: boolean): void {
    this.#now.lastTicks = lastTicks;
    this.#keepsSteps = keepsSteps;
  }

  get notes(): FlowNotes {
    return {
      markInstants: this.prices.markInstants,
      fundingRates: this.prices.fundingRates,
      markMissing: this.prices.markMissing,
      indexMissing: this.prices.indexMissing,
      pricesRounded: this.#pricesRounded,
      sizesLost: this.#sizesLost,
      gaps: this.#gaps,
    };
  }

  /**
   * A recorded trade.
   *
   * @param side of the taker: 1 buy, -1 sell, 0 not known: then a price above the last was a buy, one below a sell
   */
  print(price: number, sizeE8: number, side: number): void {
    const ticks = this.#toTicks(price);
    const lots = Math.min(LOTS_MOST, Math.floor(sizeE8 / this.#lotSize));
    if (side !== 0) this.#atAsk = side > 0;
    else if (this.book !== undefined) this.#atAsk = this.book.isPurchase(ticks, this.#atAsk);
    else if (ticks !== this.#lastTicks) this.#atAsk = ticks > this.#lastTicks;
    this.#last = price;
    this.#lastTicks = ticks;
    this.#traded = this.book === undefined;
    if (lots === 0) {
      this.#sizesLost++;
      return;
    }
    this.#lastLots = lots;
    this.#now.moveLast(ticks);
    if (this.book !== undefined) {
      this.book.print(this.#atAsk, ticks, lots, this.#keepsSteps);
      return;
    }
    this.#reach(ticks, ticks);
    if (this.#keepsSteps) this.#steps.write(HOUSE_STEP.print, ticks, lots, this.#atAsk ? SIDE.buy : SIDE.sell);
  }

  /**
   * Rows of a recorded order book: from a row of this market on, as many as follow each other up to a time.
   *
   * @returns the first row that is none of them
   */
  setLevels({ count, kind, market, timeMs, price, size, side, id, flags }: EventChunk, from: number, untilMs: number) {
    const book = this.book!;
    const lotSize = this.#lotSize;
    const own = market[from]!;
    let row = from;
    for (; row < count; row++) {
      const at = timeMs[row]!;
      if (kind[row] !== EventKind.depth || market[row] !== own || at > untilMs) break;
      const sizeE8 = size[row]!;
      const ticks = this.#toTicks(price[row]!);
      const lots = Math.min(LOTS_MOST, Math.floor(sizeE8 / lotSize));
      const isLost = lots === 0 && sizeE8 > 0;
      // A call with a time and an id allocates both, so that it is made once an update.
      const isSame = row > from && flags[row] === 0 && id[row] === id[row - 1] && at === timeMs[row - 1];
      if (isSame) book.setNext(side[row]! > 0, ticks, lots, isLost);
      else book.setLevel(side[row]! > 0, ticks, lots, isLost, at, id[row]!, flags[row]!);
    }
    return row;
  }

  /** One side of a recorded quote; a price of 0 for none. */
  setBest(price: number, sizeE8: number, side: number, timeMs: number, id: number): void {
    const lots = Math.min(LOTS_MOST, Math.floor(sizeE8 / this.#lotSize));
    const isLost = lots === 0 && sizeE8 > 0;
    const ticks = price === 0 ? 0 : this.#toTicks(price);
    this.book!.setBest(side > 0, ticks, lots, isLost, timeMs, id);
  }

  /**
   * A point of a bar's path: the last price moves there and the house quotes around it. Depth of a side:
   *
   *     floor(volume * participation / points), in whole lots
   *
   * in `DEPTH_LEVELS` equal parts, `impact` ticks apart. Without volume there is no depth.
   */
  moveTo(price: number, volume: number): void {
    const ticks = this.#toTicks(price);
    if (ticks !== this.#lastTicks) this.#atAsk = ticks > this.#lastTicks;
    this.#last = price;
    this.#lastTicks = ticks;
    const lots = this.#depthOf(volume);
    if (lots === 0 && volume > 0) this.#sizesLost++;
    this.#now.moveLast(ticks);
    this.#reach(ticks, ticks);
    if (this.#keepsSteps) this.#steps.write(HOUSE_STEP.last, ticks, 0, 0);
    if (lots === 0) this.#clear();
    else this.#quote(lots, this.#impact === 0 ? 1 : DEPTH_LEVELS);
  }

  /**
   * Whether the points of a path may be passed by `passPoints`: the mark is the last price, and no price is refused.
   * Gives the path its last prices, and how far the house reaches on its way.
   */
  canPass(path: BarPath): boolean {
    if (this.prices.isFundingDue || this.prices.isRecorded) return false;
    const { count, marks, lasts } = path;
    const tickSize = this.#tickSize;
    let low = Number.POSITIVE_INFINITY;
    let high = 0;
    for (let at = 0; at < count; at++) {
      const mark = marks[at]!;
      const ticks = Math.round(mark / tickSize);
      if (mark > this.#priceMost || ticks < 1 || ticks > TICKS_MOST) return false;
      lasts[at] = ticks * tickSize;
      if (ticks < low) low = ticks;
      if (ticks > high) high = ticks;
    }
    const beyond = this.#spread + (DEPTH_LEVELS - 1) * this.#impact;
    path.lowTicks = Math.min(this.#lowTicks, low - beyond);
    path.highTicks = Math.max(this.#highTicks, high + beyond);
    path.lowPrice = Math.min(this.lowPrice, path.lowTicks * tickSize);
    path.highPrice = Math.max(this.highPrice, path.highTicks * tickSize);
    return true;
  }

  /** Passes the first points of a path in one step, each an instant without a block. */
  passPoints({ marks, lasts, volumes }: BarPath, points: number): void {
    const tickSize = this.#tickSize;
    let before = this.#lastTicks * tickSize;
    let isRise = this.#atAsk;
    let rounded = 0;
    let lots = 0;
    for (let at = 0; at < points; at++) {
      // `canPass` has found that the book holds them.
      const price = lasts[at]!;
      if (price !== marks[at]) rounded++;
      if (price !== before) isRise = price > before;
      before = price;
      const volume = volumes[at]!;
      lots = this.#depthOf(volume);
      if (lots === 0 && volume > 0) this.#sizesLost++;
    }
    const last = marks[points - 1]!;
    const ticks = Math.round(last / tickSize);
    this.#pricesRounded += rounded;
    this.#atAsk = isRise;
    this.#last = last;
    this.#lastTicks = ticks;
    // A later quote replaces an earlier one.
    this.#now.moveLast(ticks);
    if (lots === 0) this.#clear();
    else this.#quote(lots, this.#impact === 0 ? 1 : DEPTH_LEVELS);
    this.prices.followLast(last, points);
    this.pass();
  }

  /** The data has a gap: no order trades in it. */
  withdraw(): void {
    this.#gaps++;
    this.#clear();
  }

  /** Depth after the block's trades: the last trade's size on both sides, its price on the side of that trade. */
  finishTrades(): void {
    if (!this.#traded) return;
    this.#traded = false;
    if (this.#lastLots > 0) this.#quote(this.#lastLots, 1);
  }

  /**
   * Ends an instant: computes the reports of its block.
   *
   * @param staleMs age from which a recorded value is not taken any more; at least an hour
   */
  endInstant(timeMs: number, staleMs: number): void {
    this.finishTrades();
    if (this.book !== undefined) this.#endBook(this.book);
    this.prices.endInstant(this.#last, timeMs, staleMs);
  }

  /**
   * The value that replaces a mark in a market with a book: the price between its best bid and best ask, or the last
   * such price.
   */
  #endBook(book: BookFlow): void {
    book.endInstant();
    const { middle2 } = book.book;
    if (middle2 > 0) this.#last = Math.floor((middle2 * this.#tickSize) / 2);
  }

  /** No block is made at this instant. */
  pass(): void {
    this.book?.pass();
    this.#now.price = this.prices.indexNow;
    this.#now.mark = this.prices.markNow;
    this.#passed.follow(this.#now);
    this.#now.settle();
    this.#steps.reset();
    this.#quoted = this.#now.quoted;
    this.#bidTicks = this.#now.bidTicks;
    this.#beginReach();
  }

  /**
   * Puts the oracle update of a block at the instant that was passed last into `prices.update`.
   *
   * @returns whether there is something to report
   */
  takePassedUpdate(timeMs: number): boolean {
    return this.prices.takePassedUpdate(timeMs, this.#passed.price, this.#passed.mark);
  }

  /**
   * The house's steps of this instant's block; empty where it does nothing.
   *
   * @param isReached an order of the account may trade or lose its turn in them: they are every step of the instant.
   *                  Otherwise they are where those lead
   */
  takeSteps(isReached: boolean): Uint8Array {
    const now = this.#now;
    if (!isReached || !this.#keepsSteps) {
      this.#steps.reset();
      now.addDue(this.#passed);
      this.#lead(now, this.#steps);
    }
    this.#passed.settle();
    now.settle();
    this.#sentQuoted = now.quoted;
    this.#sentBid = now.bidTicks;
    this.#quoted = now.quoted;
    this.#bidTicks = now.bidTicks;
    this.#beginReach();
    return this.#steps.take();
  }

  /** As `takeSteps`, of a market with a book: one flow or several. */
  takeFlows(isReached: boolean, reach?: BookReach): Uint8Array[] {
    const now = this.#now;
    const isPrinted = isReached && this.#keepsSteps;
    now.addDue(this.#passed);
    const flows = this.book!.takeFlows(isPrinted, isPrinted || !now.isLastDue ? 0 : now.lastTicks, reach);
    this.#passed.settle();
    now.settle();
    return flows;
  }

  /** As `takePassedSteps`, of a market with a book. */
  takePassedFlows(): Uint8Array[] {
    const passed = this.#passed;
    const flows = this.book!.takePassedFlows(passed.isLastDue ? passed.lastTicks : 0);
    passed.settle();
    return flows;
  }

  findBookBest(side: "buy" | "sell"): number | undefined {
    return this.book === undefined || this.book.isWhole ? undefined : this.book.findBest(side === "buy");
  }

  listBookLevels(side: "buy" | "sell", most: number): HouseLevel[] | undefined {
    return this.book === undefined || this.book.isWhole ? undefined : this.book.listLevels(side === "buy", most);
  }

  /** The house's steps of a block at the instant that was passed last. */
  takePassedSteps(): Uint8Array {
    const passed = this.#passed;
    this.#lead(passed, this.#leadingSteps);
    passed.settle();
    this.#sentQuoted = passed.quoted;
    this.#sentBid = passed.bidTicks;
    return this.#leadingSteps.take();
  }

  /** The shortest steps from the venue's state to a state of the house. */
  #lead(state: HouseState, steps: StepWriter): void {
    const { isLastDue, isQuoteDue, quoted, lastTicks, bidTicks, lots, levels, atAsk } = state;
    if (isLastDue) steps.write(HOUSE_STEP.last, lastTicks, 0, 0);
    if (!isQuoteDue) return;
    if (quoted) {
      const askFirst = this.#movesAskFirst(bidTicks, atAsk, this.#sentQuoted, this.#sentBid);
      steps.quoteBoth(bidTicks, bidTicks + this.#spread, lots, levels, this.#impact, askFirst);
    } else if (this.#sentQuoted) steps.clearBoth();
  }

  #quote(lots: number, levels: number): void {
    const at = this.#lastTicks;
    const bid = this.#atAsk ? at - this.#spread : at;
    if (this.#keepsSteps) {
      const askFirst = this.#movesAskFirst(bid, this.#atAsk, this.#quoted, this.#bidTicks);
      this.#steps.quoteBoth(bid, bid + this.#spread, lots, levels, this.#impact, askFirst);
    }
    this.#quoted = true;
    this.#bidTicks = bid;
    this.#now.quote(bid, lots, levels, this.#atAsk);
    this.#reachLadder();
  }

  #reach(lowTicks: number, highTicks: number): void {
    if (lowTicks < this.#lowTicks) this.#lowTicks = lowTicks;
    if (highTicks > this.#highTicks) this.#highTicks = highTicks;
  }

  #reachLadder(): void {
    const { bidTicks, levels } = this.#now;
    const depth = (levels - 1) * this.#impact;
    this.#reach(bidTicks - depth, bidTicks + this.#spread + depth);
  }

  /** The next instant begins with the state that this one left. */
  #beginReach(): void {
    this.#lowTicks = Number.POSITIVE_INFINITY;
    this.#highTicks = 0;
    if (this.#now.quoted) this.#reachLadder();
  }

  #clear(): void {
    if (this.#quoted && this.#keepsSteps) this.#steps.clearBoth();
    this.#quoted = false;
    this.#now.clear();
  }

  /**
   * The side that would meet the house's own old orders waits until they are gone. A sale can be above the last price,
   * and a purchase below it. The side of the trade does not always give the direction of a quote.
   */
  #movesAskFirst(bid: number, atAsk: boolean, wasQuoted: boolean, oldBid: number): boolean {
    if (wasQuoted && bid >= oldBid + this.#spread) return true;
    if (wasQuoted && bid + this.#spread <= oldBid) return false;
    return atAsk;
  }

  #depthOf(volume: number): number {
    // The points of a bar have one volume.
    if (volume !== this.#depthVolume) {
      this.#depthVolume = volume;
      this.#depthLots = this.#computeDepth(volume);
    }
    return this.#depthLots;
  }

  #computeDepth(volume: number): number {
    // A volume may exceed the range of `mulDivFloor`; big integers are slower and as exact.
    const unit = PPM * POINTS;
    const offered =
      volume <= Number.MAX_SAFE_INTEGER
        ? mulDivFloor(volume, this.#participation, unit)
        : Number((BigInt(volume) * BigInt(this.#participation)) / BigInt(unit));
    return Math.min(LOTS_MOST, Math.floor(offered / this.#lotSize));
  }

  #toTicks(price: number): number {
    let ticks = price / this.#tickSize;
    if (ticks !== Math.floor(ticks)) {
      this.#pricesRounded++;
      ticks = Math.round(ticks);
    }
    if (ticks >= 1 && ticks <= TICKS_MOST) return ticks;
    throw new ReplayError(
      "MARKET_IMPOSSIBLE",
      `market ${this.name}: price ${formatDecimal(price, PRICE_DECIMALS)} is ${ticks} ticks of ${formatDecimal(this.#tickSize, PRICE_DECIMALS)}; the book holds 1 to ${TICKS_MOST}`,
      { place: this.name, hint: ticks < 1 ? "choose a smaller --tick" : "choose a larger --tick" },
    );
  }
}
