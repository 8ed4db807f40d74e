import { accountListHandlers } from "./accountLists.ts";
import { accountHandlers } from "./accounts.ts";
import { authorizationHandlers } from "./authorizations.ts";
import { contractHandlers } from "./contract.ts";
import { faucetHandlers } from "./faucet.ts";
import type { Handlers } from "./handler.ts";
import { liquidationHandlers } from "./liquidations.ts";
import { marketHandlers } from "./markets.ts";
import { networkHandlers } from "./network.ts";
import { sessionHandlers } from "./session.ts";
import { submissionHandlers } from "./submission.ts";

/** Implementation of every operation, by its id. */
export const handlers = {
  ...networkHandlers,
  ...marketHandlers,
  ...accountHandlers,
  ...submissionHandlers,
  ...sessionHandlers,
  ...faucetHandlers,
  ...contractHandlers,
  ...accountListHandlers,
  ...liquidationHandlers,
  ...authorizationHandlers,
} satisfies Handlers;
