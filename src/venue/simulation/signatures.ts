import { loadKeccak } from "../../client/signing/keccak.ts";
import { addressFromKey, type PrivateKey, signTransaction } from "../../client/signing/sign.ts";
import { createVerifier, type Verification } from "../../client/signing/verify.ts";
import type { Signed } from "../../protocol/codec.ts";
import type { Address } from "../../protocol/fields.ts";
import type { Genesis } from "../../protocol/genesis.ts";
import type { Transaction } from "../../protocol/transaction.ts";
import type { SigningDomain } from "../../protocol/typedData.ts";
import { createDigester } from "../../protocol/typedDataDigest.ts";
import { computeGenesisHash } from "../engine/state/genesisHash.ts";

/** The domain in which transactions of a chain are signed (TX-1). */
export function signingDomainOf(genesis: Genesis): SigningDomain {
  return { chainId: genesis.chainId, genesisHash: computeGenesisHash(genesis) };
}

/** Signs and checks the transactions of one chain. */
export interface Signatures {
  /** @throws {RangeError} where no key of the signer is known */
  sign(transaction: Transaction): Signed;
  verify(signed: Signed): Verification;
}

/**
 * Loads what signing and checking need, once; both are synchronous from then on.
 *
 * @param keys private keys of those who are to sign
 */
export async function openSignatures(genesis: Genesis, keys: readonly PrivateKey[] = []): Promise<Signatures> {
  const domain = signingDomainOf(genesis);
  const [verifier, keccak] = await Promise.all([createVerifier(domain), loadKeccak()]);
  const digester = createDigester(domain, keccak);
  const keyOf = new Map<Address, PrivateKey>(keys.map((key) => [addressFromKey(key), key]));
  return {
    sign(transaction) {
      const key = keyOf.get(transaction.header.signer);
      if (key === undefined) throw new RangeError(`no key of ${transaction.header.signer}`);
      return signTransaction(transaction, key, digester);
    },
    verify: (signed) => verifier.verify(signed),
  };
}
