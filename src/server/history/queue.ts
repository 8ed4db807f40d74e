/** A list that grows at its end and shrinks at its start, both at constant cost. */
export class Queue<T> {
  #items: T[] = [];
  #first = 0;

  get length(): number {
    return this.#items.length - this.#first;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    if (this.length === 0) return undefined;
    const item = this.#items[this.#first++];
    if (this.#first > 64 && this.#first * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#first);
      this.#first = 0;
    }
    return item;
  }

  /** The oldest item. */
  peek(): T | undefined {
    return this.#items[this.#first];
  }

  /** The n-th item from the oldest on. */
  at(place: number): T | undefined {
    return this.#items[this.#first + place];
  }

  *newestFirst(): Generator<T> {
    for (let at = this.#items.length - 1; at >= this.#first; at--) yield this.#items[at]!;
  }
}
