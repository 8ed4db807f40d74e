import { fartherThan, MAP_SIZE } from "./layout.ts";
import { NAMED_PLACES } from "./namedPlaces.ts";

/** One bit for how often: once, twice, three times, up to 7, 15, 31, 127, or more. */
export function bucketOf(count: number): number {
  if (count < 4) return count < 3 ? count : 4;
  if (count < 16) return count < 8 ? 8 : 16;
  return count < 32 ? 32 : count < 128 ? 64 : 128;
}

/** A place in which no count is new any more. */
const EVERY_COUNT = 255;

/** What all runs of a search reached together. */
export class Coverage {
  /** Buckets seen of each place, a bit each. */
  readonly buckets: Uint8Array;
  /** How often each place was counted in all. */
  readonly totals: Float64Array;

  constructor(buckets = new Uint8Array(MAP_SIZE), totals = new Float64Array(MAP_SIZE)) {
    this.buckets = buckets;
    this.totals = totals;
  }

  /**
   * Adds what a run reached.
   *
   * @param pairs as `CoverageMap.read` gives them
   * @returns how many buckets were new, and which of the pairs are of new places
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
      // Who came nearer than anybody also came as near as others will.
      const [from, to] = fartherThan(place);
      this.buckets.fill(EVERY_COUNT, from, to);
    }
    return { buckets, places };
  }

  /** Places reached: those that are only farther from broken than others are not among them. */
  get places(): number {
    let count = 0;
    for (const total of this.totals) if (total !== 0) count++;
    return count;
  }

  /** How often what has a name was reached; what never was is not in it. */
  named(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { place, name } of NAMED_PLACES) {
      const total = this.totals[place]!;
      if (total > 0) counts.set(name, (counts.get(name) ?? 0) + total);
    }
    return counts;
  }
}
