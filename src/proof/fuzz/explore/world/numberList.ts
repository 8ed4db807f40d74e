/**
 * Grows a list of numbers, as bytes for a hash. Parts are written with their length, so that none runs into the next.
 */
export class NumberList {
  #values = new Float64Array(1024);
  #length = 0;

  /** Forgets all numbers; the room for them stays. */
  clear(): void {
    this.#length = 0;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) this.#grow();
    // Minus zero and zero are the same number.
    this.#values[this.#length++] = value + 0;
  }

  all(values: ArrayLike<number>): void {
    this.push(values.length);
    for (let at = 0; at < values.length; at++) this.push(values[at]!);
  }

  /** A whole number of any size, after the number of its parts of 48 bits; a small one as it is, after 0. */
  big(value: bigint): void {
    const plain = Number(value);
    if (Number.isSafeInteger(plain)) {
      this.push(0);
      this.push(plain);
      return;
    }
    const parts: number[] = [];
    for (let left = value < 0n ? -value : value; left > 0n; left >>= 48n) parts.push(Number(left & 0xffff_ffff_ffffn));
    this.push(value < 0n ? -parts.length : parts.length);
    for (const part of parts) this.push(part);
  }

  text(text: string): void {
    this.push(text.length);
    for (let at = 0; at < text.length; at++) this.push(text.charCodeAt(at));
  }

  bytes(): Uint8Array {
    return new Uint8Array(this.#values.buffer, 0, this.#length * this.#values.BYTES_PER_ELEMENT);
  }

  #grow(): void {
    const grown = new Float64Array(this.#values.length * 2);
    grown.set(this.#values);
    this.#values = grown;
  }
}
