import type { InvalidCode } from "../../protocol/rejections.ts";

/**
 * Reasons that are permanent for a transaction id on this chain: heights only rise, nonces are used once, and a
 * revocation is final. An answer with such a reason is stored under its key; after any other the same transaction may
 * be sent again.
 */
export const PERMANENT: ReadonlySet<InvalidCode> = new Set<InvalidCode>([
  "WRONG_NETWORK",
  "WRONG_VERSION",
  "NOT_AUTHORITY",
  "AUTHORIZATION_FOREIGN",
  "AUTHORIZATION_EXPIRED",
  "AUTHORIZATION_REVOKED",
  "AUTHORIZATION_EXHAUSTED",
  "WRONG_DOMAIN",
  "VALIDITY_TOO_LONG",
  "EXPIRED",
  "NONCE_TOO_LOW",
  "NONCE_USED",
]);
