import type { AccountKey } from "../../../protocol/accountKey.ts";
import { AUTHORITIES, type Authority, type Domain } from "../../../protocol/action.ts";
import { ACTION_CODES } from "../../../protocol/actions/index.ts";
import type { Address } from "../../../protocol/fields.ts";
import type { Transaction } from "../../../protocol/transaction.ts";
import { applyBlock } from "../../engine/applyBlock.ts";
import { isSystem } from "../../engine/authorization/admission.ts";
import { forkState } from "../../engine/state/forkState.ts";
import type { State } from "../../engine/state/state.ts";
import { getCommittedNext } from "../committedNonce.ts";
import type { Submitted } from "./submitted.ts";

/** A transaction that waits for the driver's next block. */
export interface Queued {
  readonly submitted: Submitted;
  readonly account: AccountKey;
  readonly signer: Address;
  readonly nonceDomain: Domain;
  /** The authority that signs a system transaction. */
  readonly authority: Authority | undefined;
  /** Nonce that the caller gave. */
  readonly nonce: number | undefined;
  /** It uses one nonce of its lane, and no other. */
  readonly isPlain: boolean;
  readonly make: (at: { readonly height: number; readonly nonce: number; readonly signer: Address }) => Transaction;
}

/** Order of a block (BLK): oracle updates, other system transactions, those of accounts; each as they were queued. */
export function orderOfBlock(queued: readonly Queued[]): Queued[] {
  const rank = ({ submitted: { action } }: Queued) =>
    action === "oracleUpdate" ? 0 : isSystem(ACTION_CODES[action]) ? 1 : 2;
  return [...queued].sort((a, b) => rank(a) - rank(b));
}

/**
 * The transactions of the next block, each with the next nonce of its lane. Where a transaction before it may use no
 * nonce, or that of another lane, the block so far is tried on a fork.
 */
export function withNonces(
  state: State,
  queued: readonly Queued[],
  { height, timeMs }: { readonly height: number; readonly timeMs: number },
): Transaction[] {
  const transactions: Transaction[] = [];
  for (const [index, one] of queued.entries()) {
    const before = queued.slice(0, index);
    const next = () => {
      if (before.every(({ isPlain }) => isPlain))
        return committedNext(state, one) + before.filter(inLaneOf(one)).length;
      const fork = forkState(state);
      applyBlock(fork, { height, timeMs, transactions });
      return committedNext(fork, one);
    };
    transactions.push(one.make({ height, nonce: one.nonce ?? next(), signer: one.signer }));
  }
  return transactions;
}

function committedNext(state: State, { account, signer, nonceDomain, authority }: Queued): number {
  if (authority !== undefined) return state.authorityNonces[AUTHORITIES.indexOf(authority)]!;
  const { address, subaccount } = account;
  return getCommittedNext(state, { account: address, subaccount, signer, domain: nonceDomain });
}

function inLaneOf(one: Queued): (other: Queued) => boolean {
  return ({ account, signer, nonceDomain, authority }) =>
    account.address === one.account.address &&
    account.subaccount === one.account.subaccount &&
    signer === one.signer &&
    nonceDomain === one.nonceDomain &&
    authority === one.authority;
}
