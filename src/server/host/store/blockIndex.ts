/** Locations of a store's blocks, by height: the decision to apply one, and its result. 0 for none. */
export class BlockIndex {
  /** Lowest height of the index. */
  readonly first: number;
  /** Highest block that was decided. */
  head: number;
  #decisions = new Float64Array(1024);
  #results = new Float64Array(1024);

  /** @param base height of the last block before it */
  constructor(base: number) {
    this.first = base + 1;
    this.head = base;
  }

  decide(height: number, location: number): void {
    const place = height - this.first;
    if (place >= this.#decisions.length) this.#grow();
    this.#decisions[place] = location;
    this.#results[place] = 0;
    this.head = height;
  }

  record(height: number, location: number): void {
    this.#results[height - this.first] = location;
  }

  decision(height: number): number {
    return this.#at(this.#decisions, height);
  }

  result(height: number): number {
    return this.#at(this.#results, height);
  }

  cut(height: number): void {
    this.head = Math.min(this.head, height);
  }

  #at(column: Float64Array, height: number): number {
    return height < this.first || height > this.head ? 0 : column[height - this.first]!;
  }

  #grow(): void {
    const [decisions, results] = [this.#decisions, this.#results];
    this.#decisions = new Float64Array(decisions.length * 2);
    this.#results = new Float64Array(decisions.length * 2);
    this.#decisions.set(decisions);
    this.#results.set(results);
  }
}
