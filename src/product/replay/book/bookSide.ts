import { FIRST_SLOTS, NO_SLOT, PriceLadder } from "./priceLadder.ts";

/** Empty levels that stay at most, unless there are twice as many levels. */
const LEFT_MOST = 1_024;

/**
 * One side of a recorded book as a replay follows it, in ticks and lots. The values of a level are in columns, at its
 * slot of the ladder.
 *
 * A level exists while it is recorded, or while the house has lots there in the venue.
 */
export class BookSide extends PriceLadder {
  /** By slot: lots as recorded. */
  recorded: Float64Array = new Float64Array(FIRST_SLOTS);
  /** Lots that the house shows: as recorded, less what strategies and later trades have taken. */
  shown: Float64Array = new Float64Array(FIRST_SLOTS);
  /** Lots that the house has in the venue. */
  held: Float64Array = new Float64Array(FIRST_SLOTS);
  /** Lots that strategies have taken since the level was recorded last. */
  consumed: Float64Array = new Float64Array(FIRST_SLOTS);
  /** Lots of the trades at this price since the level was recorded last. */
  traded: Float64Array = new Float64Array(FIRST_SLOTS);
  /** Lots by which its last update made it smaller without a trade before it; negative where it grew. */
  unexplained: Float64Array = new Float64Array(FIRST_SLOTS);
  /** Number of its last row. */
  stamp: Float64Array = new Float64Array(FIRST_SLOTS);

  override get bytes(): number {
    return super.bytes + COLUMNS.length * this.stamp.byteLength;
  }

  /** Levels that were left empty since all of these were dropped. */
  #left = 0;

  override clear(): void {
    super.clear();
    this.#left = 0;
  }

  /** The slot of a price, which is made where there is none. */
  open(ticks: number): number {
    const slot = this.find(ticks);
    return slot === NO_SLOT ? this.insert(ticks) : slot;
  }

  /** The slot of a new level, whose values are 0. */
  insert(ticks: number): number {
    const slot = this.add(ticks);
    if (slot >= this.stamp.length) this.#grow();
    this.recorded[slot] = 0;
    this.shown[slot] = 0;
    this.held[slot] = 0;
    this.consumed[slot] = 0;
    this.traded[slot] = 0;
    this.unexplained[slot] = 0;
    this.stamp[slot] = 0;
    return slot;
  }

  /**
   * The level of a slot is not recorded any more. It stays while it is worse than the best price: most come back soon.
   */
  leave(slot: number): void {
    if (slot === this.best) {
      // Walks begin at the best price.
      while (this.best !== NO_SLOT && this.#isEmpty(this.best)) this.drop(this.best);
    } else if (++this.#left > LEFT_MOST && this.#left > this.count >> 1) this.dropEmpty();
  }

  #isEmpty(slot: number): boolean {
    return this.recorded[slot] === 0 && this.held[slot] === 0;
  }

  /** Drops the level of a slot if nothing is left of it. */
  dropIfEmpty(slot: number): void {
    if (this.#isEmpty(slot)) this.drop(slot);
  }

  /** Drops every level of which nothing is left. */
  dropEmpty(): void {
    this.#left = 0;
    for (let slot = this.best; slot !== NO_SLOT; ) {
      const next = this.worse[slot]!;
      this.dropIfEmpty(slot);
      slot = next;
    }
  }

  /** Slot of the best recorded level, NO_SLOT for none. */
  findBestRecorded(): number {
    const { recorded, worse } = this;
    let slot = this.best;
    while (slot !== NO_SLOT && recorded[slot] === 0) slot = worse[slot]!;
    return slot;
  }

  /** Slot of the best level that the house shows, NO_SLOT for none. */
  findBestShown(): number {
    return this.#findShown(this.best);
  }

  /** Slot of the next level after one that the house shows, NO_SLOT for none. */
  findNextShown(slot: number): number {
    return this.#findShown(this.worse[slot]!);
  }

  #findShown(from: number): number {
    const { shown, worse } = this;
    let slot = from;
    while (slot !== NO_SLOT && shown[slot] === 0) slot = worse[slot]!;
    return slot;
  }

  #grow(): void {
    for (const name of COLUMNS) this[name] = grown(this[name], this.ticks.length);
  }
}

const COLUMNS = ["recorded", "shown", "held", "consumed", "traded", "unexplained", "stamp"] as const;

function grown(from: Float64Array, length: number): Float64Array {
  const to = new Float64Array(length);
  to.set(from);
  return to;
}
