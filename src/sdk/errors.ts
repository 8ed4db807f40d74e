import type { Problem } from "../api/problem.ts";
import type { Address, Bytes32 } from "../protocol/fields.ts";
import type { PreflightFailure } from "./transaction/preflightFailure.ts";

/** What each failure of the client tells besides its code. */
interface Details {
  /** No connection, or it broke before an answer came. */
  CONNECTION_FAILED: { method: string; path: string };
  /** No answer in time. */
  TIMEOUT: { method: string; path: string; timeoutMs: number };
  /** An answer that the contract does not know. */
  RESPONSE_INVALID: { method: string; path: string; status: number };
  /** The transport has no stream, and the venue publishes no address of one. */
  SOCKET_UNAVAILABLE: { transport: string };
  /** The stream broke and is given up, or the venue refused what was asked of it. */
  SOCKET_FAILED: { code: string };
  /** The venue is not the network that the client was made for. */
  NETWORK_MISMATCH: { field: string; expected: string; observed: string };
  /** The venue is not the one any more that the client has seen before: a reset, a revert or another genesis. */
  NETWORK_CHANGED: { field: string; before: string; now: string };
  /** Venue and client have no version in common. */
  VERSION_UNSUPPORTED: { of: string; venue: string; client: string };
  /** Something has to be signed, and the client has no account. */
  ACCOUNT_MISSING: { action: string };
  /** The account cannot sign what is asked for, or its signature is not its own. */
  SIGNATURE_INVALID: { signer: Address; fault: string };
  /** A transaction that must not be signed. */
  PREFLIGHT_FAILED: { failures: readonly PreflightFailure[] };
  /** The client has given up, and the transaction may still commit. It stays in the outbox; `recover()` goes on. */
  OUTCOME_UNKNOWN: { txId: Bytes32 };
  /** The venue does not know a transaction any more that it had taken. */
  TRANSACTION_LOST: { txId: Bytes32 };
  /** What the outbox holds cannot be read. */
  OUTBOX_CORRUPT: { place: string };
  /** The venue made blocks faster than it could be read. */
  VIEW_TORN: { height: number };
  /** A hook of a strategy threw. */
  STRATEGY_FAILED: { strategy: string; hook: string; height: number };
}

export type ClientErrorCode = keyof Details;

/** A failure of the client: thrown, with a code and details typed by it. What the venue answers is a `VenueError`. */
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

  /** The first error of the chain of causes that the function picks, this one first; without a function, the last. */
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

  /** The first error of the chain of causes that the function picks, this one first; without a function, the last. */
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
