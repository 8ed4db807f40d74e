/** No level has a price. */
export const NO_SLOT = -1;

/** Slots of a new ladder. A small one has four times as many when they run out, a large one twice. */
export const FIRST_SLOTS = 256;
const SMALL_SLOTS = 4_096;
/** The same of pages. */
const FIRST_PAGES = 16;
const SMALL_PAGES = 256;
/**
 * Prices in a page. A page is made when a price in it is first used, and given back when its last price goes. Far from
 * the best price most pages have one price: larger pages would take more memory, smaller ones a longer directory.
 */
const PAGE_BITS = 7;
const PAGE = 1 << PAGE_BITS;
const PAGE_MASK = PAGE - 1;
/** 32-bit words of the bitmap of a page. */
const WORDS = PAGE / 32;
/** Nothing is ever in this page: it is the page of prices that have none. */
const EMPTY_PAGE = 0;
/** Entries of the directory that a price may add beyond those that are needed. */
const SPARE = 32;

/**
 * Prices of one side of a book, in ticks, from the best to the worst. Each has a slot that it keeps while it is there.
 *
 * Pages have the slots by price. A linked list has them in their order. Bitmaps find the neighbour of a new price. So
 * a price is found, added and dropped at a cost that does not depend on how many there are, but for the pages between a
 * new price and its better neighbour.
 */
export class PriceLadder {
  /** 1 for bids, -1 for asks: a key is the price times this, so that the best key is the greatest. */
  readonly sign: 1 | -1;
  /** Prices that are there. */
  count = 0;
  /** Slot of the best price, NO_SLOT for none. */
  best: number = NO_SLOT;
  /** By slot: the price, and the slot of the next worse one, NO_SLOT after the worst. */
  ticks: Int32Array = new Int32Array(FIRST_SLOTS);
  worse: Int32Array = new Int32Array(FIRST_SLOTS);
  #better: Int32Array = new Int32Array(FIRST_SLOTS);
  #worst: number = NO_SLOT;
  /** Slots that were given back, and those ever used. */
  readonly #free: number[] = [];
  #used = 0;
  /** Pages by key, from that of the first entry on. */
  #directory: Int32Array = new Int32Array(0);
  #firstEntry = 0;
  /** By page and offset: slots. By page: a bitmap of the offsets in use, and how many are. */
  #slots: Int32Array = new Int32Array(FIRST_PAGES * PAGE).fill(NO_SLOT);
  #bits: Int32Array = new Int32Array(FIRST_PAGES * WORDS);
  #inPage: Int32Array = new Int32Array(FIRST_PAGES);
  #pages = 1;
  readonly #freePages: number[] = [];

  constructor(sign: 1 | -1) {
    this.sign = sign;
  }

  /** The slot of a price, NO_SLOT for none. */
  find(ticks: number): number {
    const key = ticks * this.sign;
    const entry = (key >> PAGE_BITS) - this.#firstEntry;
    if (entry < 0 || entry >= this.#directory.length) return NO_SLOT;
    return this.#slots[(this.#directory[entry]! << PAGE_BITS) | (key & PAGE_MASK)]!;
  }

  /** Whether the price of a slot is better than another, in ticks. */
  isBetter(slot: number, ticks: number): boolean {
    return this.ticks[slot]! * this.sign > ticks * this.sign;
  }

  isWorse(slot: number, ticks: number): boolean {
    return this.ticks[slot]! * this.sign < ticks * this.sign;
  }

  /** Of all its arrays. */
  get bytes(): number {
    const ofSlots = this.ticks.byteLength + this.worse.byteLength + this.#better.byteLength;
    const ofPages = this.#slots.byteLength + this.#bits.byteLength + this.#inPage.byteLength;
    return ofSlots + ofPages + this.#directory.byteLength;
  }

  /** Drops every price. The room stays. */
  clear(): void {
    this.count = 0;
    this.best = NO_SLOT;
    this.#worst = NO_SLOT;
    this.#free.length = 0;
    this.#used = 0;
    this.#directory.fill(EMPTY_PAGE);
    this.#slots.fill(NO_SLOT);
    this.#bits.fill(0);
    this.#inPage.fill(0);
    this.#pages = 1;
    this.#freePages.length = 0;
  }

  /** Adds a price that is not there, and returns its slot. */
  add(ticks: number): number {
    const key = ticks * this.sign;
    const better = this.#findBetter(key);
    const slot = this.#free.pop() ?? this.#takeSlot();
    const next = better === NO_SLOT ? this.best : this.worse[better]!;
    this.ticks[slot] = ticks;
    this.worse[slot] = next;
    this.#better[slot] = better;
    if (better === NO_SLOT) this.best = slot;
    else this.worse[better] = slot;
    if (next === NO_SLOT) this.#worst = slot;
    else this.#better[next] = slot;
    const page = this.#openPage(key >> PAGE_BITS);
    const offset = key & PAGE_MASK;
    this.#slots[(page << PAGE_BITS) | offset] = slot;
    this.#bits[page * WORDS + (offset >> 5)]! |= 1 << (offset & 31);
    this.#inPage[page]!++;
    this.count++;
    return slot;
  }

  /** Drops the price of a slot. The slot may be that of another price later. */
  drop(slot: number): void {
    const better = this.#better[slot]!;
    const next = this.worse[slot]!;
    if (better === NO_SLOT) this.best = next;
    else this.worse[better] = next;
    if (next === NO_SLOT) this.#worst = better;
    else this.#better[next] = better;
    const key = this.ticks[slot]! * this.sign;
    const entry = (key >> PAGE_BITS) - this.#firstEntry;
    const page = this.#directory[entry]!;
    const offset = key & PAGE_MASK;
    this.#slots[(page << PAGE_BITS) | offset] = NO_SLOT;
    this.#bits[page * WORDS + (offset >> 5)]! &= ~(1 << (offset & 31));
    if (--this.#inPage[page]! === 0) {
      this.#directory[entry] = EMPTY_PAGE;
      this.#freePages.push(page);
    }
    this.#free.push(slot);
    this.count--;
  }

  /** Slot of the next better price than that of a key, NO_SLOT for none. */
  #findBetter(key: number): number {
    const { best, sign } = this;
    if (best === NO_SLOT || key > this.ticks[best]! * sign) return NO_SLOT;
    // A snapshot comes from the best price to the worst.
    if (key < this.ticks[this.#worst]! * sign) return this.#worst;
    let entry = (key >> PAGE_BITS) - this.#firstEntry;
    let found = this.#scan(this.#directory[entry]!, key & PAGE_MASK);
    while (found === NO_SLOT) {
      entry++;
      while (this.#directory[entry] === EMPTY_PAGE) entry++;
      found = this.#scan(this.#directory[entry]!, 0);
    }
    return found;
  }

  /** Slot of the lowest key in use of a page, at or above an offset; NO_SLOT for none. */
  #scan(page: number, offset: number): number {
    const bits = this.#bits;
    const start = page * WORDS;
    let word = offset >> 5;
    let found = bits[start + word]! & (-1 << (offset & 31));
    while (found === 0) {
      if (++word === WORDS) return NO_SLOT;
      found = bits[start + word]!;
    }
    return this.#slots[(page << PAGE_BITS) | (word << 5) | (31 - Math.clz32(found & -found))]!;
  }

  #takeSlot(): number {
    if (this.#used === this.ticks.length) {
      const room = this.#used * (this.#used < SMALL_SLOTS ? 4 : 2);
      this.ticks = grow(this.ticks, room);
      this.worse = grow(this.worse, room);
      this.#better = grow(this.#better, room);
    }
    return this.#used++;
  }

  /** The page of an entry that counts from 0, which is made where there is none. */
  #openPage(number: number): number {
    let entry = number - this.#firstEntry;
    if (entry < 0 || entry >= this.#directory.length) {
      this.#growDirectory(number);
      entry = number - this.#firstEntry;
    }
    const page = this.#directory[entry]!;
    if (page !== EMPTY_PAGE) return page;
    const made = this.#freePages.pop() ?? this.#makePage();
    this.#directory[entry] = made;
    return made;
  }

  #growDirectory(number: number): void {
    const { length } = this.#directory;
    if (this.count === 0 && length > 0) {
      // No price has a page.
      this.#firstEntry = number - (length >> 1);
      return;
    }
    const from = length === 0 ? number : this.#firstEntry;
    const room = length + SPARE;
    const first = number < from ? Math.min(number, from - room) : from;
    const end = number < from ? from + length : Math.max(number + 1, from + room);
    const grown = new Int32Array(end - first);
    grown.set(this.#directory, from - first);
    this.#directory = grown;
    this.#firstEntry = first;
  }

  #makePage(): number {
    const page = this.#pages++;
    if (page === this.#inPage.length) {
      const room = page * (page < SMALL_PAGES ? 4 : 2);
      this.#slots = grow(this.#slots, room * PAGE);
      this.#slots.fill(NO_SLOT, page * PAGE);
      this.#bits = grow(this.#bits, room * WORDS);
      this.#inPage = grow(this.#inPage, room);
    }
    return page;
  }
}

function grow(from: Int32Array, length: number): Int32Array {
  const grown = new Int32Array(length);
  grown.set(from);
  return grown;
}
