import {
  ACTION_NAMES,
  type ActionName,
  type Actions,
  actions,
  type GivenPayloads,
} from "../../protocol/actions/index.ts";
import type { ClientBase } from "../client.ts";
import type { Submission } from "../submission/submission.ts";
import { check, submit } from "../submission/submit.ts";
import type { Intention } from "../transaction/intention.ts";
import type { PreflightFailure } from "../transaction/preflightFailure.ts";

/** Actions that an account signs; the others are signed by the venue's authorities. */
export type UserAction = {
  [A in ActionName]: Actions[A]["scope"] extends "authority" ? never : A;
}[ActionName];

/** How an action is signed, where it is not as the client is set. */
export type SubmitOptions = Omit<Intention, "action" | "payload">;

/** A function for every action of an account: `client.placeOrder({ market, side, size, price })`. */
export type UserActions = {
  readonly [A in UserAction]: (payload: GivenPayloads[A], options?: SubmitOptions) => Promise<Submission>;
};

export interface WalletActions extends UserActions {
  /** Signs, records and sends any action. */
  submit<A extends ActionName>(wanted: Intention<A>): Promise<Submission>;
  /** The six checks before signing, without signing: why an action would not be signed. */
  preflight(wanted: Intention): Promise<PreflightFailure[]>;
}

export function walletActions({ core, actor }: ClientBase): WalletActions {
  const own = ACTION_NAMES.filter((name) => actions[name].scope !== "authority").map((action) => [
    action,
    (payload: Intention["payload"], options: SubmitOptions = {}) =>
      submit(core, actor, { ...options, action, payload }),
  ]);
  return {
    ...(Object.fromEntries(own) as UserActions),
    submit: (wanted) => submit(core, actor, wanted),
    preflight: (wanted) => check(core, actor, wanted),
  };
}
