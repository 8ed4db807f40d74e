import { BookFlag } from "../types.ts";

/** Best price of a side and the size there; both 0 where the side is empty. */
export interface Best {
  readonly price: number;
  readonly size: number;
}

/** One side of a recorded book: sizes by price. */
class Side {
  readonly #levels = new Map<number, number>();
  readonly #sign: 1 | -1;
  /** 0 for none. */
  #best = 0;
  #isBestKnown = true;

  /** @param sign 1 where the highest price is the best, -1 where the lowest is */
  constructor(sign: 1 | -1) {
    this.#sign = sign;
  }

  get levels(): number {
    return this.#levels.size;
  }

  get best(): Best {
    if (!this.#isBestKnown) this.#findBest();
    return { price: this.#best, size: this.#levels.get(this.#best) ?? 0 };
  }

  /** Prices and sizes, from the best on. */
  list(): [price: number, size: number][] {
    return [...this.#levels].sort(([a], [b]) => (b - a) * this.#sign);
  }

  clear(): void {
    this.#levels.clear();
    this.#best = 0;
    this.#isBestKnown = true;
  }

  set(price: number, size: number): void {
    if (size === 0) {
      if (this.#levels.delete(price) && price === this.#best) this.#isBestKnown = false;
      return;
    }
    this.#levels.set(price, size);
    if (this.#isBestKnown && (this.#best === 0 || (price - this.#best) * this.#sign > 0)) this.#best = price;
  }

  #findBest(): void {
    let best = 0;
    for (const price of this.#levels.keys()) if (best === 0 || (price - best) * this.#sign > 0) best = price;
    this.#best = best;
    this.#isBestKnown = true;
  }
}

/** An order book as its depth events leave it. */
export class RecordedBook {
  readonly #bids = new Side(1);
  readonly #asks = new Side(-1);

  /**
   * Takes in a depth event.
   *
   * @param side  1 bid, -1 ask
   * @param size  1e-8 base; 0 removes the level
   * @param flags `BookFlag`
   */
  apply(side: number, price: number, size: number, flags: number): void {
    if ((flags & BookFlag.first) !== 0) {
      this.#bids.clear();
      this.#asks.clear();
    }
    (side > 0 ? this.#bids : this.#asks).set(price, size);
  }

  get bid(): Best {
    return this.#bids.best;
  }

  get ask(): Best {
    return this.#asks.best;
  }

  /** Every level: bids, then asks, each from the best on. `side` is 1 for a bid, -1 for an ask. */
  *listLevels(): Generator<{ readonly side: 1 | -1; readonly price: number; readonly size: number }> {
    for (const [price, size] of this.#bids.list()) yield { side: 1, price, size };
    for (const [price, size] of this.#asks.list()) yield { side: -1, price, size };
  }

  /** Levels of both sides. */
  get levels(): number {
    return this.#bids.levels + this.#asks.levels;
  }
}
