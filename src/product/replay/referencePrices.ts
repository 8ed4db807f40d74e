import { formatDecimal } from "../../ground/math/decimal.ts";
import { PRICE_DECIMALS } from "../../ground/math/fixed.ts";
import { ReplayError } from "./errors.ts";

/**
 * A recorded mark or index holds until the next; one older than this, or than a bar, is no longer taken for current.
 */
const STALE_MS = 3_600_000;
/** An oracle update is repeated after this long, so that a quiet market is not taken for one without prices. */
const REPEAT_MS = 30_000;

/** The rules of a market in the venue that its reference prices need. */
export interface PricedMarket {
  readonly name: string;
  /** Highest reference price that the venue takes, 1e-8 USD. */
  readonly priceMost: number;
  /**
   * The market takes a reported mark, and a reported funding rate. Values that it computes itself may not be reported
   * (ACT-3).
   */
  readonly takesMark: boolean;
  readonly takesRate: boolean;
}

/** Values of an oracle update: 1e-8 USD, and the rate in parts per billion. */
export interface OracleValues {
  price: number;
  mark: number;
  rate: number;
  settle: boolean;
}

/**
 * Index, mark and funding rates of one market, as recorded or from its last price, and what of them is reported to the
 * venue.
 */
export class ReferencePrices {
  readonly hasMark: boolean;
  readonly hasIndex: boolean;
  readonly #market: string;
  readonly #priceMost: number;
  readonly #takesMark: boolean;
  readonly #takesRate: boolean;
  // Prices start as `NaN`, which is stored as a double, so that their shape never changes.

  // Recorded values, 1e-8 USD; 0 before the first.
  #mark = Number.NaN;
  #markMs = Number.NEGATIVE_INFINITY;
  #markSeen = false;
  #index = Number.NaN;
  #indexMs = Number.NEGATIVE_INFINITY;
  #indexSeen = false;

  // Values of this instant, 1e-8 USD; 0 before the first.
  #priceNow = Number.NaN;
  #markNow = Number.NaN;
  /** Whether this instant has them, and not only an earlier one. */
  #isKnown = false;
  #rate = Number.NaN;
  #settle = false;

  // What the venue has.
  #sentPrice = Number.NaN;
  #sentMark = Number.NaN;
  #sentMs = Number.NEGATIVE_INFINITY;

  /** What `takeUpdate` or `takePassedUpdate` has found last. One object: a block must not cost one of its own. */
  readonly update: OracleValues = { price: Number.NaN, mark: Number.NaN, rate: Number.NaN, settle: false };

  #markInstants = 0;
  #fundingRates = 0;
  #markMissing = 0;
  #indexMissing = 0;

  constructor(
    { name, priceMost, takesMark, takesRate }: PricedMarket,
    recorded: { readonly mark: boolean; readonly index: boolean },
  ) {
    this.hasMark = recorded.mark;
    this.hasIndex = recorded.index;
    this.#market = name;
    this.#priceMost = priceMost;
    this.#takesMark = takesMark;
    this.#takesRate = takesRate;
    this.#mark = 0;
    this.#index = 0;
    this.#priceNow = 0;
    this.#markNow = 0;
    this.#rate = 0;
    this.#sentPrice = 0;
    this.#sentMark = 0;
  }

  /** The index that a block of this instant gives the market, 1e-8 USD; 0 before the first. */
  get indexNow(): number {
    return this.#priceNow;
  }

  /** The mark that a block of this instant gives the market, 1e-8 USD; 0 before the first. */
  get markNow(): number {
    return this.#markNow;
  }

  /** Whether a mark or an index was recorded at all: otherwise both are the last price. */
  get isRecorded(): boolean {
    return this.#markSeen || this.#indexSeen || this.hasMark || this.hasIndex;
  }

  /** Prices of which each may be the mark of a later instant before another row comes, 1e-8 USD; 0 for none. */
  listHeld(): number[] {
    return [this.#markNow, this.#mark, this.#index];
  }

  /** Most that a position may pay in this instant's funding, as a share of its notional at the mark. */
  get fundingShare(): number {
    if (!this.isSettling) return 0;
    return (Math.abs(this.#rate) / 1e9) * Math.max(1, this.#priceNow / this.#markNow);
  }

  /** A funding rate is to be settled, which only a block does. */
  get isSettling(): boolean {
    return this.#settle && this.#isKnown;
  }

  /** A funding rate is to be settled in the next instant that has a mark, or in this one. */
  get isFundingDue(): boolean {
    return this.#settle;
  }

  /** Instants at which the market had a mark. */
  get markInstants(): number {
    return this.#markInstants;
  }

  /** Funding rates that were settled. */
  get fundingRates(): number {
    return this.#fundingRates;
  }

  /** Instants that used the last price instead of a recorded mark that was missing or too old. */
  get markMissing(): number {
    return this.#markMissing;
  }

  /** The same for the index. */
  get indexMissing(): number {
    return this.#indexMissing;
  }

  setMark(price: number, timeMs: number): void {
    this.#mark = price;
    this.#markMs = timeMs;
    this.#markSeen = true;
  }

  setIndex(price: number, timeMs: number): void {
    this.#index = price;
    this.#indexMs = timeMs;
    this.#indexSeen = true;
  }

  /** Two rates that fall into one block are settled as their sum. */
  addFunding(rate: number): void {
    this.#rate += rate;
    this.#settle = true;
  }

  /**
   * Computes the values of an instant.
   *
   * @param last    last price, 1e-8 USD, in place of what is not recorded; 0 for none
   * @param staleMs age from which a recorded value is not taken any more; at least an hour
   */
  endInstant(last: number, timeMs: number, staleMs: number): void {
    if (this.isRecorded) this.#compute(last, timeMs - Math.max(STALE_MS, staleMs));
    else this.#set(last, last);
  }

  /** The values after some instants of a market without a recorded mark or index: the last price of each. */
  followLast(last: number, instants: number): void {
    this.#isKnown = true;
    this.#markInstants += instants;
    this.#priceNow = last;
    this.#markNow = last;
  }

  #compute(last: number, stale: number): void {
    let mark = this.#mark;
    if (!this.#markSeen || this.#markMs < stale) {
      mark = last;
      if (this.hasMark && mark !== 0) this.#markMissing++;
    }
    let price = this.#index;
    if (!this.#indexSeen || this.#indexMs < stale) {
      price = mark;
      if (this.hasIndex && mark !== 0) this.#indexMissing++;
    }
    if (price === 0) price = mark;
    if (mark === 0) mark = price;
    this.#set(price, mark);
  }

  #set(price: number, mark: number): void {
    this.#isKnown = mark !== 0;
    if (mark === 0) return;
    this.#markInstants++;
    if (price > this.#priceMost || mark > this.#priceMost) throw this.#tooHigh(Math.max(price, mark));
    this.#priceNow = price;
    this.#markNow = mark;
  }

  /**
   * Puts the oracle update of this instant's block into `update`.
   *
   * @returns whether there is something to report
   */
  takeUpdate(timeMs: number): boolean {
    const settles = this.isSettling && this.#takesRate;
    if (!this.#report(timeMs, this.#priceNow, this.#markNow, settles)) return false;
    if (settles) this.#fundingRates++;
    this.#rate = 0;
    this.#settle = false;
    return true;
  }

  /** As `takeUpdate`, of a block at an instant that was passed, with the values of that instant. */
  takePassedUpdate(timeMs: number, price: number, mark: number): boolean {
    return this.#report(timeMs, price, mark, false);
  }

  #report(timeMs: number, price: number, mark: number, settle: boolean): boolean {
    if (mark === 0) return false;
    const isSame = price === this.#sentPrice && mark === this.#sentMark;
    if (isSame && !settle && (!this.#isKnown || timeMs - this.#sentMs < REPEAT_MS)) return false;
    const { update } = this;
    update.price = price;
    update.mark = this.#takesMark ? mark : 0;
    update.rate = settle ? this.#rate : 0;
    update.settle = settle;
    this.#sentPrice = price;
    this.#sentMark = mark;
    this.#sentMs = timeMs;
    return true;
  }

  #tooHigh(price: number): ReplayError {
    const most = formatDecimal(this.#priceMost, PRICE_DECIMALS);
    return new ReplayError(
      "MARKET_IMPOSSIBLE",
      `market ${this.#market}: price ${formatDecimal(price, PRICE_DECIMALS)} is above ${most}, the highest at which its largest position is still exact`,
      { place: this.#market, hint: "lower the largest position, as in --set positionLimit=10 --set maxSize=10" },
    );
  }
}
