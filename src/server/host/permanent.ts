import type { InvalidCode } from "../../protocol/rejections.ts";

/**
 * Reasons that hold for ever for a transaction of this id on this chain: heights only rise, nonces are used once, what is
 * revoked stays so. An answer with one of them is kept under its key; after any other the same may be sent again.
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
