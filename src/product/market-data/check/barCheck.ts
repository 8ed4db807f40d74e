import { Comparison, type ComparisonResult } from "./comparison.ts";

/** A bar that is being built. */
interface Bar {
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

/** Longer bars do not all begin at multiples of their length since 1970. */
const LENGTH_MOST_MS = 86_400_000;

/**
 * Builds one market's bars from its trades, and compares the recorded bars with them. A bar is compared if the recorded
 * trades begin before its open. A bar without trades has no volume and is not compared.
 */
export class BarCheck {
  readonly #bars = new Comparison();
  readonly #intervalMs: number;
  /** Bars under way or waiting for the recorded one, by open. */
  readonly #built = new Map<number, Bar>();
  #firstTradeMs = Number.POSITIVE_INFINITY;

  /** @param intervalMs length of the market's bars */
  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  addTrade(timeMs: number, price: number, size: number): void {
    if (this.#intervalMs > LENGTH_MOST_MS) return;
    if (timeMs < this.#firstTradeMs) this.#firstTradeMs = timeMs;
    const openMs = Math.floor(timeMs / this.#intervalMs) * this.#intervalMs;
    const bar = this.#built.get(openMs);
    if (bar === undefined) {
      this.#built.set(openMs, { open: price, high: price, low: price, close: price, volume: size });
      return;
    }
    bar.high = Math.max(bar.high, price);
    bar.low = Math.min(bar.low, price);
    bar.close = price;
    bar.volume += size;
  }

  /** @param timeMs close of the bar */
  addBar(timeMs: number, recorded: Bar): void {
    const openMs = timeMs - this.#intervalMs;
    const built = this.#built.get(openMs);
    this.#built.delete(openMs);
    if (built === undefined || openMs < this.#firstTradeMs) return;
    const names = ["open", "high", "low", "close", "volume"] as const;
    const differs = names.find((name) => built[name] !== recorded[name]);
    this.#bars.add(differs && { timeMs: openMs, what: differs, recorded: recorded[differs], rebuilt: built[differs] });
  }

  get result(): ComparisonResult {
    return this.#bars.result;
  }
}
