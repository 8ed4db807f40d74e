import { ACTION_NAMES, type ActionName } from "../../../protocol/actions/index.ts";

/**
 * Operations in the order in which case files store them. A new one is appended; before it, the actions that were added
 * since are written down here.
 */
const STORED = [
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

/** An action is an operation of its own, except for oracle updates: `price` moves the price that they report. */
export type Operation = (typeof STORED)[number] | Exclude<ActionName, "oracleUpdate">;

/**
 * Operations of genes; the first choice of a gene selects one by its index. The first one is the plainest: a block end
 * after one second. Actions that are not written down above follow in the order of their codes.
 */
export const OPERATIONS: readonly Operation[] = [
  ...STORED,
  ...ACTION_NAMES.filter(
    (name): name is Exclude<ActionName, "oracleUpdate"> =>
      name !== "oracleUpdate" && !(STORED as readonly string[]).includes(name),
  ),
];

/** Index of each operation. */
export const OPERATION = Object.fromEntries(OPERATIONS.map((name, place) => [name, place])) as {
  readonly [O in Operation]: number;
};
