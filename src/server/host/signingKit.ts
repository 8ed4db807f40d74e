import { backendAtHand, loadBackend, type RecoveryBackend } from "../../client/signing/backends.ts";
import { loadKeccak } from "../../client/signing/keccak.ts";
import { type Keccak, plainKeccak } from "../../protocol/typedDataDigest.ts";

/** What checking signatures needs. */
export interface SigningKit {
  readonly backend: RecoveryBackend;
  readonly keccak: Keccak;
}

/** The fastest that this machine has. */
export async function loadSigningKit(): Promise<SigningKit> {
  const [backend, keccak] = await Promise.all([loadBackend(), loadKeccak()]);
  return { backend, keccak };
}

/** What is there without waiting: the native backend, or else JavaScript, and a plain hash. */
export function signingKitAtHand(): SigningKit {
  return { backend: backendAtHand(), keccak: plainKeccak };
}
