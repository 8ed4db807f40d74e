/**
 * What a gene can do; its first choice names one by its place. Order matters: files of cases keep it, so the list grows
 * at its end. The first one is the plainest: an end of a block after a second.
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
  // Whoever drives the venue.
  "gap",
  "duplicate",
  "delay",
  "reorder",
  "truncate",
  "crash",
  // Where genesis says devnet.
  "devnetSet",
  "devnetImpersonate",
  // In recipes alone: many transactions of a block.
  "flood",
] as const;

export type Operation = (typeof OPERATIONS)[number];

/** Place of each operation. */
export const OPERATION = Object.fromEntries(OPERATIONS.map((name, place) => [name, place])) as {
  readonly [O in Operation]: number;
};
