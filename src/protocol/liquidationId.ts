/**
 * Numbers of liquidation records: `L-<height>-<n>` is the n-th, from 0, of those that begin in a block (LIQ), and
 * height * 65,536 + n in events.
 */
export const RECORDS_PER_BLOCK = 65_536;

/** `L-<height>-<n>` of a record's number. */
export function nameLiquidation(id: number): string {
  return `L-${Math.floor(id / RECORDS_PER_BLOCK)}-${id % RECORDS_PER_BLOCK}`;
}

export function liquidationOf(height: number, place: number): number {
  return height * RECORDS_PER_BLOCK + place;
}
