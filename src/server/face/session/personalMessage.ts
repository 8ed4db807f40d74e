import { loadBackend } from "../../../client/signing/backends.ts";
import { createRecovery, isAddress, type Recovery } from "../../../client/signing/recover.ts";
import type { Address } from "../../../protocol/fields.ts";
import { plainKeccak } from "../../../protocol/typedDataDigest.ts";

const encoder = new TextEncoder();

/** Digest that a wallet signs for a text (EIP-191, `personal_sign`). */
export function digestOfMessage(message: string): Uint8Array {
  const text = encoder.encode(message);
  const head = encoder.encode(`\x19Ethereum Signed Message:\n${text.length}`);
  const whole = new Uint8Array(head.length + text.length);
  whole.set(head);
  whole.set(text, head.length);
  return plainKeccak(whole);
}

let loading: Promise<Recovery> | undefined;

/**
 * Whether `address` signed the text. Wallets write the last byte of a signature as 0 or 1, or as 27 or 28. Both are
 * accepted, since a challenge opens one session, however its signature is written.
 */
export async function isSignedBy(message: string, signature: Uint8Array, address: Address): Promise<boolean> {
  if (signature.length !== 65) return false;
  const normal = Uint8Array.from(signature);
  if (normal[64]! < 2) normal[64]! += 27;
  loading ??= loadBackend().then((backend) => createRecovery(backend, plainKeccak));
  const signer = (await loading).recoverSigner(digestOfMessage(message), normal);
  return isAddress(signer) && signer === address.toLowerCase();
}
