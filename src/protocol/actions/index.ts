/** Names, codes and payload types of all actions. */
import type { Domain, GivenPayloadOf, JsonPayloadOf, PayloadOf } from "../action.ts";
import { actions } from "./table.ts";

export { actions };

export type Actions = typeof actions;
export type ActionName = keyof Actions;
/** Decoded payload by action. */
export type Payloads = { readonly [A in ActionName]: PayloadOf<Actions[A]> };
/** JSON payload by action. */
export type JsonPayloads = { readonly [A in ActionName]: JsonPayloadOf<Actions[A]> };

/** JSON payload by action, as people write it. */
export type GivenPayloads = { readonly [A in ActionName]: GivenPayloadOf<Actions[A]> };

/** Actions that an authority of genesis signs. */
export type SystemAction = {
  [A in ActionName]: Actions[A]["scope"] extends "authority" ? A : never;
}[ActionName];
/** Actions that an account signs, or an agent for it. */
export type UserAction = Exclude<ActionName, SystemAction>;

/** Whether an authority of genesis signs the action. */
export function isSystemAction(name: ActionName): name is SystemAction {
  return actions[name].scope === "authority";
}

export const ACTION_NAMES = Object.keys(actions) as ActionName[];
/** Place of each action in the table. */
export const ACTION_CODES = Object.fromEntries(ACTION_NAMES.map((name, code) => [name, code])) as {
  readonly [A in ActionName]: number;
};

/**
 * The domain in which an action's nonce counts where the header says no other: its own; of one that has any, `trading`.
 */
export const DOMAIN_OF = Object.fromEntries(
  Object.values(actions).map(({ name, domain }) => [name, domain === "any" ? "trading" : domain]),
) as { readonly [A in ActionName]: Domain };
