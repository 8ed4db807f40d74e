/** What a check says besides its answer. One object serves many checks; the watch clears it between them. */
export interface Tally {
  /** How often what an invariant speaks of was there: a check counts up what it really looked at. */
  met: number;
  /** The least distance that was said with `near`. */
  least: number;
}

/**
 * Says how far from broken something is that was looked at: 0 just holds, negative is broken. In the unit that the
 * invariant names with `slack`; whole numbers only, so that every machine says the same.
 */
export function near(tally: Tally, distance: number | bigint): void {
  const plain = typeof distance === "bigint" ? Number(distance) : distance;
  if (plain < tally.least) tally.least = plain;
}
