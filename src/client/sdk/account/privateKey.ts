import { formatHex } from "../../../protocol/codecHex.ts";
import type { TypedData } from "../../../protocol/typedData.ts";
import { plainKeccak } from "../../../protocol/typedDataDigest.ts";
import { addressFromKey, type PrivateKey, signDigest } from "../../signing/sign.ts";
import type { Account } from "./account.ts";
import { hashTypedData } from "./hashTypedData.ts";

/** The account of a private key in memory: for bots, tests, agents. */
export interface PrivateKeyAccount extends Account {
  signDigest(digest: Uint8Array): Uint8Array;
  signMessage(parameters: { readonly message: string }): Promise<string>;
}

/**
 * @param key 32 bytes, or 0x and 64 hexadecimal digits; it is kept in memory and shown nowhere
 * @throws {RangeError} if it is no valid key
 */
export function privateKeyToAccount(key: PrivateKey): PrivateKeyAccount {
  const sign = (digest: Uint8Array) => signDigest(digest, key);
  return {
    address: addressFromKey(key),
    signDigest: sign,
    signTypedData: async (data: TypedData) => formatHex(sign(hashTypedData(data))),
    signMessage: async ({ message }) => formatHex(sign(hashMessage(message))),
  };
}

/** Digest of a text that a wallet signs (EIP-191, version 0x45). */
export function hashMessage(message: string): Uint8Array {
  const text = new TextEncoder().encode(message);
  const head = new TextEncoder().encode(`\u0019Ethereum Signed Message:\n${text.length}`);
  const bytes = new Uint8Array(head.length + text.length);
  bytes.set(head);
  bytes.set(text, head.length);
  return plainKeccak(bytes);
}
