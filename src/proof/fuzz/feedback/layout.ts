/**
 * Which place of the map stands for what. Five regions: outcomes of actions, labels of events, which label follows which
 * at one account, how near invariants came to being broken, and what the venue is like after a block.
 */

export const MAP_SIZE = 65_536;

/** Outcomes of one action: rejections from 1, what became of an order from `APPLIED`, inadmissible from the end. */
const OUTCOMES = 256;
const APPLIED = 200;
const OUTCOMES_START = 0;
const LABELS_START = 16_384;
const PAIRS_START = 16_896;
/** Labels that pairs are told apart by; further ones share places. */
const PAIR_LABELS = 180;
const NEAREST_START = PAIRS_START + PAIR_LABELS * PAIR_LABELS;
/** Orders of magnitude of a distance. */
const DISTANCES = 64;
/** Invariants that say how near they came; what comes behind them is not counted. */
const NEAREST_MOST = 88;
/** Where the state's buckets start; see `stateBuckets.ts`. */
export const STATE_START: number = NEAREST_START + NEAREST_MOST * DISTANCES;

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
 * The place of the least distance of a run, undefined behind the last invariant that is counted.
 *
 * @param slot place of the invariant among those that have a slack
 */
export function placeOfNearest(slot: number, distance: number): number | undefined {
  return slot < NEAREST_MOST ? NEAREST_START + slot * DISTANCES + magnitude(distance) : undefined;
}

/** The first place that is farther away than this one, and the one behind the farthest; the same where it is no distance. */
export function fartherThan(place: number): readonly [from: number, to: number] {
  if (place < NEAREST_START || place >= STATE_START) return [place, place];
  const slot = Math.floor((place - NEAREST_START) / DISTANCES);
  return [place + 1, NEAREST_START + (slot + 1) * DISTANCES];
}

/** Order of magnitude of a whole number: 0 for 0 and below, 1 for 1, 2 for 2 and 3, to 54. */
export function magnitude(value: number): number {
  if (value < 1) return 0;
  return value < 4_294_967_296 ? 32 - Math.clz32(value) : 64 - Math.clz32(value / 4_294_967_296);
}
