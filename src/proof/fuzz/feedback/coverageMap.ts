import { MAP_SIZE } from "./layout.ts";

/** Counts of the places that one run reached. Clearing costs only the places reached, not the whole map. */
export class CoverageMap {
  readonly counts: Uint32Array = new Uint32Array(MAP_SIZE);
  readonly #reached: number[] = [];
  /** Height at which each place was first reached. */
  readonly #firsts = new Float64Array(MAP_SIZE);
  /** Current height, which `count` records. */
  now = 0;

  count(place: number): void {
    if (this.counts[place]!++ !== 0) return;
    this.#reached.push(place);
    this.#firsts[place] = this.now;
  }

  /** Height at which a place was first reached, if it was. */
  firstOf(place: number): number {
    return this.#firsts[place]!;
  }

  clear(): void {
    for (const place of this.#reached) this.counts[place] = 0;
    this.#reached.length = 0;
  }

  /** Pairs of place and count, by ascending place. */
  read(): Uint32Array {
    const places = Uint32Array.from(this.#reached).sort();
    const pairs = new Uint32Array(places.length * 2);
    for (const [at, place] of places.entries()) {
      pairs[at * 2] = place;
      pairs[at * 2 + 1] = this.counts[place]!;
    }
    return pairs;
  }
}
