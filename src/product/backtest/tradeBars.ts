import { Candles } from "../../client/strategy/candles.ts";
import type { Bar } from "../../client/strategy/facts.ts";

/** Length of bars that are made of trades, unless a run asks for another. */
export const TRADE_BAR_MS = 60_000;

const NO_BARS: readonly Bar[] = [];

/**
 * Makes bars of recorded trades, in markets that have no recorded bars. A bar covers [open, close), both whole
 * multiples of its length since 1970, and is complete at its close. An interval without a trade has no bar.
 */
export class TradeBars {
  readonly #isMade: readonly boolean[];
  readonly #barMs: number;
  readonly #candles: Candles;
  #closeMs = Number.POSITIVE_INFINITY;

  /**
   * @param names  of the markets
   * @param isMade by market: whether its bars are made here
   */
  constructor(names: readonly string[], isMade: readonly boolean[], barMs: number) {
    this.#candles = new Candles(names);
    this.#isMade = isMade;
    this.#barMs = barMs;
  }

  /** The bars that are complete at a time, by market. Call it before the trades of that time are added. */
  advance(timeMs: number): readonly Bar[] {
    if (timeMs < this.#closeMs) return NO_BARS;
    const closeTimeMs = this.#closeMs;
    this.#closeMs = Number.POSITIVE_INFINITY;
    return this.#isMade.flatMap(
      (_, market) => this.#candles.take(market, closeTimeMs - this.#barMs, closeTimeMs) ?? [],
    );
  }

  /** Adds a trade, whose time `advance` has seen. */
  add(market: number, timeMs: number, price: number, size: number): void {
    if (!this.#isMade[market]) return;
    this.#candles.add(market, price, size);
    if (this.#closeMs === Number.POSITIVE_INFINITY)
      this.#closeMs = (Math.floor(timeMs / this.#barMs) + 1) * this.#barMs;
  }
}
