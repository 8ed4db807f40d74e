import { fartherThan, MAP_SIZE } from "./layout.ts";
import { NAMED_PLACES } from "./namedPlaces.ts";

/** Bit for a count: 1, 2, 3, up to 7, 15, 31, 127, or more. */
export function bucketOf(count: number): number {
  if (count < 4) return count < 3 ? count : 4;
  if (count < 16) return count < 8 ? 8 : 16;
  return count < 32 ? 32 : count < 128 ? 64 : 128;
}

/** A place whose every count bucket was reached. */
const EVERY_COUNT = 255;

/** Coverage of all runs of a search together. */
export class Coverage {
  /** Count buckets reached per place, one bit each. */
  readonly buckets: Uint8Array;
  /** Total count per place. */
  readonly totals: Float64Array;

  constructor(buckets = new Uint8Array(MAP_SIZE), totals = new Float64Array(MAP_SIZE)) {
    this.buckets = buckets;
    this.totals = totals;
  }

  /**
   * Adds the coverage of a run.
   *
   * @param pairs as `CoverageMap.read` returns them
   * @returns the number of new buckets, and the indices of the pairs whose place is new
   */
  merge(pairs: Uint32Array): { buckets: number; places: number[] } {
    let buckets = 0;
    const places: number[] = [];
    for (let at = 0; at < pairs.length; at += 2) {
      const place = pairs[at]!;
      const count = pairs[at + 1]!;
      const bucket = bucketOf(count);
      const seen = this.buckets[place]!;
      this.totals[place]! += count;
      if ((seen & bucket) !== 0) continue;
      buckets++;
      if (seen === 0) places.push(at / 2);
      this.buckets[place] = seen | bucket;
      // A run with a smaller distance than any before also covers all larger distances.
      const [from, to] = fartherThan(place);
      this.buckets.fill(EVERY_COUNT, from, to);
    }
    return { buckets, places };
  }

  /** Number of places reached. Of the distances to breaking an invariant, only the smallest counts. */
  get places(): number {
    let count = 0;
    for (const total of this.totals) if (total !== 0) count++;
    return count;
  }

  /** Total counts by name; names that were never reached are missing. */
  named(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { place, name } of NAMED_PLACES) {
      const total = this.totals[place]!;
      if (total > 0) counts.set(name, (counts.get(name) ?? 0) + total);
    }
    return counts;
  }
}
