import { INVALID_CODES, type InvalidCode } from "../../../protocol/rejections.ts";
import { POOL_CODES } from "../../../venue/simulation/pool/errors.ts";
import type { Submitted } from "../../host/host.ts";
import { ProblemError } from "../problems/problems.ts";
import type { Services } from "../services/services.ts";

type Refused = Extract<Submitted, { readonly accepted: false }>;

/** Codes that mean: the signer has no permission. */
const NOT_ALLOWED: ReadonlySet<InvalidCode> = new Set<InvalidCode>([
  "INVALID_SIGNATURE",
  "NOT_AUTHORITY",
  "AUTHORIZATION_MISSING",
  "AUTHORIZATION_FOREIGN",
  "AUTHORIZATION_NOT_YET_VALID",
  "AUTHORIZATION_EXPIRED",
  "AUTHORIZATION_REVOKED",
  "AUTHORIZATION_EXHAUSTED",
]);

/** Time after which a full pool may have room again. */
const ROOM_MS = 1_000;

/** The problem that answers a host's refusal. */
export function problemOfRefusal({ id: txId, refusal }: Refused): ProblemError {
  switch (refusal.kind) {
    case "keyReused": {
      const detail = `The key belongs to another transaction, ${refusal.otherId}; a different transaction needs a key of its own.`;
      const errors = [{ pointer: "header.idempotency-key", rule: "KEY_REUSED", message: `names ${refusal.otherId}` }];
      return new ProblemError("IDEMPOTENCY_CONFLICT", detail, { reason: "KEY_REUSED", txId, errors });
    }
    case "signature": {
      const detail = "The signature is not that of the header's signer over this transaction.";
      return new ProblemError("UNAUTHORIZED", detail, { status: 422, reason: refusal.reason, txId });
    }
    case "admission": {
      const code = NOT_ALLOWED.has(refusal.code) ? "UNAUTHORIZED" : "TRANSACTION_REJECTED";
      return new ProblemError(code, INVALID_CODES[refusal.code], { status: 422, reason: refusal.code, txId });
    }
    case "pool":
      return problemOfPool(txId, refusal);
    case "unavailable": {
      const { maybeSubmitted } = refusal;
      const after = maybeSubmitted ? " Look the transaction up by its id before anything else." : "";
      const detail = `The venue accepts no transactions at present.${after}`;
      return new ProblemError("SERVICE_UNAVAILABLE", detail, {
        reason: "STOPPED",
        txId,
        maybeSubmitted,
        retryAfterMs: ROOM_MS,
      });
    }
  }
}

type PoolRefusal = Extract<Refused["refusal"], { kind: "pool" }>;

function problemOfPool(txId: string, { code, pending, waitingHelps = true }: PoolRefusal): ProblemError {
  const detail = pending === undefined ? POOL_CODES[code] : `${POOL_CODES[code]} Its id is ${pending}.`;
  switch (code) {
    case "NONCE_PENDING":
    case "ALREADY_PENDING": {
      const errors = [{ pointer: "body.header.nonce", rule: code, message: `is taken by ${pending}` }];
      return new ProblemError("IDEMPOTENCY_CONFLICT", detail, { reason: code, txId, errors });
    }
    case "LANE_FULL":
    case "OWNER_FULL":
      return new ProblemError("RATE_LIMITED", `${detail} ${whenFull(waitingHelps)}`, {
        reason: code,
        txId,
        ...retryOf(waitingHelps),
      });
    case "POOL_FULL":
      return new ProblemError("SERVICE_UNAVAILABLE", `${detail} ${whenFull(waitingHelps)}`, {
        reason: code,
        txId,
        maybeSubmitted: false,
        ...retryOf(waitingHelps),
      });
    case "VALIDITY_EMPTY":
    case "VALIDITY_TOO_FAR":
    case "REPLACES_UNKNOWN":
    case "NOT_ADMISSIBLE":
      return new ProblemError("TRANSACTION_REJECTED", detail, { reason: code, txId });
  }
}

/** Retrying helps if the next blocks make room; only the client can supply a missing nonce. */
function retryOf(waitingHelps: boolean): { readonly retryable?: boolean; readonly retryAfterMs?: number } {
  return waitingHelps ? { retryAfterMs: ROOM_MS } : { retryable: false };
}

function whenFull(waitingHelps: boolean): string {
  return waitingHelps ? "Blocks make room; send it again." : "Nonces are missing before it; send those first.";
}

/** @throws {ProblemError} SERVICE_UNAVAILABLE if the venue accepts no transactions */
export function checkTaking({ lifecycle, host }: Services): void {
  if (!lifecycle.isDraining && host.failure === undefined) return;
  const reason = lifecycle.isDraining ? "DRAINING" : "STOPPED";
  const detail = "The venue accepts no transactions at present; this one was not accepted.";
  throw new ProblemError("SERVICE_UNAVAILABLE", detail, { reason, maybeSubmitted: false, retryAfterMs: ROOM_MS });
}
