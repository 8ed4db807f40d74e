import type { AccountKey } from "../../../../protocol/accountKey.ts";
import { type ActionName, DOMAIN_OF, type Payloads } from "../../../../protocol/actions/index.ts";
import { createTransaction } from "../../../../protocol/createTransaction.ts";
import type { Address, Bytes32 } from "../../../../protocol/fields.ts";
import type { Block, Transaction } from "../../../../protocol/transaction.ts";
import type { State } from "../../../../venue/engine/state/state.ts";
import { getNextNonce } from "../../shrink/player.ts";

/** An action before its nonce and its block are known. */
export interface Draft<A extends ActionName = ActionName> {
  readonly action: A;
  readonly account: AccountKey;
  readonly payload: Payloads[A];
  /** The agent that signs, with its grant. Default: the owner. */
  readonly agent?: { readonly address: Address; readonly grant: Bytes32 };
}

/** A block that is tried: one action, prices, or time alone. */
export interface Step {
  /** In words, for reports: `buy 0.5 BTC-PERP @ 60000 by alice`. */
  readonly words: string;
  /** The action; `prices` or `time` for a step without an action of users. */
  readonly kind: ActionName | "time";
  readonly afterMs: number;
  readonly drafts: readonly Draft[];
}

/** Time from a block to a step that is not about time, ms. */
export const STEP_MS = 1000;

/** Makes the step of one action. */
export function makeStep(words: string, ...drafts: readonly Draft[]): Step {
  return { words, kind: drafts[0]!.action, afterMs: STEP_MS, drafts };
}

/** @param payload checked only by the venue: some steps must be refused */
export function draft(action: ActionName, account: AccountKey, payload: object, agent?: Draft["agent"]): Draft {
  return { action, account, payload: payload as never, ...(agent === undefined ? {} : { agent }) };
}

/** The next block of a venue, with a step. */
export function buildStep(state: State, { afterMs, drafts }: Step): Block {
  const height = state.height + 1;
  const used = new Map<string, number>();
  const transactions = drafts.map(({ action, account, payload, agent }): Transaction => {
    const signer = agent?.address ?? account.address;
    const domain = action === "noop" ? "trading" : DOMAIN_OF[action];
    const lane = `${account.address}/${account.subaccount}/${signer}/${domain}`;
    const count = used.get(lane) ?? 0;
    used.set(lane, count + 1);
    return createTransaction({
      action,
      account,
      payload: payload as never,
      network: state.genesis.network,
      nonceDomain: domain,
      nonce: getNextNonce(state, account, signer, domain) + count,
      validFrom: height,
      validUntil: height,
      signer,
      ...(agent === undefined ? {} : { authorization: agent.grant }),
    });
  });
  return { height, timeMs: state.timeMs + afterMs, transactions };
}
