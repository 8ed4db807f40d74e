import { type Static, Type } from "typebox";
import { AUTHORIZATION_STATUSES } from "../../../protocol/words.ts";
import { address, amount, count, hash, height, nullable, subaccount, text, timeMs, word } from "./common.ts";

/** Scopes that an owner may grant. */
export const GRANT_SCOPES = ["trade", "reduce", "cancel", "margin", "transfer"] as const;

const limit = (description: string) => nullable(amount(`${description} null for no limit.`));

/** A scoped grant from an owner to an agent (AUT). */
export const Authorization = Type.Object(
  {
    authId: hash("Id: that of the transaction that granted it."),
    owner: address("Who granted it."),
    subaccount: subaccount("Subaccount that signed the grant; it holds for those listed."),
    agent: address("Who may sign."),
    label: text("Own name."),
    status: word(AUTHORIZATION_STATUSES, "Only `active` lets the agent act; the last three are for ever."),
    scopes: Type.Array(word(GRANT_SCOPES, "A class of actions.")),
    markets: nullable(Type.Array(text("Name of a market.")), "Markets covered; null for all."),
    subaccounts: nullable(Type.Array(subaccount()), "Subaccounts covered; null for all."),
    limits: Type.Object({
      orderNotional: limit("Largest value of an order."),
      positionNotional: limit("Largest value of position and resting orders in a market."),
      dailyNotional: limit("Value of the orders of a UTC day."),
      openOrders: nullable(count("Most resting orders; null for no limit.")),
    }),
    usage: Type.Object({
      dailyNotional: amount("Used up in the present UTC day of block time."),
      openOrders: count("Orders that rest under it."),
    }),
    validFromMs: timeMs("Block time from which it holds."),
    expiresAtMs: timeMs("Block time at which it ends."),
    grantedHeight: nullable(height("Block of the grant; null where that is not kept.")),
    endedHeight: nullable(height("Block in which it ended; null while it may hold, and where that is not kept.")),
  },
  { $id: "Authorization", description: "A scoped grant from an owner to an agent." },
);
export type Authorization = Static<typeof Authorization>;
