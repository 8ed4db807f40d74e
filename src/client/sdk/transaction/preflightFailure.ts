/** The checks before every signature, in the words of the specification. */
export const PREFLIGHT_CHECKS = {
  network: "correct target network",
  signer: "correct account and signer",
  intent: "the market action matches the user's intent",
  nonce: "the nonce was obtained for the right signer, subaccount and domain",
  validity: "the transaction has not expired",
  numbers: "numeric values use the expected units and precision",
} as const;

/** One of the six checks. */
export type PreflightCheck = keyof typeof PREFLIGHT_CHECKS;

/** Reason not to sign a transaction. */
export interface PreflightFailure {
  readonly check: PreflightCheck;
  /** Stable. */
  readonly code: PreflightCode;
  /** Place in the transaction: `header.nonce`, `payload.size`. */
  readonly place: string;
  /** What is wrong, and what to do. */
  readonly message: string;
}

/** Reasons of the checks not to sign. Stable; clients may match on them. */
export type PreflightCode =
  | "WRONG_NETWORK" // the header names another network than the venue's
  | "WRONG_VERSION" // a version of protocol or envelope that the venue does not accept
  | "WRONG_SIGNER" // the signer is not the account that signs
  | "AUTHORIZATION_MISSING" // the signer is not the owner and names no grant
  | "AUTHORIZATION_UNKNOWN" // the owner made no such grant
  | "AUTHORIZATION_FOREIGN" // a grant of another owner or for another agent, or one that the owner names
  | "AUTHORIZATION_NOT_ACTIVE" // it ended, or is not valid yet
  | "AUTHORIZATION_SCOPE" // it does not cover the action, the subaccount or the market
  | "NOT_AS_ASKED" // the payload to sign differs from the requested one
  | "UNKNOWN_MARKET" // no market has the name
  | "MARKET_CLOSED" // the market takes no orders of this kind now
  | "WRONG_DOMAIN" // the action belongs to another nonce domain
  | "WRONG_LANE" // the nonce was obtained for another lane
  | "NONCE_USED" // the lane has passed it
  | "VALIDITY_EMPTY" // its first height is above its last
  | "VALIDITY_TOO_FAR" // its first height is further ahead than the longest validity
  | "EXPIRED" // its last height has passed
  | "VALIDITY_TOO_LONG" // its range is longer than the venue allows
  | "MALFORMED" // not a canonical decimal, too many digits, or another type
  | "OFF_TICK" // a price between two ticks
  | "OFF_LOT" // a size between two lots
  | "SIZE_OUT_OF_RANGE"; // a size outside of the market's limits
