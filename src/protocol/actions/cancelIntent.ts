import { defineAction } from "../action.ts";
import { optionalOrderId, optionalText } from "../fields.ts";

/** Cancels one intent, or all intents of a name. */
export const cancelIntent = defineAction({
  name: "cancelIntent",
  code: 19,
  domain: "trading",
  scope: "cancel",
  doc: "Cancels one intent, with the order of it that rests, or all intents of a name.",
  needsCollateral: false,
  readsUnsettledFunding: false,
  weight: 12,
  fields: {
    intent: optionalOrderId("The intent; 0 to name it by client intent id."),
    clientIntentId: optionalText("Intents by their client intent id; empty to name one by its id."),
  },
});
