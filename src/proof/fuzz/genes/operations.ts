/**
 * Operations of genes; the first choice of a gene selects one by its index. Case files store the index, so new
 * operations are appended. The first one is the plainest: a block end after one second.
 */
export const OPERATIONS = [
  "block",
  // Users.
  "placeOrder",
  "placeOrders",
  "amendOrder",
  "cancelOrder",
  "cancelOrders",
  "cancelAll",
  "closePosition",
  "setLeverage",
  "setMarginMode",
  "adjustIsolatedMargin",
  "transfer",
  "withdraw",
  "placeIntent",
  "cancelIntent",
  "scheduleCancel",
  "noop",
  "grantAuthorization",
  "revokeAuthorization",
  // Authorities.
  "price",
  "deposit",
  "faucetMint",
  "fundInsurance",
  "createMarket",
  "updateMarket",
  "settleMarket",
  "houseFlow",
  // Drivers of the venue.
  "gap",
  "duplicate",
  "delay",
  "reorder",
  "truncate",
  "crash",
  // Only if genesis enables devnet.
  "devnetSet",
  "devnetImpersonate",
  // Only in recipes: many transactions in a block.
  "flood",
] as const;

export type Operation = (typeof OPERATIONS)[number];

/** Index of each operation. */
export const OPERATION = Object.fromEntries(OPERATIONS.map((name, place) => [name, place])) as {
  readonly [O in Operation]: number;
};
