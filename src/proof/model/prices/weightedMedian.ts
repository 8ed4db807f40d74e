export interface Weighted {
  readonly value: bigint;
  readonly weight: bigint;
}

/**
 * The lower weighted median: the least value at which the cumulative weight reaches half (PRC-1). Values without weight
 * do not count; undefined if no value has weight.
 */
export function computeWeightedMedian(values: readonly Weighted[]): bigint | undefined {
  const counted = values.filter(({ weight }) => weight > 0n);
  const total = counted.reduce((sum, { weight }) => sum + weight, 0n);
  const candidates = counted.map(({ value }) => value).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return candidates.find((candidate) => {
    const upTo = counted.filter(({ value }) => value <= candidate).reduce((sum, { weight }) => sum + weight, 0n);
    return 2n * upTo >= total;
  });
}
