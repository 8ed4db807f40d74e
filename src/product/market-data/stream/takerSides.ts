import type { EventBatch } from "./eventBatch.ts";

/** Trades below which a single side is no finding. */
const TRADES_LEAST = 100;

/** Finds out whether takers of both sides traded: some recorders write one word in every row. */
export class TakerSides {
  #first = 0;
  #count = 0;
  #isTwoSided = false;
  #source = 0;
  #line = 0;

  /** Rows begin .. end - 1 of trades. */
  add({ side, source, line }: EventBatch, begin: number, end: number): void {
    if (this.#isTwoSided || side.length === 0) return;
    for (let row = begin; row < end; row++) {
      const taker = side[row]!;
      if (taker === 0) continue;
      if (this.#first === 0) {
        this.#first = taker;
        this.#source = source;
        this.#line = line[row]!;
      }
      this.#isTwoSided = taker !== this.#first;
      if (this.#isTwoSided) return;
      this.#count++;
    }
  }

  /** Where the first trade is, and how many there are; `undefined` if both sides traded, or too few trades. */
  get oneSided():
    | { readonly side: string; readonly trades: number; readonly source: number; readonly line: number }
    | undefined {
    if (this.#isTwoSided || this.#count < TRADES_LEAST) return undefined;
    return { side: this.#first > 0 ? "buy" : "sell", trades: this.#count, source: this.#source, line: this.#line };
  }
}
