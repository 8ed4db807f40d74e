import type { Bar } from "../../client/strategy/facts.ts";
import { fromE8 } from "../../client/strategy/units.ts";

/** Length of bars that are made of trades, unless a run asks for another. */
export const TRADE_BAR_MS = 60_000;

interface Candle {
  readonly market: number;
  readonly openTimeMs: number;
  /** 1e-8 USD, and 1e-8 base for the volume. */
  readonly open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

/**
 * Makes bars of recorded trades, in markets that have no recorded bars. A bar covers [open, close), both whole multiples of
 * its length since 1970, and is complete at its close. An interval without a trade has no bar.
 */
export class TradeBars {
  readonly #names: readonly string[];
  readonly #isMade: readonly boolean[];
  readonly #barMs: number;
  readonly #open = new Map<number, Candle>();
  #closeMs = Number.POSITIVE_INFINITY;

  /**
   * @param names  of the markets
   * @param isMade by market: whether its bars are made here
   */
  constructor(names: readonly string[], isMade: readonly boolean[], barMs: number) {
    this.#names = names;
    this.#isMade = isMade;
    this.#barMs = barMs;
  }

  /** The bars that are complete at a time, by market. Call it before the trades of that time are added. */
  advance(timeMs: number): Bar[] {
    if (timeMs < this.#closeMs) return [];
    const closeTimeMs = this.#closeMs;
    this.#closeMs = Number.POSITIVE_INFINITY;
    const candles = [...this.#open.values()].sort((a, b) => a.market - b.market);
    this.#open.clear();
    return candles.map(({ market, openTimeMs, open, high, low, close, volume }) => ({
      market: this.#names[market]!,
      openTimeMs,
      closeTimeMs,
      open: fromE8(open),
      high: fromE8(high),
      low: fromE8(low),
      close: fromE8(close),
      volume: fromE8(volume),
    }));
  }

  /** Adds a trade, whose time `advance` has seen. */
  add(market: number, timeMs: number, price: number, size: number): void {
    if (!this.#isMade[market]) return;
    const candle = this.#open.get(market);
    if (candle === undefined) {
      const openTimeMs = Math.floor(timeMs / this.#barMs) * this.#barMs;
      this.#closeMs = openTimeMs + this.#barMs;
      this.#open.set(market, { market, openTimeMs, open: price, high: price, low: price, close: price, volume: size });
      return;
    }
    candle.high = Math.max(candle.high, price);
    candle.low = Math.min(candle.low, price);
    candle.close = price;
    candle.volume += size;
  }
}
