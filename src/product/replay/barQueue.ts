import type { EventChunk } from "../market-data/types.ts";

/**
 * Bars of one market, first in, first out: rows of chunks, some with a note. They are many, so a bar without a note
 * needs no object.
 */
export class BarQueue<Note> {
  /** Chunks with bars of the queue, and for each the place after its last bar. */
  readonly #chunks: EventChunk[] = [];
  readonly #ends: number[] = [];
  #rows: Uint32Array = new Uint32Array(0);
  /** By place of the bar; undefined before the first note. */
  #notes: (Note | undefined)[] | undefined;
  /** Place of the first bar, and the place after the last one. */
  #head = 0;
  #tail = 0;

  get length(): number {
    return this.#tail - this.#head;
  }

  /** Adds a bar. Rows of a chunk come in their order, and chunks one after the other. */
  push(chunk: EventChunk, row: number, note: Note | undefined): void {
    if (this.#tail === this.#rows.length) this.#makeRoom(chunk.count - row);
    if (note !== undefined) this.#notes ??= new Array(this.#tail).fill(undefined);
    this.#notes?.push(note);
    this.#rows[this.#tail++] = row;
    const last = this.#chunks.length - 1;
    if (last >= 0 && this.#chunks[last] === chunk) {
      this.#ends[last] = this.#tail;
      return;
    }
    this.#chunks.push(chunk);
    this.#ends.push(this.#tail);
  }

  /** The chunk of a bar. @param ahead 0 for the first one; below `length` */
  chunkOf(ahead: number): EventChunk {
    const at = this.#head + ahead;
    let place = 0;
    while (at >= this.#ends[place]!) place++;
    return this.#chunks[place]!;
  }

  /** The row of a bar in its chunk. */
  rowOf(ahead: number): number {
    return this.#rows[this.#head + ahead]!;
  }

  /** The note of a bar. */
  noteOf(ahead: number): Note | undefined {
    return this.#notes === undefined ? undefined : this.#notes[this.#head + ahead];
  }

  /** Takes out the first bars. */
  drop(bars: number): void {
    this.#notes?.fill(undefined, this.#head, this.#head + bars);
    this.#head += bars;
    while (this.#chunks.length > 0 && this.#ends[0]! <= this.#head) {
      this.#chunks.shift();
      this.#ends.shift();
    }
  }

  /** @param more rows of the chunk at hand, each of which may be a bar of the market */
  #makeRoom(more: number): void {
    const { length } = this;
    const rows = length + more > this.#rows.length ? new Uint32Array(2 * length + more) : this.#rows;
    rows.set(this.#rows.subarray(this.#head, this.#tail));
    this.#rows = rows;
    this.#notes = this.#notes?.slice(this.#head, this.#tail);
    for (let place = 0; place < this.#ends.length; place++) this.#ends[place]! -= this.#head;
    this.#head = 0;
    this.#tail = length;
  }
}
