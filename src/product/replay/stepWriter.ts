import { HOUSE_STEP, HOUSE_STEP_WIDTH } from "../../protocol/houseSteps.ts";
import { SIDE } from "../../protocol/words.ts";

/** Doubles of an arena at first, and at most unless a block needs more: 2 and 64 KiB. Many runs have few steps. */
const FIRST = 1 << 8;
const ARENA = 1 << 13;
const EMPTY = new Uint8Array(0);
const NO_ARENA: Float64Array<ArrayBuffer> = new Float64Array(0);
/** A step without a price is written with this one. */
const NO_PRICE = 1;

/**
 * Packs the steps of one market's `houseFlow`. Arenas are never written twice: a caller may keep a block without a
 * copy.
 */
export class StepWriter {
  /** Made with the first step: where bars are passed there may be none. */
  #arena = NO_ARENA;
  #start = 0;
  #at = 0;

  /** Whether steps have been written since the last `take`. */
  get isEmpty(): boolean {
    return this.#at === this.#start;
  }

  /** Forgets the steps written since the last `take`. */
  reset(): void {
    this.#at = this.#start;
  }

  write(kind: number, price: number, lots: number, side: number): void {
    if (this.#at + HOUSE_STEP_WIDTH > this.#arena.length) this.#grow();
    const arena = this.#arena;
    const at = this.#at;
    arena[at] = kind;
    arena[at + 1] = price;
    arena[at + 2] = lots;
    arena[at + 3] = side;
    this.#at = at + HOUSE_STEP_WIDTH;
  }

  /**
   * Depth on both sides around a price: best bid and best ask `spread` ticks apart, each side split evenly over
   * `levels` prices that are `impact` ticks apart (the remainder goes to the best). The side that moves away is quoted
   * first: the house never meets its own orders.
   *
   * @param bid ticks of the best bid, possibly below 1: then there is no bid
   */
  quoteBoth(bid: number, ask: number, lots: number, levels: number, impact: number, askFirst: boolean): void {
    if (askFirst) this.#quote(SIDE.sell, ask, lots, levels, impact);
    this.#quote(SIDE.buy, bid, lots, levels, impact);
    if (!askFirst) this.#quote(SIDE.sell, ask, lots, levels, impact);
  }

  /** Takes back the house's orders on both sides. */
  clearBoth(): void {
    this.write(HOUSE_STEP.clear, NO_PRICE, 0, SIDE.buy);
    this.write(HOUSE_STEP.clear, NO_PRICE, 0, SIDE.sell);
  }

  #quote(side: number, best: number, lots: number, levels: number, impact: number): void {
    if (lots === 0 || best < 1) {
      this.write(HOUSE_STEP.clear, NO_PRICE, 0, side);
      return;
    }
    const share = Math.floor(lots / levels);
    this.write(HOUSE_STEP.quote, best, lots - share * (levels - 1), side);
    if (share === 0) return;
    const away = side === SIDE.buy ? -impact : impact;
    for (let level = 1; level < levels; level++) {
      const price = best + level * away;
      if (price < 1) return;
      this.write(HOUSE_STEP.rest, price, share, side);
    }
  }

  /** The steps written since the last call, as bytes. */
  take(): Uint8Array {
    if (this.isEmpty) return EMPTY;
    const bytes = new Uint8Array(this.#arena.buffer, this.#start * 8, (this.#at - this.#start) * 8);
    this.#start = this.#at;
    return bytes;
  }

  /** Moves the unfinished steps to a new arena. */
  #grow(): void {
    const written = this.#at - this.#start;
    const next = Math.max(FIRST, Math.min(ARENA, this.#arena.length * 2));
    const arena = new Float64Array(Math.max(next, written * 4));
    arena.set(this.#arena.subarray(this.#start, this.#at));
    this.#arena = arena;
    this.#start = 0;
    this.#at = written;
  }
}
