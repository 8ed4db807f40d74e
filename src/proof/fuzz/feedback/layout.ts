/**
 * Layout of the coverage map. Six regions: outcomes of actions, labels of events, pairs of consecutive labels of one
 * account, distances to breaking an invariant, the state after a block, and sums that a second contributor decided.
 */

export const MAP_SIZE = 65_536;

/** Outcomes of one action: rejections from 1, order results from `APPLIED`, invalid transactions from the end. */
const OUTCOMES = 256;
const APPLIED = 200;
const OUTCOMES_START = 0;
const LABELS_START = 16_384;
const PAIRS_START = 16_896;
/** Number of labels with separate places for pairs; further labels share places. */
const PAIR_LABELS = 180;
const NEAREST_START = PAIRS_START + PAIR_LABELS * PAIR_LABELS;
/** Orders of magnitude of a distance. */
const DISTANCES = 64;
/** Number of invariants whose slack is counted; later ones are not. */
const NEAREST_MOST = 88;
/** Start of the state region; see `stateBuckets.ts`. */
export const STATE_START: number = NEAREST_START + NEAREST_MOST * DISTANCES;

/** Start of the places of second contributors, at the end of the map; see `contributors.ts`. */
export const CONTRIBUTORS_START: number = MAP_SIZE - 128;

/** @param code as in `Receipts.codes` @param outcome as in `Receipts.outcomes` */
export function placeOfOutcome(action: number, code: number, outcome: number): number {
  const variant = code === 0 ? APPLIED + outcome : code > 0 ? code : OUTCOMES + code;
  return OUTCOMES_START + action * OUTCOMES + variant;
}

export function placeOfLabel(label: number): number {
  return LABELS_START + label;
}

export function placeOfPair(before: number, after: number): number {
  return PAIRS_START + (before % PAIR_LABELS) * PAIR_LABELS + (after % PAIR_LABELS);
}

/**
 * Returns the place for the smallest distance of a run; undefined after the last invariant that is counted.
 *
 * @param slot index of the invariant among those with a slack
 */
export function placeOfNearest(slot: number, distance: number): number | undefined {
  return slot < NEAREST_MOST ? NEAREST_START + slot * DISTANCES + magnitude(distance) : undefined;
}

/**
 * Range of the places with a larger distance than this one: the first, and the one after the last. Empty if the place
 * is not a distance.
 */
export function fartherThan(place: number): readonly [from: number, to: number] {
  if (place < NEAREST_START || place >= STATE_START) return [place, place];
  const slot = Math.floor((place - NEAREST_START) / DISTANCES);
  return [place + 1, NEAREST_START + (slot + 1) * DISTANCES];
}

/** Order of magnitude of a whole number: 0 for 0 and below, 1 for 1, 2 for 2 and 3, up to 54. */
export function magnitude(value: number): number {
  if (value < 1) return 0;
  return value < 4_294_967_296 ? 32 - Math.clz32(value) : 64 - Math.clz32(value / 4_294_967_296);
}
