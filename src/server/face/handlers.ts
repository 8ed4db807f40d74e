import type { Handlers } from "./handler.ts";
import { accountListHandlers } from "./handlers/accountLists.ts";
import { accountHandlers } from "./handlers/accounts.ts";
import { authorizationHandlers } from "./handlers/authorizations.ts";
import { contractHandlers } from "./handlers/contract.ts";
import { faucetHandlers } from "./handlers/faucet.ts";
import { liquidationHandlers } from "./handlers/liquidations.ts";
import { marketHandlers } from "./handlers/markets.ts";
import { networkHandlers } from "./handlers/network.ts";
import { sessionHandlers } from "./handlers/session.ts";
import { submissionHandlers } from "./handlers/submission.ts";

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
