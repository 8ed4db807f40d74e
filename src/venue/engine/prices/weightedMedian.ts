/** A value with the weight of who reports it. */
export interface Weighted {
  readonly value: number;
  readonly weight: number;
}

/**
 * The lower weighted median: the least value such that it and what lies below it have at least half of the weight
 * (PRC-1). Of an even split it is the lower one. Values without weight do not count; 0 where there is none.
 */
export function weightedMedian(list: readonly Weighted[]): number {
  const sorted = list.filter(hasWeight).sort(compareValues);
  let whole = 0;
  for (const { weight } of sorted) whole += weight;
  let below = 0;
  for (const { value, weight } of sorted) {
    below += weight;
    if (below * 2 >= whole) return value;
  }
  return 0;
}

function hasWeight({ weight }: Weighted): boolean {
  return weight > 0;
}

function compareValues(a: Weighted, b: Weighted): number {
  return a.value - b.value;
}
