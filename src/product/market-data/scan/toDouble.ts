/** The greatest double that is not above a whole number, which is not negative. */
export function toDouble(exact: bigint): number {
  const nearest = Number(exact);
  if (BigInt(nearest) <= exact) return nearest;
  // One unit in the last place less: a double beyond 2^53 is a whole number of 53 bits times a power of two.
  const bits = BigInt(exact.toString(2).length - 53);
  return Number((exact >> bits) << bits);
}
