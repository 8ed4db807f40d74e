import type { ProblemCode } from "./problem.ts";

/** Code that a reason belongs to, and its description. */
export interface ReasonKind {
  readonly code: ProblemCode;
  /** Set if it differs from the code's own. */
  readonly status?: number;
  /** Description for the client that receives it. */
  readonly description: string;
}

/**
 * Reasons of the service itself. Other reasons are codes of admission (`INVALID_CODES`), of the pending pool
 * (`POOL_CODES`) and of signatures; submission answers them with 422, 409, 429 and 503.
 */
export const REASONS = {
  HTTP: { code: "MALFORMED_REQUEST", description: "The request is not HTTP." },
  HEADERS: { code: "MALFORMED_REQUEST", status: 431, description: "The headers are too long." },
  SLOW: { code: "MALFORMED_REQUEST", status: 408, description: "The request did not arrive in time." },
  HOSTS: { code: "MALFORMED_REQUEST", description: "The request has no `Host` header, or more than one." },
  HOST: {
    code: "MALFORMED_REQUEST",
    status: 421,
    description: "The `Host` header is not a loopback name, and the venue listens on loopback only.",
  },
  METHOD: { code: "MALFORMED_REQUEST", status: 405, description: "The path takes other methods; `Allow` lists them." },
  URI_TOO_LONG: { code: "MALFORMED_REQUEST", status: 414, description: "The path with its query is too long." },
  ENCODING: { code: "MALFORMED_REQUEST", description: "Path or query is not percent-encoded text." },
  BODY: { code: "MALFORMED_REQUEST", description: "The request has a body, but its operation takes none." },
  TOO_LARGE: { code: "MALFORMED_REQUEST", status: 413, description: "The body is longer than 65,536 bytes." },
  CONTENT_TYPE: {
    code: "MALFORMED_REQUEST",
    status: 415,
    description: "The headers do not declare a plain JSON body.",
  },
  JSON: {
    code: "MALFORMED_REQUEST",
    description: "The body is not JSON of the wire, for example with a repeated key, a fraction, or too much nesting.",
  },
  UNKNOWN_ROUTE: { code: "NOT_FOUND", description: "No operation has this path." },
  UNKNOWN_RESOURCE: { code: "NOT_FOUND", description: "The path is valid, but the resource does not exist." },
  UNKNOWN_MARKET: { code: "NOT_FOUND", description: "No market has this name." },
  PRUNED: { code: "NOT_FOUND", description: "The resource was pruned; also a reason of `CURSOR_INVALIDATED`." },
  NOT_EXPOSED: { code: "NOT_FOUND", description: "This network does not offer the operation." },
  SESSION_UNKNOWN: { code: "SESSION_REQUIRED", description: "No session has this token." },
  SESSION_EXPIRED: { code: "SESSION_REQUIRED", description: "The session has expired." },
  SESSION_REVOKED: { code: "SESSION_REQUIRED", description: "The session was ended." },
  NOT_LOCAL: {
    code: "UNAUTHORIZED",
    status: 403,
    description:
      "Metrics and control are only for the venue's own machine without a proxy, or with the administrator's token.",
  },
  WRONG_ADDRESS: { code: "UNAUTHORIZED", status: 403, description: "The session is of another address." },
  CHALLENGE_FAILED: { code: "UNAUTHORIZED", description: "The challenge is not open, or its address did not sign it." },
  CURSOR_RETIRED: { code: "CURSOR_INVALIDATED", description: "The cursor has an older format." },
  EPOCH_CHANGED: {
    code: "CURSOR_INVALIDATED",
    description: "The chain was reverted, reset or loaded after the cursor was made.",
  },
  FILTER_CHANGED: { code: "CURSOR_INVALIDATED", description: "The cursor belongs to a list with other filters." },
  KEY_REUSED: { code: "IDEMPOTENCY_CONFLICT", description: "The key belongs to another submission." },
  READS: { code: "RATE_LIMITED", description: "The client's allowance of reads is used up." },
  SUBMISSIONS: { code: "RATE_LIMITED", description: "The client's allowance of submissions is used up." },
  SIGNER: { code: "RATE_LIMITED", description: "The signer's allowance of submissions is used up." },
  CANCELS: { code: "RATE_LIMITED", description: "The signer's allowance of cancellations is used up." },
  CHALLENGES: { code: "RATE_LIMITED", description: "The client's allowance of challenges is used up." },
  FAUCET: { code: "RATE_LIMITED", description: "The client's allowance of claims is used up." },
  FAUCET_ACCOUNT: { code: "RATE_LIMITED", description: "The account's allowance of claims is used up." },
  CONNECTIONS: { code: "RATE_LIMITED", description: "The client has reached its limit of connections." },
  IN_FLIGHT: { code: "RATE_LIMITED", description: "The client has reached its limit of unanswered requests." },
  DRAINING: { code: "SERVICE_UNAVAILABLE", description: "The service is about to end, and accepts no new requests." },
  STOPPED: { code: "SERVICE_UNAVAILABLE", description: "The venue accepts no transactions until it is restarted." },
} as const satisfies Readonly<Record<string, ReasonKind>>;

/** Reasons of development venues alone. */
export const DEVNET_REASONS = {
  ADMIN_TOKEN: { code: "UNAUTHORIZED", status: 403, description: "Control needs the administrator's token." },
  UNKNOWN_ACCOUNT: { code: "NOT_FOUND", description: "There is no such account." },
  UNKNOWN_TRANSACTION: { code: "NOT_FOUND", description: "No such transaction is pending." },
  UNKNOWN_SNAPSHOT: { code: "NOT_FOUND", description: "No snapshot has this name." },
  UNKNOWN_FAULT: { code: "NOT_FOUND", description: "No fault has this id." },
  NO_PRICE: { code: "NOT_FOUND", description: "The market has no price yet." },
  NO_ROOM: { code: "TRANSACTION_REJECTED", description: "No trade fits between the best bid and ask." },
  INJECTED: { code: "SERVICE_UNAVAILABLE", description: "An injected fault; also a reason of `RATE_LIMITED`." },
} as const satisfies Readonly<Record<string, ReasonKind>>;
