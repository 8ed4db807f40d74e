import { type DemandOf, isNamed } from "../authorization/demand.ts";
import { cancelIntents } from "../intents/hooks.ts";
import { APPLIED, refuse, rejected } from "../receipts.ts";
import { actingAccount, type Handler, type ModelAction } from "./handler.ts";

const demand: DemandOf<"cancelIntent"> = ({ intent, clientIntentId }, state, account) => ({
  scope: "cancel",
  markets: [...state.intents.values()]
    .filter((found) => found.account === account)
    .filter((found) => isNamed(found.id, found.clientIntentId, intent, clientIntentId))
    .map((found) => found.market.name),
});

/**
 * Cancels one intent with its resting order, or all intents with a name. Id and name together must agree (INT, ACT-3).
 */
const apply: Handler<"cancelIntent"> = (state, context, { intent: id, clientIntentId }) => {
  const account = actingAccount(context);
  if (id !== 0) {
    const intent = state.intents.get(id);
    const isNamed = intent?.account === account && intent.clientIntentId === clientIntentId;
    if (clientIntentId !== "" && !isNamed)
      return rejected(refuse(state, "INTENT_NOT_FOUND", { intent: id, clientIntentId }));
    if (intent === undefined) return rejected("INTENT_NOT_FOUND");
    if (intent.account !== account) return rejected("NOT_INTENT_OWNER");
    cancelIntents(state, "owner", (other) => other === intent);
    return APPLIED;
  }
  const named = [...state.intents.values()].filter(
    (intent) => intent.account === account && clientIntentId !== "" && intent.clientIntentId === clientIntentId,
  );
  if (named.length === 0) return rejected("INTENT_NOT_FOUND");
  cancelIntents(state, "owner", (intent) => named.includes(intent));
  return APPLIED;
};

export const cancelIntent: ModelAction<"cancelIntent"> = { domain: "trading", demand, apply };
