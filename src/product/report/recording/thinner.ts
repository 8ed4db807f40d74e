/** A column whose greatest and least values must survive. */
export interface ThinnerKey {
  readonly column: number;
  readonly keep: "both" | "greatest";
}

/**
 * Several rows. Only those that are kept are filled, and only columns in which a row may matter are read. An object and
 * no closures: a group asks for some of many rows.
 */
export interface RowSource {
  /**
   * Bounds of the values of a key, by its place: none is greater, none is less. Where they are equal all are the same.
   */
  getMost(key: number): number;
  /** Asked of keys that keep both. */
  getLeast(key: number): number;
  /** The values of a key. */
  readColumn(key: number): Float64Array;
  /** Returns the row at a place; it may reuse one array. */
  fill(at: number): Float64Array;
}

/**
 * Keeps a bounded number of the rows that pass, so that no extreme of a key column is lost.
 *
 * Rows fall into groups of equally many rows. A group holds one row per extreme of each key and its last row. When all
 * groups are full, neighbours merge and groups hold twice as many rows. The extreme of two extremes is the extreme of
 * both: a row that matters never leaves. Cost per row: one comparison per key, plus copies.
 */
export class Thinner {
  readonly #width: number;
  readonly #keys: readonly ThinnerKey[];
  /** Rows that one group may hold: the extremes, then the last. */
  readonly #slots: number;
  readonly #groupsMax: number;
  /** Group by group, slot by slot, row by row; the last column is the sequence number of the row. */
  readonly #store: Float64Array;
  #group = 0;
  #inGroup = 0;
  #perGroup = 1;
  #sequence = 0;
  /** The row that is copied next. */
  #row: Float64Array;

  /** @param rowsMax most rows that `columns` returns */
  constructor(width: number, keys: readonly ThinnerKey[], rowsMax: number) {
    this.#width = width + 1;
    this.#keys = keys;
    let slots = 1;
    for (const key of keys) slots += key.keep === "both" ? 2 : 1;
    this.#slots = slots;
    this.#groupsMax = Math.max(4, Math.floor(rowsMax / slots / 2) * 2);
    this.#store = new Float64Array(this.#groupsMax * slots * this.#width);
    this.#row = this.#store;
  }

  /** Takes in a row of `width` values. */
  push(row: Float64Array): void {
    this.#openGroup();
    this.#row = row;
    const store = this.#store;
    const width = this.#width;
    const sequence = this.#sequence++;
    const fresh = this.#inGroup++ === 0;
    let at = this.#group * this.#slots * width;
    for (const { column, keep } of this.#keys) {
      const value = row[column]!;
      if (fresh || value > store[at + column]!) this.#copy(at, sequence);
      at += width;
      if (keep === "both") {
        if (fresh || value < store[at + column]!) this.#copy(at, sequence);
        at += width;
      }
    }
    this.#copy(at, sequence);
  }

  /** Takes in several rows. */
  pushRows(count: number, rows: RowSource): void {
    for (let from = 0; from < count; ) {
      this.#openGroup();
      const to = Math.min(count, from + this.#perGroup - this.#inGroup);
      this.#pushPart(from, to, rows);
      this.#sequence += to - from;
      this.#inGroup += to - from;
      from = to;
    }
  }

  /** Takes in the rows from <= row < to, which fall into the present group. */
  #pushPart(from: number, to: number, rows: RowSource): void {
    const store = this.#store;
    const width = this.#width;
    const sequence = this.#sequence - from;
    const fresh = this.#inGroup === 0;
    let start = this.#group * this.#slots * width;
    // One row is often the extreme of several keys.
    let filled = to;
    for (let key = 0; key < this.#keys.length; key++) {
      const { column, keep } = this.#keys[key]!;
      const next = keep === "both" ? start + width : start;
      const greatest = rows.getMost(key);
      const lowest = keep === "both" ? rows.getLeast(key) : Number.NEGATIVE_INFINITY;
      // The first row of a group is its first extreme.
      let mostAt = fresh ? from : to;
      let leastAt = mostAt;
      const mayMatter = fresh
        ? greatest !== lowest
        : greatest > store[start + column]! || (keep === "both" && lowest < store[next + column]!);
      if (mayMatter) {
        const values = rows.readColumn(key);
        let most = fresh ? values[from]! : store[start + column]!;
        let least = fresh ? most : store[next + column]!;
        for (let at = from; at < to; at++) {
          const value = values[at]!;
          if (value > most) {
            most = value;
            mostAt = at;
          }
          if (value < least) {
            least = value;
            leastAt = at;
          }
        }
      }
      if (mostAt < to) {
        if (mostAt !== filled) this.#row = rows.fill((filled = mostAt));
        this.#copy(start, sequence + mostAt);
      }
      if (keep === "both" && leastAt < to) {
        if (leastAt !== filled) this.#row = rows.fill((filled = leastAt));
        this.#copy(next, sequence + leastAt);
      }
      start = next + width;
    }
    if (filled !== to - 1) this.#row = rows.fill(to - 1);
    this.#copy(start, sequence + to - 1);
  }

  /** The next row falls into a group that is not full. */
  #openGroup(): void {
    if (this.#inGroup !== this.#perGroup) return;
    this.#group++;
    this.#inGroup = 0;
    if (this.#group === this.#groupsMax) this.#merge();
  }

  #copy(at: number, sequence: number): void {
    const store = this.#store;
    const row = this.#row;
    const last = this.#width - 1;
    for (let i = 0; i < last; i++) store[at + i] = row[i]!;
    store[at + last] = sequence;
  }

  /** Halves the number of groups. Runs once every time the number of rows has doubled. */
  #merge(): void {
    for (let target = 0; target < this.#groupsMax / 2; target++) this.#mergeInto(target);
    this.#group = this.#groupsMax / 2;
    this.#perGroup *= 2;
  }

  /** Merges two groups into one. V8 keeps compiled code longer for a function than for the loop over all of them. */
  #mergeInto(target: number): void {
    const store = this.#store;
    const width = this.#width;
    const size = this.#slots * width;
    const left = target * 2 * size;
    const right = left + size;
    let offset = 0;
    for (let key = 0; key < this.#keys.length; key++) {
      const { column, keep } = this.#keys[key]!;
      const at = offset + column;
      this.#move((store[right + at]! > store[left + at]! ? right : left) + offset, target * size + offset);
      offset += width;
      if (keep !== "both") continue;
      const low = offset + column;
      this.#move((store[right + low]! < store[left + low]! ? right : left) + offset, target * size + offset);
      offset += width;
    }
    this.#move(right + offset, target * size + offset);
  }

  /** Moves a kept row to a place that is not after it. */
  #move(from: number, to: number): void {
    const store = this.#store;
    for (let i = 0; i < this.#width; i++) store[to + i] = store[from + i]!;
  }

  /** The kept rows as columns, in the order in which they came, each row once. */
  columns(): Float64Array[] {
    const width = this.#width;
    const store = this.#store;
    const starts = this.#listStarts();
    const columns: Float64Array[] = [];
    for (let column = 0; column < width - 1; column++) {
      const values = new Float64Array(starts.length);
      for (let row = 0; row < starts.length; row++) values[row] = store[starts[row]! + column]!;
      columns.push(values);
    }
    return columns;
  }

  /** Where the kept rows begin in the store, in their order. The rows of a group come before those of the next. */
  #listStarts(): Uint32Array {
    const width = this.#width;
    const store = this.#store;
    const groups = this.#sequence === 0 ? 0 : this.#group + (this.#inGroup > 0 ? 1 : 0);
    const starts = new Uint32Array(groups * this.#slots);
    let count = 0;
    for (let group = 0; group < groups; group++) {
      const first = count;
      for (let slot = 0; slot < this.#slots; slot++) {
        const start = (group * this.#slots + slot) * width;
        const sequence = store[start + width - 1]!;
        let place = count;
        while (place > first && store[starts[place - 1]! + width - 1]! > sequence) place--;
        // A row that is several extremes has as many slots.
        if (place > first && store[starts[place - 1]! + width - 1] === sequence) continue;
        starts.copyWithin(place + 1, place, count);
        starts[place] = start;
        count++;
      }
    }
    return starts.subarray(0, count);
  }
}
