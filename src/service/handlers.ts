import type { Handlers } from "./handler.ts";
import { accountHandlers } from "./handlers/accounts.ts";
import { marketHandlers } from "./handlers/markets.ts";
import { networkHandlers } from "./handlers/network.ts";

/** Behaviour of every operation, by its id. */
export const handlers = {
  ...networkHandlers,
  ...marketHandlers,
  ...accountHandlers,
} satisfies Partial<Handlers>;
