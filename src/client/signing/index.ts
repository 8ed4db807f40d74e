/** Signatures of transactions: digests, recovery, batches on threads, and signing. */
export { BACKENDS, BackendMissingError, type BackendName, loadBackend, type RecoveryBackend } from "./backends.ts";
export { loadKeccak } from "./keccak.ts";
export {
  createRecovery,
  findSignatureFault,
  isAddress,
  type Recovery,
  SIGNATURE_FAULTS,
  type SignatureFault,
} from "./recover.ts";
export { accountFromKey, addressFromKey, type PrivateKey, signDigest, signTransaction } from "./sign.ts";
export { createVerifierPool, type VerifierPool, VerifierPoolError, type VerifierPoolOptions } from "./verifierPool.ts";
export {
  createVerifier,
  describeVerification,
  type Verification,
  type Verifier,
  type VerifierOptions,
  verifyTransactions,
} from "./verify.ts";
