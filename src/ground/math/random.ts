import type { Draw } from "./draw.ts";

/**
 * Seeded pseudo-random numbers: xoshiro128** (Blackman and Vigna, public domain algorithm). The state is 128 bits in an
 * `Int32Array`, so that saving and restoring is copying four words. Not for secrets.
 */
export class Random implements Draw {
  /** Four words, not all zero. Copy them out to save, `set` them to restore. */
  readonly state: Int32Array;

  /** @param words four 32-bit words; all zero is replaced, since the generator would stay there */
  constructor(words: ArrayLike<number>) {
    this.state = Int32Array.of(words[0] ?? 0, words[1] ?? 0, words[2] ?? 0, words[3] ?? 0);
    if ((this.state[0]! | this.state[1]! | this.state[2]! | this.state[3]!) === 0) this.state[0] = 0x9e3779b9 | 0;
  }

  /**
   * A generator for seeds that may be alike: neighbouring ones draw the same at first, so the first 16 draws are thrown
   * away.
   *
   * @param words as for the constructor
   */
  static ofSeed(words: ArrayLike<number>): Random {
    const random = new Random(words);
    for (let draw = 0; draw < 16; draw++) random.int32();
    return random;
  }

  /** The next 32 bits as a signed integer. */
  int32(): number {
    const s = this.state;
    const s1 = s[1]!;
    let r = Math.imul(s1, 5);
    r = Math.imul((r << 7) | (r >>> 25), 9);
    const t = s1 << 9;
    s[2]! ^= s[0]!;
    s[3]! ^= s1;
    s[1]! ^= s[2]!;
    s[0]! ^= s[3]!;
    s[2]! ^= t;
    const last = s[3]!;
    s[3] = (last << 11) | (last >>> 21);
    return r;
  }

  /** A whole number in [0, bound), every one equally likely. `bound` is 1 to 2^53. */
  below(bound: number): number {
    if (bound > 4_294_967_296) return this.#belowBig(bound);
    const rest = 4_294_967_296 % bound;
    for (;;) {
      const value = this.int32() >>> 0;
      if (value < 4_294_967_296 - rest) return value % bound;
    }
  }

  /** As `below`, for bounds up to 2^53. */
  #belowBig(bound: number): number {
    const rest = 9_007_199_254_740_992 % bound;
    for (;;) {
      const value = (this.int32() >>> 11) * 4_294_967_296 + (this.int32() >>> 0);
      if (value < 9_007_199_254_740_992 - rest) return value % bound;
    }
  }

  /** A whole number in [low, high], both included; the range is at most 2^53 wide. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  /** True in `numerator` out of `denominator` draws. */
  chance(numerator: number, denominator: number): boolean {
    return this.below(denominator) < numerator;
  }

  /** A fraction in [0, 1) with 53 bits. For drivers only: no fraction may reach state. */
  fraction(): number {
    return ((this.int32() >>> 5) * 67_108_864 + (this.int32() >>> 6)) / 9_007_199_254_740_992;
  }

  /** One element of a list that is not empty. */
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** An independent generator with the same state, for a fork. */
  clone(): Random {
    return new Random(this.state);
  }
}
