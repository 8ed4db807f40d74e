/** Why the pool does not take a transaction, by code. */
export const POOL_CODES = {
  NOT_ADMISSIBLE: "The next block could not include the transaction; `reason` is the receipt's code.",
  VALIDITY_EMPTY:
    "The first height is above the last, so no block can include the transaction; sign it again with another range.",
  VALIDITY_TOO_FAR:
    "The first height is further above the venue's height than the longest validity; send the transaction later.",
  ALREADY_PENDING: "The same transaction is already pending.",
  NONCE_PENDING: "Another transaction with this nonce is pending; name it in `replaces` to take its place.",
  REPLACES_UNKNOWN: "`replaces` names no pending transaction of this lane and nonce.",
  LANE_FULL: "The lane is full, and this transaction is the furthest from execution.",
  OWNER_FULL:
    "The owner has reached the limit of pending transactions over all subaccounts and agents, and this one is dropped.",
  POOL_FULL: "The pool is full, and the pending transactions have precedence over this one.",
} as const;

export type PoolCode = keyof typeof POOL_CODES;

/** Why a pending transaction ended as `dropped` although the venue would still have admitted it. */
export const EVICTION_CODES = {
  EVICTED: "The pending pool was full, and another transaction took its place; its nonce was not used.",
} as const;

export type EvictionCode = keyof typeof EVICTION_CODES;
