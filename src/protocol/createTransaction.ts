import type { AccountKey } from "./accountKey.ts";
import type { Domain } from "./action.ts";
import { ACTION_CODES, type ActionName, DOMAIN_OF, type Payloads } from "./actions/index.ts";
import type { Address, Bytes32 } from "./fields.ts";
import { ENVELOPE_VERSION, PROTOCOL_VERSION, type Transaction, ZERO_BYTES32 } from "./transaction.ts";

/** Longest life of a transaction in blocks, unless genesis says otherwise (VAL). */
export const VALIDITY_SPAN = 1200;

/** Network name that a venue has unless its genesis says otherwise. */
export const DEFAULT_NETWORK = "perplab";

/** Header fields that a driver sets; everything else has a default. */
export interface TransactionInit<A extends ActionName> {
  readonly action: A;
  readonly account: AccountKey;
  readonly nonce: number;
  readonly payload: Payloads[A];
  /** Default: `DEFAULT_NETWORK`. */
  readonly network?: string;
  /** Default: the address of the account, that is, the owner signs. */
  readonly signer?: Address;
  /** Grant of an agent. Default: none. */
  readonly authorization?: Bytes32;
  /** Default: the domain of the action; for an action of any domain, `trading`. */
  readonly nonceDomain?: Domain;
  /** First block that may include it. Default: 0. */
  readonly validFrom?: number;
  /** Last block that may include it. Default: `validFrom + VALIDITY_SPAN`. */
  readonly validUntil?: number;
  /** The pending transaction that it replaces. Default: none. */
  readonly replaces?: Bytes32;
  /** Default: empty. */
  readonly clientTxId?: string;
  /** Verdict of the signature stage (TX-5). Default: true, for drivers that elide signatures. */
  readonly verdict?: boolean;
}

/**
 * A decoded transaction of the current versions. Checks nothing: drivers make millions of them from values that are
 * already exact. Input from outside goes through `decodeTransaction`. Every result has the same shape.
 */
export function createTransaction<A extends ActionName>(init: TransactionInit<A>): Transaction<A> {
  const { action, account } = init;
  const validFrom = init.validFrom ?? 0;
  return {
    action,
    code: ACTION_CODES[action],
    header: {
      network: init.network ?? DEFAULT_NETWORK,
      protocolVersion: PROTOCOL_VERSION,
      envelopeVersion: ENVELOPE_VERSION,
      account,
      signer: init.signer ?? account.address,
      authorization: init.authorization ?? ZERO_BYTES32,
      nonceDomain: init.nonceDomain ?? DOMAIN_OF[action],
      nonce: init.nonce,
      validFrom,
      validUntil: init.validUntil ?? validFrom + VALIDITY_SPAN,
      replaces: init.replaces ?? ZERO_BYTES32,
      clientTxId: init.clientTxId ?? "",
    },
    payload: init.payload,
    verdict: init.verdict ?? true,
  };
}
