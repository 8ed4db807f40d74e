import { copyArray } from "./copies.ts";
import type { Journal } from "./journal.ts";
import { NONE } from "./table.ts";

/**
 * Rows by a key, the least on top: a binary heap that knows the place of each row, and can take out any. Rows of the
 * same key come in no particular order: sort what you take.
 */
export class RowHeap {
  rows: Int32Array = new Int32Array(16);
  keys: Float64Array = new Float64Array(16);
  /** Slot by row, NONE for a row that is not in the heap. */
  places: Int32Array = new Int32Array(16).fill(NONE);
  size = 0;
  /** Where changes are to be undone: keeps the cells that are about to change. */
  journal: Journal | undefined = undefined;

  /** The least key, or Infinity for an empty heap. */
  least(): number {
    return this.size === 0 ? Number.POSITIVE_INFINITY : this.keys[0]!;
  }

  /** The row of the least key; the heap is not empty. */
  top(): number {
    return this.rows[0]!;
  }

  /** Adds a row that is not in the heap. */
  insert(row: number, key: number): void {
    if (this.size === this.rows.length) this.grow();
    if (row >= this.places.length) this.widen(row);
    this.rise(this.size++, row, key);
  }

  /** Takes a row out; one that is not there is left alone. */
  remove(row: number): void {
    const slot = row < this.places.length ? this.places[row]! : NONE;
    if (slot === NONE) return;
    this.journal?.cell(this.places, row);
    this.places[row] = NONE;
    const last = --this.size;
    if (slot === last) return;
    const moved = this.rows[last]!;
    const key = this.keys[last]!;
    this.rise(slot, moved, key);
    this.sink(this.places[moved]!, moved, key);
  }

  /** @param spare a copy that is no longer used: it becomes this one */
  copy(spare?: RowHeap): RowHeap {
    const copy = spare ?? new RowHeap();
    copy.rows = copyArray(this.rows, copy.rows);
    copy.keys = copyArray(this.keys, copy.keys);
    copy.places = copyArray(this.places, copy.places);
    copy.size = this.size;
    copy.journal = undefined;
    return copy;
  }

  private rise(from: number, row: number, key: number): void {
    const { keys } = this;
    let slot = from;
    while (slot > 0) {
      const parent = (slot - 1) >> 1;
      if (keys[parent]! <= key) break;
      this.put(slot, this.rows[parent]!, keys[parent]!);
      slot = parent;
    }
    this.put(slot, row, key);
  }

  private sink(from: number, row: number, key: number): void {
    const { keys, size } = this;
    let slot = from;
    for (;;) {
      let child = slot * 2 + 1;
      if (child >= size) break;
      if (child + 1 < size && keys[child + 1]! < keys[child]!) child++;
      if (keys[child]! >= key) break;
      this.put(slot, this.rows[child]!, keys[child]!);
      slot = child;
    }
    this.put(slot, row, key);
  }

  private put(slot: number, row: number, key: number): void {
    if (this.journal !== undefined) this.keep(slot, row, this.journal);
    this.rows[slot] = row;
    this.keys[slot] = key;
    this.places[row] = slot;
  }

  private keep(slot: number, row: number, journal: Journal): void {
    journal.cell(this.rows, slot);
    journal.cell(this.keys, slot);
    journal.cell(this.places, row);
  }

  private grow(): void {
    const rows = new Int32Array(this.rows.length * 2);
    const keys = new Float64Array(this.rows.length * 2);
    rows.set(this.rows);
    keys.set(this.keys);
    this.rows = rows;
    this.keys = keys;
  }

  private widen(row: number): void {
    const places = new Int32Array(Math.max(row + 1, this.places.length * 2)).fill(NONE);
    places.set(this.places);
    this.places = places;
  }
}
