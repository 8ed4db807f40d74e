/** Most records of each kind; the oldest are dropped first. Open records are always kept. */
export interface HistoryLimits {
  /** Blocks, and transactions in them, that are read when the service starts. */
  readonly blocks: number;
  readonly transactions: number;
  readonly closedOrders: number;
  readonly endedIntents: number;
  /** Of all markets together. */
  readonly trades: number;
  /** Of each market. */
  readonly fundingRates: number;
  readonly liquidations: number;
  readonly insuranceChanges: number;
  /** Values of a block's events that are read at once; a larger block is read, and sent, in slices. */
  readonly valuesAtOnce: number;
}

export const HISTORY_LIMITS: HistoryLimits = {
  blocks: 20_000,
  transactions: 50_000,
  closedOrders: 100_000,
  endedIntents: 20_000,
  trades: 200_000,
  fundingRates: 2_000,
  liquidations: 10_000,
  insuranceChanges: 20_000,
  valuesAtOnce: 100_000,
};
