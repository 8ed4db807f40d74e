import type { Random } from "../../../ground/math/random.ts";
import type { FuzzCase } from "../case/fuzzCase.ts";

/** A case that reached a place no earlier case had reached. */
export interface PoolEntry {
  readonly name: string;
  readonly given: FuzzCase;
  /** Places of the map that it reached. */
  readonly places: Uint16Array;
  /** Gene counts at which it had just reached something new. Other cases start there. */
  readonly starts: readonly number[];
}

/** A moment of a case at which it reached something new. */
export interface StartPoint {
  readonly entry: PoolEntry;
  /** Genes up to this moment. */
  readonly genes: number;
}

/** Choices that a pool holds before it drops cases: 64 MB. */
const CHOICES_MOST = 32 * 1024 * 1024;

/**
 * Pool of cases that a campaign mutates. When it is too large, it keeps the shortest case for each place of the map.
 * The result depends only on the cases added and their order.
 */
export class Pool {
  #entries: PoolEntry[] = [];
  #choices = 0;
  readonly #most: number;

  constructor(most = CHOICES_MOST) {
    this.#most = most;
  }

  get entries(): readonly PoolEntry[] {
    return this.#entries;
  }

  add(entry: PoolEntry): void {
    this.#entries.push(entry);
    this.#choices += entry.given.genes.length;
    if (this.#choices > this.#most) this.#drop();
  }

  /** Picks a case to mutate, later ones more often: recent cases are likelier to reach new places. */
  pick(random: Random): PoolEntry | undefined {
    const count = this.#entries.length;
    if (count === 0) return undefined;
    return this.#entries[Math.max(random.below(count), random.below(count))];
  }

  /** Picks a starting point, later ones more often. */
  pickStart(random: Random): StartPoint | undefined {
    const entry = this.pick(random);
    if (entry === undefined || entry.starts.length === 0) return undefined;
    return { entry, genes: random.pick(entry.starts) };
  }

  #drop(): void {
    const shortest = new Map<number, PoolEntry>();
    for (const entry of this.#entries) {
      for (const place of entry.places) {
        const best = shortest.get(place);
        if (best === undefined || entry.given.genes.length < best.given.genes.length) shortest.set(place, entry);
      }
    }
    const kept = new Set(shortest.values());
    // If the rest is still too large, the oldest cases are dropped.
    let left = 0;
    for (const { given } of kept) left += given.genes.length;
    for (const entry of kept) {
      if (left <= this.#most / 2) break;
      kept.delete(entry);
      left -= entry.given.genes.length;
    }
    this.#entries = this.#entries.filter((entry) => kept.has(entry));
    this.#choices = left;
  }
}
