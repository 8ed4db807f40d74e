import { defineAction } from "../action.ts";
import { address, optionalText, optionalTime, text, time } from "../fields.ts";

/** Lets another key act for the owner's subaccounts, within scopes and limits, until it expires (AUT). */
export const grantAuthorization = defineAction({
  name: "grantAuthorization",
  code: 23,
  domain: "admin",
  scope: "owner",
  doc: "Lets another key act for the owner's subaccounts, within scopes and limits, until it expires. The grant's id is the id of this transaction.",
  needsCollateral: false,
  readsUnsettledFunding: false,
  weight: 18,
  fields: {
    agent: address("Key that may sign."),
    label: optionalText("Own name for the grant."),
    scopes: optionalText("trade, reduce, cancel, margin, transfer, with spaces between; `*` for all, empty for none."),
    markets: optionalText("Names of markets with spaces between; `*` for all, empty for none."),
    subaccounts: optionalText("Numbers of subaccounts with spaces between; `*` for all, empty for none."),
    maxOrderNotional: text("Largest order value in USD; 0 for nothing, `*` for no limit."),
    maxPositionNotional: text("Largest value of position and resting orders in a market, in USD; `*` for no limit."),
    maxDailyNotional: text("Value of the orders that the agent may enter in a UTC day, in USD; `*` for no limit."),
    maxOpenOrders: text("Most resting orders; `*` for no limit."),
    validFrom: optionalTime("Block time in ms from which it is valid; 0 for now."),
    expiresAt: time("Block time in ms at which it ends."),
  },
});
