import { copyArray } from "./copies.ts";
import type { Journal } from "./journal.ts";
import { NONE } from "./table.ts";

/**
 * From a whole number (an id up to 2^53) to a row: open addressing over typed arrays, linear probing, backward-shift
 * deletion, at most half full. Copied with a memory copy.
 */
export class NumberIndex {
  keys: Float64Array;
  rows: Int32Array;
  count = 0;
  /** Where changes are to be undone: keeps the cells that are about to change. */
  journal: Journal | undefined = undefined;

  constructor(capacity = 16) {
    this.keys = new Float64Array(capacity);
    this.rows = new Int32Array(capacity).fill(NONE);
  }

  private slotOf(key: number): number {
    // Both halves of the number take part: ids differ mostly in their low bits.
    const low = key | 0;
    const high = (key / 4_294_967_296) | 0;
    const hash = Math.imul(low ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1);
    return (hash ^ (hash >>> 15)) & (this.rows.length - 1);
  }

  find(key: number): number {
    const { keys, rows } = this;
    const mask = rows.length - 1;
    let slot = this.slotOf(key);
    for (;;) {
      const row = rows[slot]!;
      if (row === NONE) return NONE;
      if (keys[slot] === key) return row;
      slot = (slot + 1) & mask;
    }
  }

  /** Adds a key that is not in the index. */
  insert(key: number, row: number): void {
    if ((this.count + 1) * 2 > this.rows.length) this.grow();
    if (this.journal !== undefined) this.keep(key, this.journal);
    const { keys, rows } = this;
    const mask = rows.length - 1;
    let slot = this.slotOf(key);
    while (rows[slot] !== NONE) slot = (slot + 1) & mask;
    keys[slot] = key;
    rows[slot] = row;
    this.count++;
  }

  /** Removes a key; one that is not there is left alone. */
  remove(key: number): void {
    if (this.journal !== undefined) this.keep(key, this.journal);
    const { keys, rows } = this;
    const mask = rows.length - 1;
    let slot = this.slotOf(key);
    for (;;) {
      if (rows[slot] === NONE) return;
      if (keys[slot] === key) break;
      slot = (slot + 1) & mask;
    }
    this.count--;
    let hole = slot;
    let next = slot;
    for (;;) {
      next = (next + 1) & mask;
      if (rows[next] === NONE) break;
      const home = this.slotOf(keys[next]!);
      if (((next - home) & mask) >= ((next - hole) & mask)) {
        keys[hole] = keys[next]!;
        rows[hole] = rows[next]!;
        hole = next;
      }
    }
    rows[hole] = NONE;
  }

  /** Removes every key; the room for them stays. Not while changes are kept to be undone. */
  clear(): void {
    this.rows.fill(NONE);
    this.count = 0;
  }

  /** @param spare a copy that is no longer used: it becomes this one */
  copy(spare?: NumberIndex): NumberIndex {
    const copy = spare ?? new NumberIndex(1);
    copy.keys = copyArray(this.keys, copy.keys);
    copy.rows = copyArray(this.rows, copy.rows);
    copy.count = this.count;
    copy.journal = undefined;
    return copy;
  }

  /** Keeps the run of cells in which a key is or would be, up to the first free one. */
  private keep(key: number, journal: Journal): void {
    const { keys, rows } = this;
    const mask = rows.length - 1;
    let slot = this.slotOf(key);
    for (;;) {
      journal.cell(keys, slot);
      journal.cell(rows, slot);
      if (rows[slot] === NONE) return;
      slot = (slot + 1) & mask;
    }
  }

  private grow(): void {
    const { keys, rows } = this;
    this.keys = new Float64Array(keys.length * 2);
    this.rows = new Int32Array(rows.length * 2).fill(NONE);
    this.count = 0;
    for (let slot = 0; slot < rows.length; slot++) {
      if (rows[slot] !== NONE) this.insert(keys[slot]!, rows[slot]!);
    }
  }
}
