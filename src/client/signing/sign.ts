import { secp256k1 } from "@noble/curves/secp256k1.js";
import { AccountKey } from "../../protocol/accountKey.ts";
import type { ActionName } from "../../protocol/actions/index.ts";
import { SIGNATURE_BYTES, type Signed } from "../../protocol/codec.ts";
import { bytesOfHex } from "../../protocol/codecHex.ts";
import type { Address, Bytes32 } from "../../protocol/fields.ts";
import type { Transaction } from "../../protocol/transaction.ts";
import type { SigningDomain } from "../../protocol/typedData.ts";
import { createDigester, type Digester, plainKeccak } from "../../protocol/typedDataDigest.ts";
import { addressOfKey } from "./recover.ts";

/** 32 bytes, or 0x and 64 hex digits. */
export type PrivateKey = Uint8Array | Bytes32;

function keyBytes(key: PrivateKey): Uint8Array {
  const bytes = typeof key === "string" ? bytesOfHex(key) : key;
  // The message never shows the key.
  if (!secp256k1.utils.isValidSecretKey(bytes)) throw new RangeError("not a private key: 32 bytes, from 1 to n - 1");
  return bytes;
}

/** Address of a private key. */
export function addressFromKey(key: PrivateKey): Address {
  return addressOfKey(secp256k1.getPublicKey(keyBytes(key), false), plainKeccak);
}

/** The account that a private key owns. */
export function accountFromKey(key: PrivateKey, subaccount = 0): AccountKey {
  return new AccountKey(addressFromKey(key), subaccount);
}

/**
 * Signs a digest: 65 bytes r, s, v with low s and v of 27 or 28; deterministic (RFC 6979), so equal input, equal bytes.
 */
export function signDigest(digest: Uint8Array, key: PrivateKey): Uint8Array {
  const made = secp256k1.sign(digest, keyBytes(key), { prehash: false, lowS: true, format: "recovered" });
  const signature = new Uint8Array(SIGNATURE_BYTES);
  signature.set(made.subarray(1));
  signature[64] = 27 + made[0]!;
  return signature;
}

/**
 * Signs a transaction. Does not check that the key is the header's signer: the verifier does.
 *
 * @param domain signing domain, or a digester of it where many are signed
 */
export function signTransaction<A extends ActionName>(
  transaction: Transaction<A>,
  key: PrivateKey,
  domain: SigningDomain | Digester,
): Signed<A> {
  const digester = "digest" in domain ? domain : createDigester(domain);
  return { transaction, signature: signDigest(digester.digest(transaction), key) };
}
