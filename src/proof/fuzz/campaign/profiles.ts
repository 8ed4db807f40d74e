/** Settings of a search. Shares are percent. */
export interface SearchProfile {
  readonly about: string;
  /** Case lengths in genes. The search picks one, then draws a length between half of it and all of it. */
  readonly lengths: readonly number[];
  /** Share of newly drawn cases; the others are mutants of cases in the pool. */
  readonly fresh: number;
  /** Share of new cases with a restricted set of operations, and share of new cases built on a recipe. */
  readonly swarm: number;
  /** Share of cases that run twice, with restarts, and against a metamorphic variant. */
  readonly again: number;
  readonly restored: number;
  readonly metamorphic: number;
  /** Share of cases with every check after every block; see `Job.thorough`. */
  readonly thorough: number;
  /**
   * For the other cases: blocks between two sweeps of the whole venue, and between two of the most expensive checks.
   */
  readonly sweepEvery: number;
  readonly heavyEvery: number;
  /** Share of cases that continue from a moment at which another case reached something new. Checks start there. */
  readonly starts: number;
  /** True if a case with a new smallest slack enters the pool. */
  readonly slack: boolean;
  /** True if faults are planted first and must be found. */
  readonly canaries: boolean;
  /** Number of transactions unless the caller gives one. */
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
    // One case in a hundred is a million transactions of a long search. Each costs nine plain cases.
    thorough: 1,
    sweepEvery: 16,
    // At 256, the expensive sweeps took a third of the time of a search. Longer searches find more.
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
