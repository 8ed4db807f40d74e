import { AccountKey } from "../../../protocol/accountKey.ts";
import type { Domain } from "../../../protocol/action.ts";
import { type ActionName, DOMAIN_OF } from "../../../protocol/actions/index.ts";
import { decodeHeader, encodeHeader } from "../../../protocol/codec.ts";
import { createPayload } from "../../../protocol/createPayload.ts";
import { createTransaction } from "../../../protocol/createTransaction.ts";
import type { Address, Bytes32 } from "../../../protocol/fields.ts";
import { type Transaction, ZERO_BYTES32 } from "../../../protocol/transaction.ts";
import type { CheckedNetwork } from "../network/networkGuard.ts";
import type { Intention } from "./transactionRequest.ts";

/** Acting account and signer. */
export interface Actor {
  readonly owner: Address;
  readonly subaccount: number;
  readonly signer: Address;
  readonly authorization: Bytes32;
}

/** The lane in which an action's nonce counts. */
export function domainOf({ action, nonceDomain }: Intention): Domain {
  return nonceDomain ?? DOMAIN_OF[action];
}

/**
 * The transaction of an intention: every field is present, and in canonical form.
 *
 * @param validityBlocks validity in blocks, if the intention sets none
 * @throws {ValidationError} with the place that does not match the wire schema
 */
export function buildTransaction<A extends ActionName>(
  intention: Intention<A>,
  { owner, subaccount, signer, authorization }: Actor,
  { network, nonce, validityBlocks }: { network: CheckedNetwork; nonce: number; validityBlocks: number },
): Transaction<A> {
  const { action, payload } = intention;
  const { height } = network.status.head;
  const transaction = createTransaction({
    action,
    account: new AccountKey(owner, subaccount),
    nonce,
    payload: createPayload(action, payload),
    network: network.identity.name,
    signer,
    authorization,
    nonceDomain: domainOf(intention),
    validFrom: intention.validFrom ?? height,
    validUntil: intention.validUntil ?? Math.max(height, intention.validFrom ?? 0) + validityBlocks,
    replaces: intention.replaces?.txId ?? ZERO_BYTES32,
    clientTxId: intention.clientTxId ?? "",
    verdict: false,
  });
  // The header is decoded as the venue does it, so that no refused text is signed.
  const header = decodeHeader(encodeHeader(transaction.header));
  const { protocolVersion, envelopeVersion } = network;
  return { ...transaction, header: { ...header, protocolVersion, envelopeVersion } };
}
