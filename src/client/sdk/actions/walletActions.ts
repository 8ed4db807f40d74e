import {
  ACTION_NAMES,
  type ActionName,
  actions,
  type GivenPayloads,
  type UserAction,
} from "../../../protocol/actions/index.ts";
import type { Bytes32 } from "../../../protocol/fields.ts";
import { type Grant, payloadOfGrant } from "../agents/grant.ts";
import type { ClientBase } from "../client.ts";
import { type AnswerOf, call } from "../operations/operation.ts";
import { type Session, signIn, signOut } from "../session/session.ts";
import type { Submission } from "../submission/submission.ts";
import { check, submit } from "../submission/submit.ts";
import type { PreflightFailure } from "../transaction/preflightFailure.ts";
import type { Intention } from "../transaction/transactionRequest.ts";

/** Options for signing one action that differ from the client's. */
export type SubmitOptions = Omit<Intention, "action" | "payload">;

/** A function for every action of an account: `client.placeOrder({ market, side, size, price })`. */
export type UserActions = {
  readonly [A in UserAction]: (payload: GivenPayloads[A], options?: SubmitOptions) => Promise<Submission>;
};

/** A grant to an agent that was sent. */
export interface GrantedAgent {
  /** Id of the grant: known before it commits. */
  readonly authorization: Bytes32;
  readonly submission: Submission;
}

/** Signed actions of the client's account, its grants, its session, and the faucet. */
export interface WalletActions extends UserActions {
  /** Lets another key act within the grant, once the transaction has committed. */
  grantAgent(grant: Grant, options?: SubmitOptions): Promise<GrantedAgent>;
  /** Ends a grant for ever; the owner may, and the agent itself. */
  revokeAgent(
    authorization: Bytes32,
    options?: SubmitOptions & { readonly cancelOrders?: boolean },
  ): Promise<Submission>;
  /** Opens a wallet session, for reads and streams of the account on networks that require one. */
  signIn(): Promise<Session>;
  signOut(): Promise<void>;
  /** Claims simulated collateral for the account from the faucet. Default amount: the most of a claim. */
  claimFaucet(claim?: { readonly amount?: string; readonly subaccount?: number }): Promise<AnswerOf<"claimFaucet">>;
  /** Signs, records and sends any action. */
  submit<A extends ActionName>(wanted: Intention<A>): Promise<Submission>;
  /** Runs the six checks before signing, without signing: returns why an action would not be signed. */
  preflight(wanted: Intention): Promise<PreflightFailure[]>;
}

/** Adds signed actions to a client: `createClient({ transport, account }).extend(walletActions)`. */
export function walletActions({ core, actor }: ClientBase): WalletActions {
  const own = ACTION_NAMES.filter((name) => actions[name].scope !== "authority").map((action) => [
    action,
    (payload: Intention["payload"], options: SubmitOptions = {}) =>
      submit(core, actor, { ...options, action, payload }),
  ]);
  return {
    ...(Object.fromEntries(own) as UserActions),
    async grantAgent(grant, options = {}) {
      const payload = payloadOfGrant(grant);
      const submission = await submit(core, actor, { ...options, action: "grantAuthorization", payload });
      return { authorization: submission.txId, submission };
    },
    revokeAgent: (authorization, { cancelOrders = false, ...options } = {}) =>
      submit(core, actor, {
        nonceDomain: "admin",
        ...options,
        action: "revokeAuthorization",
        payload: { authorization, cancelOrders },
      }),
    signIn: () => signIn(core, actor),
    signOut: () => signOut(core),
    claimFaucet: (claim = {}) =>
      call(core, "claimFaucet", { body: { address: actor.resolve("a claim").actor.owner, ...claim } }),
    submit: (wanted) => submit(core, actor, wanted),
    preflight: (wanted) => check(core, actor, wanted),
  };
}
