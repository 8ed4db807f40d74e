import { readGrant } from "../authorization/readGrant.ts";
import { APPLIED, rejected } from "../receipts.ts";
import { actingAccount, type Handler, type ModelAction } from "./handler.ts";

/** Records a grant of the owner to an agent; its id is that of the transaction (AUT). */
const apply: Handler<"grantAuthorization"> = (state, context, payload) => {
  if (!state.genesis.features.agents) return rejected("FEATURE_DISABLED");
  const account = actingAccount(context);
  const read = readGrant(state, account, payload);
  if (read === undefined) return rejected("GRANT_INVALID");
  const id = context.txId();
  state.grants.set(id, {
    ...read,
    id,
    ordinal: state.grants.size,
    owner: account.owner,
    status: read.validFrom > state.timeMs ? "scheduled" : "active",
    day: 0,
    used: 0n,
  });
  return APPLIED;
};

export const grantAuthorization: ModelAction<"grantAuthorization"> = { domain: "admin", apply };
