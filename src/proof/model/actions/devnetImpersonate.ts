import { findAccount } from "../accounts.ts";
import { APPLIED, rejected } from "../receipts.ts";
import type { Handler, ModelAction } from "./handler.ts";

/**
 * Acts for an account without its signature: the carried transaction is applied afterwards (NET-3, see
 * applyTransaction).
 */
const apply: Handler<"devnetImpersonate"> = (state, context, payload) => {
  if (!state.genesis.features.devnet) return rejected("FEATURE_DISABLED");
  const carried = state.tools.draftCarried(payload, state.height);
  if (carried === undefined || findAccount(state, payload.account, payload.subaccount) === undefined)
    return rejected("CARRIED_INVALID");
  context.carry(carried);
  return APPLIED;
};

export const devnetImpersonate: ModelAction<"devnetImpersonate"> = { domain: "system", authority: "operator", apply };
