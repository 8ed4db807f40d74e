/** How a search goes about it. Shares are in a hundred. */
export interface SearchProfile {
  readonly about: string;
  /** Lengths of cases in genes: one is picked, and the case is between half of it and all of it long. */
  readonly lengths: readonly number[];
  /** Cases that are drawn anew; the others are mutants of what reached something. */
  readonly fresh: number;
  /** Of the fresh ones, those of which each does only some things, and those with a scheme of their own. */
  readonly swarm: number;
  /** Cases that are run twice, restored on the way, and compared with a changed self. */
  readonly again: number;
  readonly restored: number;
  readonly metamorphic: number;
  /** Cases of which everything is looked at after every block. */
  readonly thorough: number;
  /** Of the others: blocks between two sweeps over the whole venue, and between two checks that cost most. */
  readonly sweepEvery: number;
  readonly heavyEvery: number;
  /** Cases that go on from a moment at which another reached something new; looking begins there. */
  readonly starts: number;
  /** A case that comes nearer to breaking an invariant than any before is gone on from. */
  readonly slack: boolean;
  /** Faults are planted first, and have to be found. */
  readonly canaries: boolean;
  /** What it ends after where the caller says nothing. */
  readonly transactions: number;
  readonly timeMs: number;
}

export const SEARCH_PROFILES = {
  smoke: {
    about: "short and mixed, for every change",
    lengths: [120, 400],
    fresh: 60,
    swarm: 50,
    again: 5,
    restored: 2,
    metamorphic: 5,
    thorough: 2,
    sweepEvery: 8,
    heavyEvery: 64,
    slack: true,
    starts: 0,
    canaries: true,
    transactions: 300_000,
    timeMs: 45_000,
  },
  nightly: {
    about: "long cases and mutants of what reached something new",
    lengths: [200, 800, 3_000, 12_000],
    fresh: 30,
    swarm: 60,
    again: 5,
    restored: 1,
    metamorphic: 5,
    // A case in a hundred is a million transactions of a long search; each costs nine plain ones.
    thorough: 1,
    sweepEvery: 16,
    // At 256 the heavy sweeps took a third of a search, which finds more by going further.
    heavyEvery: 512,
    slack: true,
    starts: 0,
    canaries: false,
    transactions: Number.POSITIVE_INFINITY,
    timeMs: 1_800_000,
  },
  swarm: {
    about: "each case does only some things, and those often",
    lengths: [200, 800, 3_000],
    fresh: 70,
    swarm: 100,
    again: 5,
    restored: 1,
    metamorphic: 5,
    thorough: 2,
    sweepEvery: 16,
    heavyEvery: 256,
    slack: true,
    starts: 0,
    canaries: false,
    transactions: Number.POSITIVE_INFINITY,
    timeMs: 600_000,
  },
  deep: {
    about: "half of the cases begin where another reached something new",
    lengths: [120, 400],
    fresh: 40,
    swarm: 50,
    again: 5,
    restored: 1,
    metamorphic: 5,
    thorough: 2,
    sweepEvery: 8,
    heavyEvery: 64,
    slack: true,
    starts: 50,
    canaries: false,
    transactions: Number.POSITIVE_INFINITY,
    timeMs: 600_000,
  },
} as const satisfies Readonly<Record<string, SearchProfile>>;

export type SearchProfileName = keyof typeof SEARCH_PROFILES;
