/** Outcome of a run for its traders: the figures that venues and rules are compared by. */

/** Amounts are quote units (1e-6 USD); sums over accounts, so of any size. */
export interface Outcome {
  readonly blocks: number;
  readonly height: number;
  readonly timeMs: number;
  readonly transactions: { readonly applied: number; readonly rejected: number; readonly invalid: number };
  readonly liquidations: {
    /** Margin accounts that had a liquidation step; one that is closed in chunks counts each time. */
    readonly liquidationSteps: number;
    readonly accounts: number;
    /** Value that liquidations filled in the book. */
    readonly bookValue: bigint;
    /**
     * Value at which positions were closed against the other side: at the bankruptcy price, or by policy at the mark
     * before.
     */
    readonly deleveragedValue: bigint;
    /** Value closed against the other side at the mark. */
    readonly closedOutValue: bigint;
    /** Value that backstops took over. */
    readonly takenOverValue: bigint;
    /** Accounts that a liquidation left with no position and nothing of their collateral. */
    readonly wipedOut: number;
  };
  readonly insurance: {
    readonly start: bigint;
    readonly least: bigint;
    readonly end: bigint;
    /** What it paid to cover fills and deficits. */
    readonly paid: bigint;
    /** Its balance over time, at most `PATH_POINTS` points. */
    readonly path: readonly { readonly timeMs: number; readonly balance: bigint }[];
  };
  readonly socialized: bigint;
  readonly badDebt: bigint;
  /** What payers of funding paid and receivers received. */
  readonly fundingPaid: bigint;
  readonly fundingReceived: bigint;
  readonly fees: bigint;
  readonly fairness: Fairness;
}

/** Who bore deleveraging and close-outs. */
export interface Fairness {
  readonly accounts: number;
  /** Share of the tenth of those accounts that bore most, rounded up to whole accounts, in ppm of the value. */
  readonly topTenthPpm: number;
  /**
   * Accounts whose positions in other markets hedged those that were closed against them, and the value taken from
   * them.
   */
  readonly hedgedAccounts: number;
  readonly hedgedValue: bigint;
}

/** Most points of an insurance path. */
export const PATH_POINTS = 512;
