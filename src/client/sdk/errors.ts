import type { Address, Bytes32 } from "../../protocol/fields.ts";
import type { Problem } from "../api/problem.ts";
import type { NetworkChange } from "./network/expectation.ts";
import type { PreflightFailure } from "./transaction/preflightFailure.ts";

/** Failures of the client. */
export type ClientErrorCode =
  | "CONNECTION_FAILED" // no connection, or it broke before an answer came
  | "TIMEOUT" // no answer in time
  | "RESPONSE_INVALID" // an answer that is not the venue's, for example a proxy's
  | "SOCKET_UNAVAILABLE" // the transport has no stream
  | "SOCKET_FAILED" // the venue does not serve a stream; the details have its code
  | "NETWORK_MISMATCH" // the venue is not the network that the client was made for
  | "NETWORK_CHANGED" // a restart, a revert or another genesis since the client's last read; earlier reads are no longer valid
  | "VERSION_UNSUPPORTED" // venue and client have no version in common
  | "ACCOUNT_MISSING" // an action needs a signature, and the client has no account
  | "SIGNATURE_INVALID" // the account cannot sign this, or the signature is not of this account
  | "PREFLIGHT_FAILED" // a transaction that must not be signed; the details list the reasons
  | "OUTCOME_UNKNOWN" // the transaction may still commit; it stays in the outbox, and `recover()` looks for it again
  | "TRANSACTION_LOST" // the venue no longer knows a transaction that it had accepted
  | "OUTBOX_CORRUPT" // the outbox cannot be read
  | "LISTENER_INVALID" // the listener of a stream lacks a function that it needs
  | "VIEW_TORN" // blocks come faster than the client can read the venue
  | "STRATEGY_FAILED"; // a hook of a strategy threw

/** Details of each failure, in addition to its code. */
interface Details extends Record<ClientErrorCode, object> {
  CONNECTION_FAILED: { method: string; path: string };
  TIMEOUT: { method: string; path: string; timeoutMs: number };
  RESPONSE_INVALID: { method: string; path: string; status: number };
  SOCKET_UNAVAILABLE: { transport: string };
  SOCKET_FAILED: { code: string };
  NETWORK_MISMATCH: { field: string; expected: string; observed: string };
  NETWORK_CHANGED: NetworkChange;
  VERSION_UNSUPPORTED: { of: string; venue: string; client: string };
  ACCOUNT_MISSING: { action: string };
  SIGNATURE_INVALID: { signer: Address; fault: string };
  PREFLIGHT_FAILED: { failures: readonly PreflightFailure[] };
  OUTCOME_UNKNOWN: { txId: Bytes32 };
  TRANSACTION_LOST: { txId: Bytes32 };
  OUTBOX_CORRUPT: { place: string };
  LISTENER_INVALID: { name: string };
  VIEW_TORN: { height: number };
  STRATEGY_FAILED: { strategy: string; hook: string; height: number };
}

/** A failure of the client: thrown with a code and typed details. An error answer of the venue is a `VenueError`. */
export class ClientError<C extends ClientErrorCode = ClientErrorCode> extends Error {
  override readonly name = "ClientError";
  readonly code: C;
  readonly shortMessage: string;
  readonly details: Readonly<Details[C]>;

  constructor(code: C, shortMessage: string, details: Details[C], options?: ErrorOptions) {
    super(`${code}: ${shortMessage}`, options);
    this.code = code;
    this.shortMessage = shortMessage;
    this.details = details;
  }

  /**
   * The first error of the chain of causes that the predicate accepts, starting with this one; without a predicate, the
   * last.
   */
  walk(pick?: (error: unknown) => boolean): unknown {
    return walkCauses(this, pick);
  }
}

/** The venue answered a request with an error. Match on `code` and `reason`. */
export class VenueError extends Error {
  override readonly name = "VenueError";
  readonly problem: Problem;

  constructor(problem: Problem, options?: ErrorOptions) {
    super(`${problem.code}${problem.reason === undefined ? "" : ` (${problem.reason})`}: ${problem.detail}`, options);
    this.problem = problem;
  }

  get code(): Problem["code"] {
    return this.problem.code;
  }

  get reason(): string | undefined {
    return this.problem.reason;
  }

  get shortMessage(): string {
    return this.problem.detail;
  }

  get details(): Problem {
    return this.problem;
  }

  /**
   * The first error of the chain of causes that the predicate accepts, starting with this one; without a predicate, the
   * last.
   */
  walk(pick?: (error: unknown) => boolean): unknown {
    return walkCauses(this, pick);
  }
}

/** Narrows by code. Works across two copies of the package, where `instanceof` does not. */
export function isClientError<C extends ClientErrorCode>(error: unknown, code: C): error is ClientError<C> {
  return error instanceof Error && error.name === "ClientError" && (error as ClientError).code === code;
}

/** Narrows an answer of the venue, to one code where one is named. */
export function isVenueError(error: unknown, code?: Problem["code"]): error is VenueError {
  if (!(error instanceof Error) || error.name !== "VenueError") return false;
  return code === undefined || (error as VenueError).code === code;
}

/** Whether no answer came, so that the request may have been carried out or not. */
export function isUnanswered(error: unknown): error is ClientError<"CONNECTION_FAILED" | "TIMEOUT"> {
  return isClientError(error, "CONNECTION_FAILED") || isClientError(error, "TIMEOUT");
}

function walkCauses(error: Error, pick?: (error: unknown) => boolean): unknown {
  let at: unknown = error;
  for (;;) {
    if (pick?.(at) === true) return at;
    const cause = at instanceof Error ? at.cause : undefined;
    if (cause === undefined) return pick === undefined ? at : undefined;
    at = cause;
  }
}
