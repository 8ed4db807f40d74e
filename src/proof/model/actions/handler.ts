import type { Authority, Domain } from "../../../protocol/action.ts";
import type { ActionName, Payloads } from "../../../protocol/actions/index.ts";
import type { DemandOf } from "../authorization/demand.ts";
import type { Outcome } from "../receipts.ts";
import type { Account, Context, ModelState } from "../state.ts";

/** Applies an action: returns a rejection code and changes nothing, or applies it whole (ACT-1). */
export type Handler<A extends ActionName> = (state: ModelState, context: Context, payload: Payloads[A]) => Outcome;

/**
 * An action of the model: its nonce lane, the key of a system action, its demands on a grant, and its behaviour (ACT).
 */
export interface ModelAction<A extends ActionName> {
  readonly domain: Domain | "any";
  readonly authority?: Authority;
  /** Of an action that an agent may sign; one without is the owner's alone. */
  readonly demand?: DemandOf<A>;
  readonly apply: Handler<A>;
}

/** The acting account of a user's action; admission guarantees that it exists. */
export function actingAccount({ actor }: Context): Account {
  if (actor === undefined) throw new Error("a system transaction acts for no account");
  return actor.account;
}
