import type { ActionName, Payloads } from "../../../protocol/actions/index.ts";
import type { Outcome } from "../receipts.ts";
import type { Account, Context, ModelState } from "../state.ts";

/** What an action does: answers a code and has changed nothing, or has done it whole (ACT-1). */
export type Handler<A extends ActionName> = (state: ModelState, context: Context, payload: Payloads[A]) => Outcome;

/** The acting account of a user's action; admission saw to it that there is one. */
export function actingAccount({ actor }: Context): Account {
  if (actor === undefined) throw new Error("a system transaction acts for nobody");
  return actor.account;
}
