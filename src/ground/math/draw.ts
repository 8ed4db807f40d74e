/**
 * Where numbers are drawn from: a seeded `Random`, or the choices of a fuzz case. Code that draws through it serves
 * both.
 */
export interface Draw {
  /** A whole number in [0, bound). `bound` is 1 to 2^32. */
  below(bound: number): number;
  /** A whole number in [low, high], both included; the range is at most 2^32 wide. */
  between(low: number, high: number): number;
  /** True in about `numerator` out of `denominator` draws. */
  chance(numerator: number, denominator: number): boolean;
  /** One element of a list that is not empty. */
  pick<T>(list: readonly T[]): T;
  /** A copy that draws the same next numbers, without advancing this one. */
  clone(): Draw;
}
