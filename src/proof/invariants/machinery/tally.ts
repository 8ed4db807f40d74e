/** Statistics of a check. One object serves many checks; the watch resets it between them. */
export interface Tally {
  /** How often a check met its subject: each check counts only the cases that it really compared. */
  met: number;
  /** The least distance reported with `near`. */
  least: number;
}

/**
 * Reports how far from broken a checked object is: 0 just holds, negative is broken. In the unit that the invariant
 * names with `slack`; whole numbers only, so that results are equal on every machine.
 */
export function near(tally: Tally, distance: number | bigint): void {
  const plain = typeof distance === "bigint" ? Number(distance) : distance;
  if (plain < tally.least) tally.least = plain;
}
