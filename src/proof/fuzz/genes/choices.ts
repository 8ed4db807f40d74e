import type { Draw } from "../../../ground/math/draw.ts";

/** Number of choices in a gene. */
export const GENE_WIDTH = 24;

/** One more than the greatest choice. */
const CHOICES = 65_536;

/**
 * Reads numbers from a list of 16-bit choices. Choice 0 is always the plainest: the first of a list, the likelier of
 * two, the number of a range nearest to zero. After the end it returns numbers hashed from the last choice, or zeros if
 * that choice is 0, so that drawing never fails.
 *
 * One object serves many genes: `read` moves it to another range.
 */
export class Choices implements Draw {
  #list: Uint16Array;
  #at = 0;
  #end = 0;
  #tail = 0;

  constructor(list: Uint16Array, from = 0, width: number = list.length - from) {
    this.#list = list;
    this.read(list, from, width);
  }

  /** Starts reading `width` choices at a position of a list. */
  read(list: Uint16Array, from: number, width: number): void {
    this.#list = list;
    this.#at = from;
    this.#end = Math.min(from + width, list.length);
    this.#tail = this.#end > from ? list[this.#end - 1]! : 0;
  }

  /** Returns the next choice, 0 to 65,535. */
  next(): number {
    if (this.#at < this.#end) return this.#list[this.#at++]!;
    let tail = this.#tail;
    tail ^= tail << 13; // xorshift32 maps only 0 to 0
    tail ^= tail >>> 17;
    tail ^= tail << 5;
    this.#tail = tail;
    return tail & 0xffff;
  }

  below(bound: number): number {
    return bound <= CHOICES ? this.next() % bound : (this.next() * CHOICES + this.next()) % bound;
  }

  between(low: number, high: number): number {
    const offset = this.below(high - low + 1);
    if (low > 0) return low + offset;
    if (high < 0) return high - offset;
    return offset <= high ? offset : high - offset;
  }

  chance(numerator: number, denominator: number): boolean {
    const value = this.below(denominator);
    return 2 * numerator <= denominator ? value >= denominator - numerator : value < numerator;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  clone(): Choices {
    const clone = new Choices(this.#list, this.#at, this.#end - this.#at);
    clone.#tail = this.#tail;
    return clone;
  }
}

/** A list for `pick` with each item as often as its weight, the plainest first. */
export function weigh<T extends string>(weights: Readonly<Record<T, number>>): readonly T[] {
  return (Object.keys(weights) as T[]).flatMap((name) => Array.from({ length: weights[name] }, () => name));
}
