/** Why the pool does not take a transaction, by code. */
export const POOL_CODES = {
  NOT_ADMISSIBLE: "The next block could not carry it; `reason` is the receipt's code.",
  ALREADY_PENDING: "This very transaction is pending.",
  NONCE_PENDING: "Another transaction with this nonce is pending; name it in `replaces` to take its place.",
  REPLACES_UNKNOWN: "`replaces` names no pending transaction of this lane and nonce.",
  LANE_FULL: "The lane has as many pending transactions as it may.",
  POOL_FULL: "The pool has as many pending transactions as it may.",
} as const;

export type PoolCode = keyof typeof POOL_CODES;
