import { MAP_SIZE } from "./layout.ts";

/**
 * What one run reached: how often each place of the map was counted. Clearing costs what was reached, not the map.
 */
export class CoverageMap {
  readonly counts: Uint32Array = new Uint32Array(MAP_SIZE);
  readonly #reached: number[] = [];
  /** When each place was reached first. */
  readonly #firsts = new Float64Array(MAP_SIZE);
  /** What is counted happens now: the height of a block. */
  now = 0;

  count(place: number): void {
    if (this.counts[place]!++ !== 0) return;
    this.#reached.push(place);
    this.#firsts[place] = this.now;
  }

  /** When a place was reached first, if it was. */
  firstOf(place: number): number {
    return this.#firsts[place]!;
  }

  clear(): void {
    for (const place of this.#reached) this.counts[place] = 0;
    this.#reached.length = 0;
  }

  /** Places and their counts in pairs, by rising place. */
  read(): Uint32Array {
    const places = this.#reached.slice().sort((a, b) => a - b);
    const pairs = new Uint32Array(places.length * 2);
    for (const [at, place] of places.entries()) {
      pairs[at * 2] = place;
      pairs[at * 2 + 1] = this.counts[place]!;
    }
    return pairs;
  }
}
