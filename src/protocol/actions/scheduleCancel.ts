import { defineAction } from "../action.ts";
import { time } from "../fields.ts";

/**
 * Cancels every order and intent of the subaccount at a block time, unless it is put off before: a dead-man's switch.
 */
export const scheduleCancel = defineAction({
  name: "scheduleCancel",
  code: 22,
  domain: "risk",
  scope: "cancel",
  doc: "Cancels every order and intent of the subaccount at a block time, unless it is put off before: a dead-man's switch.",
  needsCollateral: false,
  readsUnsettledFunding: false,
  weight: 15,
  fields: {
    time: time("Block time in ms, at least 5 s ahead; it replaces an earlier one. 0 removes it."),
  },
});
