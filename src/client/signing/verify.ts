import type { Signed } from "../../protocol/codec.ts";
import { formatHex } from "../../protocol/codecHex.ts";
import type { Address, Bytes32 } from "../../protocol/fields.ts";
import type { SigningDomain } from "../../protocol/typedData.ts";
import { createDigester, type Keccak } from "../../protocol/typedDataDigest.ts";
import { type BackendName, loadBackend, type RecoveryBackend } from "./backends.ts";
import { loadKeccak } from "./keccak.ts";
import { createRecovery, isAddress, type SignatureFault } from "./recover.ts";

/** Result of the signature stage for one transaction (TX-5). */
export interface Verification {
  /** The bit that is stored in the block. */
  readonly verdict: boolean;
  /** Undefined if the verdict is true. */
  readonly reason: SignatureFault | undefined;
  /** The digest that is, or should have been, signed; the transaction's id. */
  readonly digest: Bytes32;
  /** The header's signer. */
  readonly expected: Address;
  /** The actual signer; undefined if no address can be recovered. */
  readonly recovered: Address | undefined;
}

/** Checks signatures of one signing domain in this thread. */
export interface Verifier {
  readonly backend: BackendName;
  verify(signed: Signed): Verification;
  /** Findings in the order of the batch. */
  verifyTransactions(batch: readonly Signed[]): Verification[];
}

export interface VerifierOptions {
  /** Default: the fastest that loads. */
  readonly backend?: BackendName | "auto";
}

/**
 * Loads a recovery backend and a compiled hash, once; verification itself is synchronous.
 *
 * @throws {BackendMissingError} if the chosen backend does not load
 */
export async function createVerifier(domain: SigningDomain, options: VerifierOptions = {}): Promise<Verifier> {
  const [backend, keccak] = await Promise.all([loadBackend(options.backend), loadKeccak()]);
  return verifierOf(domain, backend, keccak);
}

/** A verifier of a loaded backend and hash. */
export function verifierOf(domain: SigningDomain, backend: RecoveryBackend, keccak: Keccak): Verifier {
  const recovery = createRecovery(backend, keccak);
  const digester = createDigester(domain, keccak);

  function verify({ transaction, signature }: Signed): Verification {
    const bytes = digester.digest(transaction);
    const digest = formatHex(bytes);
    const expected = transaction.header.signer;
    const found = recovery.recoverSigner(bytes, signature);
    if (!isAddress(found)) return { verdict: false, reason: found, digest, expected, recovered: undefined };
    const verdict = found === expected;
    return { verdict, reason: verdict ? undefined : "SIGNER_MISMATCH", digest, expected, recovered: found };
  }

  return { backend: backend.name, verify, verifyTransactions: (batch) => batch.map(verify) };
}

/** Checks one batch. For more than one, keep a verifier, or a pool of them. */
export async function verifyTransactions(batch: readonly Signed[], domain: SigningDomain): Promise<Verification[]> {
  return (await createVerifier(domain)).verifyTransactions(batch);
}

/** A finding in one sentence, with the values needed to investigate it. */
export function describeVerification({ reason, digest, expected, recovered }: Verification): string {
  const what: Record<SignatureFault, string> = {
    SIGNATURE_LENGTH: "the signature is not 65 bytes",
    SIGNATURE_V: "the signature's last byte is neither 27 nor 28",
    SIGNATURE_RANGE: "r or s of the signature is not from 1 to n - 1",
    SIGNATURE_HIGH_S: "s of the signature is above half the order; sign again with low s",
    SIGNATURE_UNRECOVERABLE: "no key makes this signature",
    SIGNER_MISMATCH: "signed by another key; check chain id, genesis hash and every field of what was signed",
  };
  if (reason === undefined) return `signed by ${expected} (digest ${digest})`;
  return `${reason}: ${what[reason]} (digest ${digest}, expected signer ${expected}, recovered ${recovered ?? "none"})`;
}
