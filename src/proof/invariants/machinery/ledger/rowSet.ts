const EMPTY = new Int32Array(0);
/** Rows for which the first memory of a set has room. */
const LEAST = 64;

/** A set of rows that is cleared in constant time: a row is in it if its stamp equals this generation. */
export class RowSet {
  list: Int32Array = EMPTY;
  count = 0;
  private stamps: Int32Array = EMPTY;
  private generation = 1;

  /** Adds a row; true if it is new in the set. */
  add(row: number): boolean {
    if (row >= this.stamps.length) this.grow(row);
    if (this.stamps[row] === this.generation) return false;
    this.stamps[row] = this.generation;
    if (this.count === this.list.length) {
      const list = new Int32Array(Math.max(LEAST, this.count * 2));
      list.set(this.list);
      this.list = list;
    }
    this.list[this.count++] = row;
    return true;
  }

  has(row: number): boolean {
    return row < this.stamps.length && this.stamps[row] === this.generation;
  }

  clear(): void {
    this.count = 0;
    this.generation++;
  }

  private grow(row: number): void {
    const stamps = new Int32Array(Math.max(row + 1, LEAST, this.stamps.length * 2));
    stamps.set(this.stamps);
    this.stamps = stamps;
  }
}
