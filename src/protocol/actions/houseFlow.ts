import { defineAction } from "../action.ts";
import { address, bytes, count, market } from "../fields.ts";

/**
 * Replayed history of one market: quotes and prints of a house account, in order. `steps` is a packed list that
 * `protocol/houseSteps.ts` describes.
 */
export const houseFlow = defineAction({
  name: "houseFlow",
  code: 16,
  domain: "system",
  scope: "authority",
  authority: "operator",
  doc: "Replayed history of one market: quotes and prints of a house account, in order.",
  needsCollateral: false,
  readsUnsettledFunding: false,
  weight: 18,
  fields: {
    market: market(),
    account: address("House account that history trades through."),
    subaccount: count("Its subaccount."),
    steps: bytes("Packed quotes and prints."),
  },
});
