import type { AccountKey } from "./accountKey.ts";
import type { Domain } from "./action.ts";
import type { ActionName, JsonPayloads, Payloads } from "./actions/index.ts";
import type { Address, Bytes32 } from "./fields.ts";

/**
 * Version of the rules. A chain of another version is refused by its number, and never read with other rules than its
 * own. 0 was used before the rules were complete.
 */
export const PROTOCOL_VERSION = 1;
/** Version of the signed envelope; equals the version of the signing domain (TX-1). */
export const ENVELOPE_VERSION = 1;

/** Header of a transaction, decoded. In the signed message it is the first member of every primary type (TX-1). */
export interface TxHeader {
  readonly network: string;
  readonly protocolVersion: number;
  readonly envelopeVersion: number;
  /** Acting account and subaccount. For system actions, the authority's address and subaccount 0. */
  readonly account: AccountKey;
  readonly signer: Address;
  /** Grant under which an agent signs; zero when the owner signs. */
  readonly authorization: Bytes32;
  readonly nonceDomain: Domain;
  readonly nonce: number;
  readonly validFrom: number;
  readonly validUntil: number;
  /** The pending transaction that this one replaces; zero for none. */
  readonly replaces: Bytes32;
  readonly clientTxId: string;
}

/**
 * A transaction as blocks carry it: fields decoded to exact integers, independent of any venue's state.
 * `verdict` is what the signature stage found (TX-5).
 */
export interface Transaction<A extends ActionName = ActionName> {
  readonly action: A;
  /** Place of the action in the table. */
  readonly code: number;
  readonly header: TxHeader;
  readonly payload: Payloads[A];
  readonly verdict: boolean;
}

/** Header in JSON: ids and nonces are decimal strings, heights are integers. */
export interface JsonHeader {
  readonly network: string;
  readonly protocolVersion: number;
  readonly envelopeVersion: number;
  readonly account: string;
  readonly subaccount: number;
  readonly signer: string;
  readonly authorization: string;
  readonly nonceDomain: string;
  readonly nonce: string;
  readonly validFrom: number;
  readonly validUntil: number;
  readonly replaces: string;
  readonly clientTxId: string;
}

/** A signed transaction in JSON. */
export interface SignedTransaction<A extends ActionName = ActionName> {
  readonly action: A;
  readonly header: JsonHeader;
  readonly payload: JsonPayloads[A];
  /** 65 bytes: r, s, v. */
  readonly signature: string;
}

export const ZERO_BYTES32: Bytes32 = `0x${"0".repeat(64)}`;

export const ZERO_ADDRESS: Address = `0x${"0".repeat(40)}`;

/** A block as a driver hands it to the engine. */
export interface Block {
  readonly height: number;
  readonly timeMs: number;
  /** Head of the effects chain before this block; left out by a driver that extends whatever the venue holds. */
  readonly parentHash?: Bytes32;
  readonly transactions: readonly Transaction[];
}
