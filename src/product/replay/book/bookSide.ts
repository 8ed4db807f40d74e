/** Slots of a new side. They double when they run out. */
const FIRST_SLOTS = 256;
/** No level has a price. */
export const NO_SLOT = -1;

/**
 * One side of a recorded book as a replay follows it, in ticks and lots. Prices are sorted with the best at the end,
 * because changes near the best then move little. The values of a level are in columns, at a slot that it keeps while
 * it exists.
 *
 * A level exists while it is recorded, or while the house has lots there in the venue.
 */
export class BookSide {
  /** 1 for bids, -1 for asks: a key is the price in ticks times this, so that the best key is the greatest. */
  readonly sign: 1 | -1;
  /** Sorted; the first `count` are valid. */
  keys: Int32Array = new Int32Array(FIRST_SLOTS);
  slots: Int32Array = new Int32Array(FIRST_SLOTS);
  count = 0;

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
  #free: number[] = [];
  /** Slots ever used. */
  #used = 0;

  constructor(sign: 1 | -1) {
    this.sign = sign;
  }

  /** Place of the first key that is not less. */
  findPlace(key: number): number {
    const { keys } = this;
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (keys[middle]! < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The slot of a price, NO_SLOT for none. */
  find(ticks: number): number {
    const key = ticks * this.sign;
    const place = this.findPlace(key);
    return place < this.count && this.keys[place] === key ? this.slots[place]! : NO_SLOT;
  }

  /** The slot of a price, which is made where there is none. */
  open(ticks: number): number {
    const key = ticks * this.sign;
    const place = this.findPlace(key);
    return place < this.count && this.keys[place] === key ? this.slots[place]! : this.insert(place, key);
  }

  insert(place: number, key: number): number {
    if (this.count === this.keys.length) this.#grow();
    const slot = this.#free.pop() ?? this.#used++;
    this.keys.copyWithin(place + 1, place, this.count);
    this.slots.copyWithin(place + 1, place, this.count);
    this.keys[place] = key;
    this.slots[place] = slot;
    this.count++;
    this.recorded[slot] = 0;
    this.shown[slot] = 0;
    this.held[slot] = 0;
    this.consumed[slot] = 0;
    this.traded[slot] = 0;
    this.unexplained[slot] = 0;
    this.stamp[slot] = 0;
    return slot;
  }

  /** Drops the level at a place if nothing is left of it. */
  dropIfEmpty(place: number): boolean {
    const slot = this.slots[place]!;
    if (this.recorded[slot] !== 0 || this.held[slot] !== 0) return false;
    this.#free.push(slot);
    this.keys.copyWithin(place, place + 1, this.count);
    this.slots.copyWithin(place, place + 1, this.count);
    this.count--;
    return true;
  }

  /** Drops every level of which nothing is left. */
  dropEmpty(): void {
    const { keys, slots, recorded, held } = this;
    let kept = 0;
    for (let place = 0; place < this.count; place++) {
      const slot = slots[place]!;
      if (recorded[slot] === 0 && held[slot] === 0) {
        this.#free.push(slot);
        continue;
      }
      keys[kept] = keys[place]!;
      slots[kept++] = slot;
    }
    this.count = kept;
  }

  /** Price of a place, ticks. */
  ticksAt(place: number): number {
    return this.keys[place]! * this.sign;
  }

  /** Place of the best recorded level, -1 for none. */
  findBestRecorded(): number {
    const { slots, recorded } = this;
    let place = this.count - 1;
    while (place >= 0 && recorded[slots[place]!] === 0) place--;
    return place;
  }

  /** Place of the best level that the house shows, at or worse than a place; -1 for none. */
  findShown(from: number): number {
    const { slots, shown } = this;
    let place = from;
    while (place >= 0 && shown[slots[place]!] === 0) place--;
    return place;
  }

  #grow(): void {
    const length = this.keys.length * 2;
    this.keys = grown(this.keys, new Int32Array(length));
    this.slots = grown(this.slots, new Int32Array(length));
    for (const name of COLUMNS) this[name] = grown(this[name], new Float64Array(length));
  }
}

const COLUMNS = ["recorded", "shown", "held", "consumed", "traded", "unexplained", "stamp"] as const;

function grown<A extends Int32Array | Float64Array>(from: A, to: A): A {
  to.set(from);
  return to;
}
