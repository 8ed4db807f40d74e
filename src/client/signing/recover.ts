/** The rule of signatures (TX-4): exactly 65 bytes, v of 27 or 28, low s; one byte string per signature and key. */
import { formatHex } from "../../protocol/codecHex.ts";
import type { Address } from "../../protocol/fields.ts";
import type { Keccak } from "../../protocol/typedDataDigest.ts";
import type { RecoveryBackend } from "./backends.ts";

/** Faults of a signature, in the order in which they are checked. */
export const SIGNATURE_FAULTS = [
  /** Not 65 bytes. */
  "SIGNATURE_LENGTH",
  /** v is neither 27 nor 28. */
  "SIGNATURE_V",
  /** r or s is 0, or not below the order of the curve. */
  "SIGNATURE_RANGE",
  /** s is above half the order: the non-canonical one of two forms of the same signature. */
  "SIGNATURE_HIGH_S",
  /** No key makes this signature. */
  "SIGNATURE_UNRECOVERABLE",
  /** A valid signature of another signer than the header's. */
  "SIGNER_MISMATCH",
] as const;
export type SignatureFault = (typeof SIGNATURE_FAULTS)[number];

/** Order of the curve, and half of it rounded down, as four 64-bit words, greatest first, and their first byte. */
const ORDER = {
  first: 0xff,
  words: [0xffffffffffffffffn, 0xfffffffffffffffen, 0xbaaedce6af48a03bn, 0xbfd25e8cd0364141n],
};
const HALF_ORDER = {
  first: 0x7f,
  words: [0x7fffffffffffffffn, 0xffffffffffffffffn, 0x5d576e7357a4501dn, 0xdfe92f46681b20a0n],
};

/** The fault in the form of a signature, or undefined. Makes no curve computation. */
export function findSignatureFault(signature: Uint8Array): SignatureFault | undefined {
  if (signature.length !== 65) return "SIGNATURE_LENGTH";
  const v = signature[64]!;
  if (v !== 27 && v !== 28) return "SIGNATURE_V";
  if (!isScalar(signature, 0) || !isScalar(signature, 32)) return "SIGNATURE_RANGE";
  if (compareTo(signature, 32, HALF_ORDER) > 0) return "SIGNATURE_HIGH_S";
  return undefined;
}

function isScalar(bytes: Uint8Array, at: number): boolean {
  if (compareTo(bytes, at, ORDER) >= 0) return false;
  for (let index = at; index < at + 32; index++) if (bytes[index] !== 0) return true;
  return false;
}

function compareTo(bytes: Uint8Array, at: number, { first, words }: typeof ORDER): number {
  // Nearly every scalar differs in its first bytes.
  if (bytes[at]! !== first) return bytes[at]! - first;
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, 32);
  for (let index = 0; index < 4; index++) {
    const word = view.getBigUint64(index * 8);
    if (word !== words[index]!) return word < words[index]! ? -1 : 1;
  }
  return 0;
}

/** Recovers signers with one backend and one hash. */
export interface Recovery {
  readonly backend: RecoveryBackend["name"];
  /**
   * The address that signed a digest, or the fault of the signature.
   *
   * @param digest    32 bytes
   * @param signature r, s, v; 65 bytes, checked
   */
  recoverSigner(digest: Uint8Array, signature: Uint8Array): Address | SignatureFault;
}

export function createRecovery(backend: RecoveryBackend, keccak: Keccak): Recovery {
  return {
    backend: backend.name,
    recoverSigner(digest, signature) {
      const fault = findSignatureFault(signature);
      if (fault !== undefined) return fault;
      const key = backend.recover(digest, signature.subarray(0, 64), signature[64] === 28 ? 1 : 0);
      return key === undefined ? "SIGNATURE_UNRECOVERABLE" : addressOfKey(key, keccak);
    },
  };
}

/** Address of an uncompressed public key: the last 20 bytes of the hash of x and y. */
export function addressOfKey(key: Uint8Array, keccak: Keccak): Address {
  return formatHex(keccak(key.subarray(1)).subarray(12));
}

/** Type guard for the two results of `recoverSigner`. */
export function isAddress(result: Address | SignatureFault): result is Address {
  return result.startsWith("0x");
}
