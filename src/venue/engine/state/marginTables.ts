import type { State } from "./state.ts";

/** What margin is computed from. */
export type MarginTables = Pick<
  State,
  "accounts" | "positions" | "markets" | "parameters" | "health" | "isolatedHealth"
>;
