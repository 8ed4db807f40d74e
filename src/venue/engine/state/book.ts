import type { Journal } from "../../../ground/collections/journal.ts";
import { NONE } from "../../../ground/collections/table.ts";
import type { Ticks } from "../../../ground/math/fixed.ts";
import { FLAG_SELL, type OrderRow, type Orders } from "./schema.ts";

/** Levels in a page. A page is made when a price in it is first used and given back when its last level empties. */
const PAGE_BITS = 12;
const PAGE = 1 << PAGE_BITS;
const PAGE_MASK = PAGE - 1;
/** 32-bit words of one page's level bitmap, and of its summary. */
const WORDS = PAGE / 32;
const SUMMARY = WORDS / 32;

/** No price on that side. */
export const NO_PRICE = 0 as Ticks;

/**
 * The resting orders of one market by price and time: a ladder of price levels in pages. Each level is an intrusive
 * list of order rows, with bitmaps to find the next price in use. Bids and asks share the ladder, since a book is never
 * crossed. It knows nothing of accounts or margin. Prices are ticks from 1 to 2^31 - 1.
 *
 * Cost: adding and removing touch one level; the next best price is found in a few words. Making or giving back a page
 * copies the list of their keys.
 */
export class Book {
  /**
   * Page by price >> 12, NONE where none is. As long as the farthest price asks for: copies share it until one writes.
   */
  directory: Int32Array = new Int32Array(64).fill(NONE);
  /** Places of the pages in the directory, rising. Never changed in place: copies and the journal share it. */
  keys: readonly number[] = [];
  /** The directory, if no other book has it. */
  private owned: Int32Array | undefined = this.directory;
  /** Oldest and newest order of a level, by page and offset. */
  heads: Int32Array = new Int32Array(0);
  tails: Int32Array = new Int32Array(0);
  /** Which levels of a page are in use, and which words of that bitmap are not zero. */
  used: Int32Array = new Int32Array(0);
  summary: Int32Array = new Int32Array(0);
  /** Levels in use per page. */
  levels: Int32Array = new Int32Array(0);
  /** Pages ever made, and the list of those given back. */
  pages = 0;
  freePages: number[] = [];
  /** Best prices, NO_PRICE for an empty side. */
  bestBid: Ticks = NO_PRICE;
  bestAsk: Ticks = NO_PRICE;
  /** Where changes are to be undone: keeps what is about to change; `kept` once the whole's own properties are. */
  journal: Journal | undefined = undefined;
  kept = false;

  /** Oldest order at a price, NONE for an empty level. */
  head(price: Ticks): OrderRow {
    const key = price >>> PAGE_BITS;
    if (key >= this.directory.length) return NONE as OrderRow;
    const page = this.directory[key]!;
    return (page === NONE ? NONE : this.heads[page * PAGE + (price & PAGE_MASK)]!) as OrderRow;
  }

  /** Newest order at a price, NONE for an empty level. */
  tail(price: Ticks): OrderRow {
    const key = price >>> PAGE_BITS;
    if (key >= this.directory.length) return NONE as OrderRow;
    const page = this.directory[key]!;
    return (page === NONE ? NONE : this.tails[page * PAGE + (price & PAGE_MASK)]!) as OrderRow;
  }

  /** Puts an order at the end of the queue of its price. It must not cross the other side. */
  add(orders: Orders, order: OrderRow): void {
    const price = orders.price[order];
    if (this.journal !== undefined) this.keep(price, this.journal);
    const page = this.pageOf(price);
    const level = page * PAGE + (price & PAGE_MASK);
    const last = this.tails[level]! as OrderRow;
    if (last !== NONE) this.journal?.cell(orders.levelNext, last);
    orders.levelPrevious[order] = last;
    orders.levelNext[order] = NONE as OrderRow;
    this.tails[level] = order;
    if (last !== NONE) {
      orders.levelNext[last] = order;
      return;
    }
    this.heads[level] = order;
    this.mark(page, price & PAGE_MASK);
    if ((orders.flags[order] & FLAG_SELL) !== 0) {
      if (this.bestAsk === NO_PRICE || price < this.bestAsk) this.bestAsk = price;
    } else if (price > this.bestBid) {
      this.bestBid = price;
    }
  }

  /** Takes an order out. */
  remove(orders: Orders, order: OrderRow): void {
    const price = orders.price[order];
    if (this.journal !== undefined) this.keep(price, this.journal);
    const page = this.directory[price >>> PAGE_BITS]!;
    const level = page * PAGE + (price & PAGE_MASK);
    const previous = orders.levelPrevious[order];
    const next = orders.levelNext[order];
    if (previous !== NONE) this.journal?.cell(orders.levelNext, previous);
    if (next !== NONE) this.journal?.cell(orders.levelPrevious, next);
    if (previous === NONE) this.heads[level] = next;
    else orders.levelNext[previous] = next;
    if (next === NONE) this.tails[level] = previous;
    else orders.levelPrevious[next] = previous;
    if (previous !== NONE || next !== NONE) return;
    this.unmark(page, price & PAGE_MASK);
    if (price === this.bestBid) this.bestBid = this.below(price);
    else if (price === this.bestAsk) this.bestAsk = this.above(price);
    if (this.levels[page] === 0) this.releasePage(price >>> PAGE_BITS, page);
  }

  /** The next price in use below, NO_PRICE for none. */
  below(price: Ticks): Ticks {
    const key = price >>> PAGE_BITS;
    const { directory, keys } = this;
    const page = key < directory.length ? directory[key]! : NONE;
    if (page !== NONE) {
      const offset = this.scanDown(page, (price & PAGE_MASK) - 1);
      if (offset !== NONE) return ((key << PAGE_BITS) | offset) as Ticks;
    }
    for (let at = countBelow(keys, key) - 1; at >= 0; at--) {
      const next = keys[at]!;
      const other = directory[next]!;
      if (this.levels[other]! > 0) return ((next << PAGE_BITS) | this.scanDown(other, PAGE_MASK)) as Ticks;
    }
    return NO_PRICE;
  }

  /** The next price in use above, NO_PRICE for none. */
  above(price: Ticks): Ticks {
    const key = price >>> PAGE_BITS;
    const { directory, keys } = this;
    const page = key < directory.length ? directory[key]! : NONE;
    if (page !== NONE) {
      const offset = this.scanUp(page, (price & PAGE_MASK) + 1);
      if (offset !== NONE) return ((key << PAGE_BITS) | offset) as Ticks;
    }
    for (let at = countBelow(keys, key + 1); at < keys.length; at++) {
      const next = keys[at]!;
      const other = directory[next]!;
      if (this.levels[other]! > 0) return ((next << PAGE_BITS) | this.scanUp(other, 0)) as Ticks;
    }
    return NO_PRICE;
  }

  /**
   * An independent copy.
   *
   * @param spare a copy that is no longer used: its arrays are reused if they fit
   */
  copy(spare?: Book): Book {
    const copy = spare ?? new Book();
    const { pages } = this;
    copy.directory = this.directory;
    copy.keys = this.keys;
    copy.owned = undefined;
    this.owned = undefined;
    copy.heads = copyWords(this.heads, copy.heads, pages * PAGE);
    copy.tails = copyWords(this.tails, copy.tails, pages * PAGE);
    copy.used = copyWords(this.used, copy.used, pages * WORDS);
    copy.summary = copyWords(this.summary, copy.summary, pages * SUMMARY);
    copy.levels = copyWords(this.levels, copy.levels, pages);
    copy.pages = pages;
    copy.freePages = this.freePages.slice();
    copy.bestBid = this.bestBid;
    copy.bestAsk = this.bestAsk;
    copy.journal = undefined;
    copy.kept = false;
    return copy;
  }

  /** Lists the places of the pages again, for a directory that was read back. */
  findKeys(): void {
    const keys: number[] = [];
    for (let key = 0; key < this.directory.length; key++) if (this.directory[key] !== NONE) keys.push(key);
    this.keys = keys;
  }

  /** Memory of the ladder itself, orders not counted. */
  byteLength(): number {
    const { directory, heads, tails, used, summary, levels } = this;
    return [directory, heads, tails, used, summary, levels].reduce((sum, array) => sum + array.byteLength, 0);
  }

  /** Keeps everything of the book that adding or removing an order at a price may change. */
  private keep(price: Ticks, journal: Journal): void {
    if (!this.kept) {
      this.kept = true;
      for (const name of KEPT) journal.field(this, name);
      journal.field(this, "freePages", this.freePages.slice());
    }
    const key = price >>> PAGE_BITS;
    if (key < this.directory.length) journal.cell(this.directory, key);
    const page = this.pageOf(price);
    const offset = price & PAGE_MASK;
    journal.cell(this.heads, page * PAGE + offset);
    journal.cell(this.tails, page * PAGE + offset);
    journal.cell(this.used, page * WORDS + (offset >>> 5));
    journal.cell(this.summary, page * SUMMARY + (offset >>> 10));
    journal.cell(this.levels, page);
  }

  private mark(page: number, offset: number): void {
    const word = page * WORDS + (offset >>> 5);
    this.used[word]! |= 1 << (offset & 31);
    this.summary[page * SUMMARY + (offset >>> 10)]! |= 1 << ((offset >>> 5) & 31);
    this.levels[page]!++;
  }

  private unmark(page: number, offset: number): void {
    const word = page * WORDS + (offset >>> 5);
    this.used[word]! &= ~(1 << (offset & 31));
    if (this.used[word] === 0) this.summary[page * SUMMARY + (offset >>> 10)]! &= ~(1 << ((offset >>> 5) & 31));
    this.levels[page]!--;
  }

  /** Highest level in use at or below an offset of a page, NONE for none. */
  private scanDown(page: number, offset: number): number {
    if (offset < 0) return NONE;
    let word = offset >>> 5;
    // Bits 0 .. offset & 31 of the first word.
    const first = this.used[page * WORDS + word]! & (-1 >>> (31 - (offset & 31)));
    if (first !== 0) return (word << 5) | (31 - Math.clz32(first));
    word--;
    for (let group = word >> 5; group >= 0; group--) {
      const reach = group === word >> 5 ? word & 31 : 31;
      const bits = this.summary[page * SUMMARY + group]! & (-1 >>> (31 - reach));
      if (bits !== 0) {
        const found = (group << 5) | (31 - Math.clz32(bits));
        return (found << 5) | (31 - Math.clz32(this.used[page * WORDS + found]!));
      }
    }
    return NONE;
  }

  /** Lowest level in use at or above an offset of a page, NONE for none. */
  private scanUp(page: number, offset: number): number {
    if (offset >= PAGE) return NONE;
    let word = offset >>> 5;
    const first = this.used[page * WORDS + word]! & (-1 << (offset & 31));
    if (first !== 0) return (word << 5) | lowestBit(first);
    word++;
    for (let group = word >> 5; group < SUMMARY; group++) {
      const bits = this.summary[page * SUMMARY + group]! & (group === word >> 5 ? -1 << (word & 31) : -1);
      if (bits !== 0) {
        const found = (group << 5) | lowestBit(bits);
        return (found << 5) | lowestBit(this.used[page * WORDS + found]!);
      }
    }
    return NONE;
  }

  private pageOf(price: Ticks): number {
    const key = price >>> PAGE_BITS;
    if (key < this.directory.length) {
      const page = this.directory[key]!;
      if (page !== NONE) return page;
    } else {
      const grown = new Int32Array(Math.max(key + 1, this.directory.length * 2)).fill(NONE);
      grown.set(this.directory);
      this.directory = grown;
      this.owned = grown;
    }
    const page = this.freePages.pop() ?? this.makePage();
    this.enter(key, page);
    return page;
  }

  /** Writes into the directory, after copying it if another book may have it. */
  private enter(key: number, page: number): void {
    if (this.owned !== this.directory) {
      this.owned = this.directory.slice();
      this.directory = this.owned;
    }
    this.owned[key] = page;
    const at = countBelow(this.keys, key);
    this.keys = page === NONE ? this.keys.toSpliced(at, 1) : this.keys.toSpliced(at, 0, key);
  }

  private makePage(): number {
    const page = this.pages++;
    if (page * PAGE === this.heads.length) {
      const room = Math.max(1, page * 2);
      this.heads = grow(this.heads, room * PAGE, NONE);
      this.tails = grow(this.tails, room * PAGE, NONE);
      this.used = grow(this.used, room * WORDS, 0);
      this.summary = grow(this.summary, room * SUMMARY, 0);
      this.levels = grow(this.levels, room, 0);
    }
    return page;
  }

  private releasePage(key: number, page: number): void {
    this.enter(key, NONE);
    this.freePages.push(page);
  }
}

/** Properties that change as a whole: arrays by growth, prices and counts at any time. */
const KEPT = [
  "directory",
  "keys",
  "heads",
  "tails",
  "used",
  "summary",
  "levels",
  "pages",
  "bestBid",
  "bestAsk",
] as const;

/** Number of keys below one, in a rising list. */
function countBelow(keys: readonly number[], key: number): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first words of an array, in another one that is as long as that, or in a new one. */
function copyWords(from: Int32Array, spare: Int32Array, length: number): Int32Array {
  if (spare.length !== length) return from.slice(0, length);
  spare.set(length === from.length ? from : from.subarray(0, length));
  return spare;
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}

function grow(array: Int32Array, length: number, fill: number): Int32Array {
  const grown = new Int32Array(length);
  if (fill !== 0) grown.fill(fill, array.length);
  grown.set(array);
  return grown;
}
