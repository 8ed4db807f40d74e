import type { Domain } from "../../../protocol/action.ts";
import type { ActionName, GivenPayloads } from "../../../protocol/actions/index.ts";
import type { Address, Bytes32 } from "../../../protocol/fields.ts";

import type { PreflightCheck } from "./preflightFailure.ts";

/** A requested action before it is signed. Every member but action and payload has a default. */
export interface Intention<A extends ActionName = ActionName> {
  readonly action: A;
  /** Members that are left out are absent: empty texts, zero, false, the first of the words. */
  readonly payload: GivenPayloads[A];
  /** Acting account. Default: the owner for whom the client acts. */
  readonly owner?: Address;
  /** Default: the client's subaccount. */
  readonly subaccount?: number;
  /** Grant under which an agent signs. Default: the client's. */
  readonly authorization?: Bytes32;
  /** For actions of any lane. Default: `trading`. */
  readonly nonceDomain?: Domain;
  /** Last block that may include it. Default: the client's validity in blocks from now. */
  readonly validUntil?: number;
  /** First block that may include it. Default: the head's height. */
  readonly validFrom?: number;
  /** Name that the client chooses for the transaction. Default: none. */
  readonly clientTxId?: string;
  /** Checks that are skipped and left to the venue, which then rejects a fault and uses the nonce. Default: none. */
  readonly unchecked?: readonly PreflightCheck[];
  /** Replaces a pending transaction, with its nonce. */
  readonly replaces?: { readonly txId: Bytes32; readonly nonce: number };
}
