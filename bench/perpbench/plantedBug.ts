/** Budget of a search, in transactions. */
export const TIERS = { A: 10_000, B: 1_000_000, C: 5_000_000 } as const;

export type Tier = keyof typeof TIERS;

/** One replacement in a source file. The text to find occurs exactly once. */
export interface Edit {
  /** Path under `src`. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** A bug that a perpetual venue had, or could have had, as a switch in a copy of the sources. */
export interface PlantedBug {
  /** 1 to 40, the numbers of the benchmark; from 41 on planted from the rulebook without regard to the search. */
  readonly number: number;
  readonly title: string;
  /** Source of the bug: project and commit, issue or changelog; `own` for our own. */
  readonly provenance: string;
  /** Difference from the original bug, if it could not be planted exactly. */
  readonly nearest?: string;
  /** Rules of the protocol that it breaks. */
  readonly rules: readonly string[];
  readonly tier: Tier;
  /** Invariants by id or catalogue id, or `model`. A detection counts as attributed if one of them is first. */
  readonly expected: readonly string[];
  readonly edits: readonly Edit[];
}
