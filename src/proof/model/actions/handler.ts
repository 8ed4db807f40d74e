import type { ActionName, Payloads } from "../../../protocol/actions/index.ts";
import type { Outcome } from "../receipts.ts";
import type { Account, Context, ModelState } from "../state.ts";

/** Applies an action: returns a rejection code and changes nothing, or applies it whole (ACT-1). */
export type Handler<A extends ActionName> = (state: ModelState, context: Context, payload: Payloads[A]) => Outcome;

/** The acting account of a user's action; admission guarantees that it exists. */
export function actingAccount({ actor }: Context): Account {
  if (actor === undefined) throw new Error("a system transaction acts for no account");
  return actor.account;
}
