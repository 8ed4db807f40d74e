import type { ProblemCode } from "./problem.ts";

/** What a reason belongs to, and what it says. */
export interface ReasonKind {
  readonly code: ProblemCode;
  /** Where it is not the code's own. */
  readonly status?: number;
  /** A sentence for whoever meets it. */
  readonly says: string;
}

/**
 * Reasons of the service itself. Others come from where they arise: codes of admission (`INVALID_CODES`), of the pending
 * pool (`POOL_CODES`) and of signatures, which are reasons of 422, 409, 429 and 503 on submission.
 */
export const REASONS = {
  HTTP: { code: "MALFORMED_REQUEST", says: "What was sent is no HTTP." },
  HEADERS: { code: "MALFORMED_REQUEST", status: 431, says: "The headers are too long." },
  SLOW: { code: "MALFORMED_REQUEST", status: 408, says: "The request did not arrive in time." },
  HOSTS: { code: "MALFORMED_REQUEST", says: "The request has no `Host` header, or more than one." },
  HOST: { code: "MALFORMED_REQUEST", status: 421, says: "A venue on loopback was asked under another name." },
  METHOD: { code: "MALFORMED_REQUEST", status: 405, says: "The path takes other methods; `Allow` lists them." },
  URI_TOO_LONG: { code: "MALFORMED_REQUEST", status: 414, says: "The path with its query is too long." },
  ENCODING: { code: "MALFORMED_REQUEST", says: "Path or query is not percent-encoded text." },
  BODY: { code: "MALFORMED_REQUEST", says: "A body where none belongs." },
  TOO_LARGE: { code: "MALFORMED_REQUEST", status: 413, says: "The body is longer than 65,536 bytes." },
  CONTENT_TYPE: { code: "MALFORMED_REQUEST", status: 415, says: "The body is not said to be plain JSON." },
  JSON: {
    code: "MALFORMED_REQUEST",
    says: "The body is no JSON as the wire has it: a key twice, a fraction, too deep.",
  },
  UNKNOWN_ROUTE: { code: "NOT_FOUND", says: "Nothing is at this path." },
  UNKNOWN_RESOURCE: { code: "NOT_FOUND", says: "The path is right, and there is no such thing." },
  UNKNOWN_MARKET: { code: "NOT_FOUND", says: "No market has this name." },
  PRUNED: { code: "NOT_FOUND", says: "It was there, and is no longer kept; as `CURSOR_INVALIDATED`, too." },
  NOT_EXPOSED: { code: "NOT_FOUND", says: "This network does not offer it." },
  SESSION_UNKNOWN: { code: "SESSION_REQUIRED", says: "The token is of no session." },
  SESSION_EXPIRED: { code: "SESSION_REQUIRED", says: "The session has ended by time." },
  SESSION_REVOKED: { code: "SESSION_REQUIRED", says: "The session was ended." },
  NOT_LOCAL: {
    code: "UNAUTHORIZED",
    status: 403,
    says: "It is for the venue's own machine, without a proxy between, or for the administrator's token: metrics, control.",
  },
  WRONG_ADDRESS: { code: "UNAUTHORIZED", status: 403, says: "The session is of another address." },
  CHALLENGE_FAILED: { code: "UNAUTHORIZED", says: "The challenge is not open, or its address did not sign it." },
  CURSOR_RETIRED: { code: "CURSOR_INVALIDATED", says: "The cursor is of an older form." },
  EPOCH_CHANGED: { code: "CURSOR_INVALIDATED", says: "The chain is another one now." },
  FILTER_CHANGED: { code: "CURSOR_INVALIDATED", says: "The cursor is of a list with other filters." },
  KEY_REUSED: { code: "IDEMPOTENCY_CONFLICT", says: "The key belongs to another submission." },
  READS: { code: "RATE_LIMITED", says: "The client's allowance of reads is used up." },
  SUBMISSIONS: { code: "RATE_LIMITED", says: "The client's allowance of submissions is used up." },
  SIGNER: { code: "RATE_LIMITED", says: "The signer's allowance of submissions is used up." },
  CANCELS: { code: "RATE_LIMITED", says: "The signer's allowance of cancellations is used up." },
  CHALLENGES: { code: "RATE_LIMITED", says: "The client's allowance of challenges is used up." },
  FAUCET: { code: "RATE_LIMITED", says: "The client's allowance of claims is used up." },
  FAUCET_ACCOUNT: { code: "RATE_LIMITED", says: "The account's allowance of claims is used up." },
  CONNECTIONS: { code: "RATE_LIMITED", says: "The client has as many connections as it may." },
  DRAINING: { code: "SERVICE_UNAVAILABLE", says: "The service is about to end, and takes nothing new." },
  STOPPED: { code: "SERVICE_UNAVAILABLE", says: "The venue takes nothing until it is started again." },
} as const satisfies Readonly<Record<string, ReasonKind>>;

/** Reasons of development venues alone. */
export const DEVNET_REASONS = {
  ADMIN_TOKEN: { code: "UNAUTHORIZED", status: 403, says: "Control needs the administrator's token." },
  UNKNOWN_ACCOUNT: { code: "NOT_FOUND", says: "There is no such account." },
  UNKNOWN_TRANSACTION: { code: "NOT_FOUND", says: "No such transaction is pending." },
  UNKNOWN_SNAPSHOT: { code: "NOT_FOUND", says: "No snapshot has this name." },
  UNKNOWN_FAULT: { code: "NOT_FOUND", says: "No fault has this id." },
  NO_PRICE: { code: "NOT_FOUND", says: "The market has no price yet." },
  NO_ROOM: { code: "TRANSACTION_REJECTED", says: "No trade fits between the best bid and ask." },
  INJECTED: { code: "SERVICE_UNAVAILABLE", says: "A fault that was asked for; as `RATE_LIMITED`, too." },
} as const satisfies Readonly<Record<string, ReasonKind>>;
