import { defineAction } from "../action.ts";

/** Uses up a nonce and does nothing else. */
export const noop = defineAction({
  name: "noop",
  code: 9,
  domain: "any",
  scope: "any",
  doc: "Uses up a nonce and does nothing else.",
  sentence: "noop",
  needsCollateral: false,
  readsUnsettledFunding: false,
  weight: 6,
  fields: {},
});
