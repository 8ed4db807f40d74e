import type { Bar } from "./facts.ts";
import { fromE8 } from "./units.ts";

interface Candle {
  readonly open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

/** The incomplete bars of markets, by place. Prices and sizes are in 1e-8 units, so that a volume is an exact sum. */
export class Candles {
  readonly #names: readonly string[];
  readonly #open: (Candle | undefined)[];

  /** @param names of the markets */
  constructor(names: readonly string[]) {
    this.#names = names;
    this.#open = names.map(() => undefined);
  }

  add(market: number, price: number, size: number): void {
    const candle = this.#open[market];
    if (candle === undefined) {
      this.#open[market] = { open: price, high: price, low: price, close: price, volume: size };
      return;
    }
    candle.high = Math.max(candle.high, price);
    candle.low = Math.min(candle.low, price);
    candle.close = price;
    candle.volume += size;
  }

  /** Completes the bar of a market; undefined if it had no price. */
  take(market: number, openTimeMs: number, closeTimeMs: number): Bar | undefined {
    const candle = this.#open[market];
    if (candle === undefined) return undefined;
    this.#open[market] = undefined;
    return {
      market: this.#names[market]!,
      openTimeMs,
      closeTimeMs,
      open: fromE8(candle.open),
      high: fromE8(candle.high),
      low: fromE8(candle.low),
      close: fromE8(candle.close),
      volume: fromE8(candle.volume),
    };
  }
}
