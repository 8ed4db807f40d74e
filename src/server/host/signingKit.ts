import { backendAtHand, loadBackend, type RecoveryBackend } from "../../client/signing/backends.ts";
import { loadKeccak } from "../../client/signing/keccak.ts";
import { type Keccak, plainKeccak } from "../../protocol/typedDataDigest.ts";

/** Dependencies of signature checks. */
export interface SigningKit {
  readonly backend: RecoveryBackend;
  readonly keccak: Keccak;
}

/** Loads the fastest kit of this machine. */
export async function loadSigningKit(): Promise<SigningKit> {
  const [backend, keccak] = await Promise.all([loadBackend(), loadKeccak()]);
  return { backend, keccak };
}

/** The kit without loading: the native backend, or else JavaScript, and a plain hash. */
export function signingKitAtHand(): SigningKit {
  return { backend: backendAtHand(), keccak: plainKeccak };
}
