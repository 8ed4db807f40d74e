/** Numbers from 0, added in their order, each found by a 32-bit hash. The caller separates equal hashes. */
export class HashIndex {
  /** By number. */
  #hashes = new Int32Array(1024);
  /** 1 + number, 0 for none; open addressing. */
  #slots = new Int32Array(2048);
  #count = 0;
  /** Numbers below this one are in the slots. */
  #filled = 0;

  add(number: number, hash: number): void {
    if (number >= this.#hashes.length) {
      const grown = new Int32Array(Math.max(number + 1, this.#hashes.length * 2));
      grown.set(this.#hashes);
      this.#hashes = grown;
    }
    this.#hashes[number] = hash;
    this.#count = number + 1;
  }

  /** The first number of a hash for which `is` returns true; undefined for none. */
  find(hash: number, is: (number: number) => boolean): number | undefined {
    this.#fill();
    const mask = this.#slots.length - 1;
    for (let place = spread(hash) & mask; ; place = (place + 1) & mask) {
      const slot = this.#slots[place]!;
      if (slot === 0) return undefined;
      if (this.#hashes[slot - 1] === hash && is(slot - 1)) return slot - 1;
    }
  }

  hashOf(number: number): number {
    return this.#hashes[number]!;
  }

  /** Enters the numbers that were added since the last lookup: after a start, all of them at once. */
  #fill(): void {
    if (this.#filled === this.#count) return;
    if (this.#count * 2 > this.#slots.length) {
      let size = this.#slots.length;
      while (this.#count * 2 > size) size *= 2;
      this.#slots = new Int32Array(size * 2);
      this.#filled = 0;
    }
    while (this.#filled < this.#count) this.#insert(this.#filled++);
  }

  #insert(number: number): void {
    const mask = this.#slots.length - 1;
    let place = spread(this.#hashes[number]!) & mask;
    while (this.#slots[place] !== 0) place = (place + 1) & mask;
    this.#slots[place] = number + 1;
  }
}

function spread(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}
