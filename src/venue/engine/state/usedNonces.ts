/**
 * Used nonces of lanes whose scheme is `window:N` (NON-2), by row: exactly those of the N nonces up to the highest used
 * one. A nonce has the bit `nonce % N`: each bit of a row is one nonce of its window, and a nonce that leaves the
 * window frees the bit of one that enters. If the scheme is sequential, N is 0 and nothing is kept.
 */
export class UsedNonces {
  /** Nonces of a window: N. */
  readonly size: number;
  /** Words of a row. */
  readonly words: number;
  bits: Int32Array = new Int32Array(0);

  constructor(size: number) {
    this.size = size;
    this.words = (size + 31) >> 5;
  }

  /** Whether a nonce of the window is used: below `next`, and not below the window. */
  has(row: number, nonce: number): boolean {
    const bit = nonce % this.size;
    return ((this.bits[row * this.words + (bit >> 5)] ?? 0) & (1 << (bit & 31))) !== 0;
  }

  /**
   * Uses an admissible nonce.
   *
   * @param next one more than the highest used so far
   * @returns the same afterwards
   */
  use(row: number, next: number, nonce: number): number {
    this.#reserve(row);
    for (let skipped = next; skipped < nonce; skipped++) this.#clear(row, skipped);
    const bit = nonce % this.size;
    this.bits[row * this.words + (bit >> 5)]! |= 1 << (bit & 31);
    return nonce < next ? next : nonce + 1;
  }

  copy(): UsedNonces {
    const copy = new UsedNonces(this.size);
    copy.bits = this.bits.slice();
    return copy;
  }

  /** A word of a row, unsigned. */
  word(row: number, place: number): number {
    return (this.bits[row * this.words + place] ?? 0) >>> 0;
  }

  setWord(row: number, place: number, word: number): void {
    this.#reserve(row);
    this.bits[row * this.words + place] = word;
  }

  #clear(row: number, nonce: number): void {
    const bit = nonce % this.size;
    this.bits[row * this.words + (bit >> 5)]! &= ~(1 << (bit & 31));
  }

  #reserve(row: number): void {
    const wanted = (row + 1) * this.words;
    if (this.bits.length >= wanted) return;
    const bits = new Int32Array(Math.max(wanted, this.bits.length * 2));
    bits.set(this.bits);
    this.bits = bits;
  }
}
