/** A price at which the house rests, ticks, and its lots there. */
export interface HouseLevel {
  readonly ticks: number;
  readonly lots: number;
}

/** The state of one market in history that the venue does not have yet. */
export interface PassedHouse {
  /** As of the last instant, where that has no block. The part that is due is as of the last instant in any case. */
  readonly passed: Readonly<HouseState>;
  /**
   * Levels of a side, best first; undefined where the house has quoted nothing new, so that the book of the venue has
   * them.
   */
  listPassedLevels(side: "buy" | "sell", most: number): HouseLevel[] | undefined;
  /**
   * Of a market with a recorded book: best price of a side, ticks, with the orders of all accounts; 0 for none.
   * Undefined in other markets, and where the book of the venue has every level.
   */
  findBookBest(side: "buy" | "sell"): number | undefined;
  /** Levels of a side, best first, in the same cases. */
  listBookLevels(side: "buy" | "sell", most: number): HouseLevel[] | undefined;
}

/**
 * The house's orders in one market at one instant, with the market's prices, and the part that is not in the venue yet.
 */
export class HouseState {
  // Prices and ticks start as `NaN`, which is stored as a double, so that their shape never changes.

  /** Last price, ticks; 0 before the first. */
  lastTicks = Number.NaN;
  isLastDue = false;
  /** Whether the house quotes, where it bids, and lots of each side in how many levels. */
  quoted = false;
  bidTicks = Number.NaN;
  lots = 0;
  levels = 1;
  /** Whether the last price is at the ask. */
  atAsk = false;
  isQuoteDue = false;
  /** Index and mark, 1e-8 USD; 0 before the first. */
  price = Number.NaN;
  mark = Number.NaN;

  constructor() {
    this.lastTicks = 0;
    this.bidTicks = 0;
    this.price = 0;
    this.mark = 0;
  }

  moveLast(ticks: number): void {
    this.lastTicks = ticks;
    this.isLastDue = true;
  }

  quote(bidTicks: number, lots: number, levels: number, atAsk: boolean): void {
    this.quoted = true;
    this.bidTicks = bidTicks;
    this.lots = lots;
    this.levels = levels;
    this.atAsk = atAsk;
    this.isQuoteDue = true;
  }

  clear(): void {
    this.quoted = false;
    this.isQuoteDue = true;
  }

  /**
   * Levels of a side, best first.
   *
   * @param spread ticks between bid and ask
   * @param impact ticks between levels
   */
  listLevels(side: "buy" | "sell", spread: number, impact: number, most: number): HouseLevel[] {
    const best = side === "buy" ? this.bidTicks : this.bidTicks + spread;
    if (!this.quoted || this.lots === 0 || best < 1) return [];
    const share = Math.floor(this.lots / this.levels);
    const found = [{ ticks: best, lots: this.lots - share * (this.levels - 1) }];
    for (let level = 1; share > 0 && level < this.levels; level++) {
      const ticks = best + (side === "buy" ? -level : level) * impact;
      if (ticks >= 1) found.push({ ticks, lots: share });
    }
    return found.slice(0, most);
  }

  /** Becomes a later state; the due part of this one stays due. */
  follow(later: HouseState): void {
    this.lastTicks = later.lastTicks;
    this.quoted = later.quoted;
    this.bidTicks = later.bidTicks;
    this.lots = later.lots;
    this.levels = later.levels;
    this.atAsk = later.atAsk;
    this.price = later.price;
    this.mark = later.mark;
    this.addDue(later);
  }

  /** The due part of an earlier state is due in this one. */
  addDue({ isLastDue, isQuoteDue }: HouseState): void {
    this.isLastDue ||= isLastDue;
    this.isQuoteDue ||= isQuoteDue;
  }

  /** Nothing is due: the venue has it, or a later state takes it over. */
  settle(): void {
    this.isLastDue = false;
    this.isQuoteDue = false;
  }
}
