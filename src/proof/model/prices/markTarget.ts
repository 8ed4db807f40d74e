import { abs, divFloor, divTrunc } from "../arithmetic.ts";

/** Inputs of a mark, reference prices of 1e-8 USD; undefined for a missing input. */
export interface MarkComponents {
  readonly index: bigint;
  readonly bid: bigint | undefined;
  readonly ask: bigint | undefined;
  readonly last: bigint | undefined;
  readonly reported: bigint | undefined;
}

/** The middle one. */
function medianOfThree(...values: readonly [bigint, bigint, bigint]): bigint {
  return [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))[1]!;
}

/** Median of best bid, best ask and last trade; a missing one is replaced by the index (PRC-3, `book`). */
export function computeBookPrice({ index, bid, ask, last }: MarkComponents): bigint {
  return medianOfThree(bid ?? index, ask ?? index, last ?? index);
}

/**
 * The average basis after a block: it moves toward mid less index by elapsed / (tau + elapsed), toward zero at 1e-8.
 * The mid is rounded down. Without orders on a side there is no mid, and a missing one counts as the index: a basis of
 * 0 (PRC-3).
 *
 *     basis' = basis + trunc((mid - index - basis) * elapsed / (tau + elapsed))
 */
export function computeBasis(
  basis: bigint,
  { index, bid, ask }: MarkComponents,
  elapsedMs: bigint,
  tauMs: bigint,
): bigint {
  const mid = bid === undefined || ask === undefined ? index : divFloor(bid + ask, 2n);
  return basis + divTrunc((mid - index - basis) * elapsedMs, tauMs + elapsedMs);
}

/**
 * Median of index + average basis, book price, and the reported mark. Of two, the nearer to the index; the first if
 * both are equally near (PRC-3, `median`).
 */
export function computeMedianMark(components: MarkComponents, basis: bigint): bigint {
  const { index, reported } = components;
  const average = index + basis;
  const book = computeBookPrice(components);
  if (reported !== undefined) return medianOfThree(average, book, reported);
  return abs(book - index) < abs(average - index) ? book : average;
}
