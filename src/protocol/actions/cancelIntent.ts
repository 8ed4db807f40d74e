import { defineAction } from "../action.ts";
import { optionalOrderId, optionalText } from "../fields.ts";

/** Cancels one intent, or all intents of a name. */
export const cancelIntent = defineAction({
  name: "cancelIntent",
  code: 19,
  domain: "trading",
  scope: "cancel",
  doc: "Cancels one intent and its resting order, or all intents with a client intent id.",
  needsCollateral: false,
  readsUnsettledFunding: false,
  weight: 12,
  fields: {
    intent: optionalOrderId("The intent; 0 to name it by client intent id."),
    clientIntentId: optionalText("Intents by their client intent id; empty to name one by its id."),
  },
});
