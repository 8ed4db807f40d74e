import { defineAction } from "../action.ts";
import { bytes32, flag } from "../fields.ts";

/** Ends a grant for ever (AUT). */
export const revokeAuthorization = defineAction({
  name: "revokeAuthorization",
  code: 24,
  domain: "admin",
  scope: "any",
  doc: "Ends a grant for ever. Its owner and its agent may do so.",
  needsCollateral: false,
  readsUnsettledFunding: false,
  weight: 9,
  fields: {
    authorization: bytes32("Id of the grant: the transaction that made it."),
    cancelOrders: flag("Its resting orders are cancelled, too."),
  },
});
