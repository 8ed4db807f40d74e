import type { Random } from "../../../ground/math/random.ts";
import type { FuzzCase } from "../case/fuzzCase.ts";

/** A case that reached something that none before did. */
export interface PoolEntry {
  readonly name: string;
  readonly given: FuzzCase;
  /** Places of the map that it reached. */
  readonly places: Uint16Array;
  /** Genes behind which it stood where it reached something new: others begin there. */
  readonly starts: readonly number[];
}

/** A moment of a case at which it reached something new. */
export interface StartPoint {
  readonly entry: PoolEntry;
  /** Genes up to there. */
  readonly genes: number;
}

/** Choices that a pool holds before it drops cases: 64 MB. */
const CHOICES_MOST = 32 * 1024 * 1024;

/**
 * The cases that a campaign goes on from. Grown too large, it keeps those that are the shortest way to some place of the
 * map. What it does depends on nothing but what was added, in that order.
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

  /** A case to go on from, later ones more often: what is new is likelier to lead on. */
  pick(random: Random): PoolEntry | undefined {
    const count = this.#entries.length;
    if (count === 0) return undefined;
    return this.#entries[Math.max(random.below(count), random.below(count))];
  }

  /** A moment to begin at, later ones more often. */
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
    // What is still too large goes from its oldest on.
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
