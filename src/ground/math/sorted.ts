/** Number of values below a limit, in a rising list. */
export function countBelow(rising: ArrayLike<number>, limit: number, length: number = rising.length): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rising[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Number of values that are at most a limit, in a rising list. */
export function countUpTo(rising: ArrayLike<number>, limit: number): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rising[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
