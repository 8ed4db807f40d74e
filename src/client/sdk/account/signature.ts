import { secp256k1 } from "@noble/curves/secp256k1.js";
import { SIGNATURE_BYTES } from "../../../protocol/codec.ts";
import { bytesOfHex } from "../../../protocol/codecHex.ts";
import type { Address } from "../../../protocol/fields.ts";
import { plainKeccak } from "../../../protocol/typedDataDigest.ts";
import { addressOfKey } from "../../signing/recover.ts";
import { ClientError } from "../errors.ts";

const SIGNATURE = /^0x[0-9a-fA-F]{130}$/;

/**
 * Normalises a wallet's signature to the form that the venue accepts (TX-4). A v of 0 or 1 becomes 27 or 28, a high s
 * its low twin. Recovers the signer too, since a wallet signs with the account that its owner chose.
 *
 * @throws {ClientError} SIGNATURE_INVALID
 */
export function readSignature(text: string, digest: Uint8Array, signer: Address): Uint8Array {
  const refuse = (fault: string, words: string) =>
    new ClientError("SIGNATURE_INVALID", `the signature of ${signer} ${words}`, { signer, fault });
  if (!SIGNATURE.test(text)) throw refuse("SIGNATURE_LENGTH", "is not 65 bytes of hexadecimal text");
  const bytes = bytesOfHex(text);
  const v = bytes[64]!;
  const parity = v === 0 || v === 27 ? 0 : v === 1 || v === 28 ? 1 : undefined;
  if (parity === undefined) throw refuse("SIGNATURE_V", "does not end with 27 or 28");
  try {
    const given = secp256k1.Signature.fromBytes(bytes.subarray(0, 64), "compact").addRecoveryBit(parity);
    const low = given.hasHighS()
      ? new secp256k1.Signature(given.r, secp256k1.Point.Fn.ORDER - given.s).addRecoveryBit(1 - parity)
      : given;
    if (addressOfKey(low.recoverPublicKey(digest).toBytes(false), plainKeccak) === signer) {
      const canonical = new Uint8Array(SIGNATURE_BYTES);
      canonical.set(low.toBytes("compact"));
      canonical[64] = 27 + low.recovery!;
      return canonical;
    }
  } catch (cause) {
    throw new ClientError(
      "SIGNATURE_INVALID",
      `no key makes the signature of ${signer}`,
      { signer, fault: "SIGNATURE_UNRECOVERABLE" },
      { cause },
    );
  }
  throw refuse("SIGNER_MISMATCH", "belongs to another account; choose this one in the wallet");
}
