import { checksumAddress } from "../api/checksumAddress.ts";
import type { Address } from "../protocol/fields.ts";
import { invalidField, ProblemError } from "./problems.ts";
import type { Services } from "./services.ts";

/**
 * An address as the venue writes it: in lower case. One in both cases carries a checksum, and it must be right.
 *
 * @param pointer place in the request, for the error
 */
export function readAddress(text: string, pointer: string): Address {
  const lower = text.toLowerCase() as Address;
  if (text !== lower && text.slice(2) !== text.slice(2).toUpperCase() && text !== checksumAddress(lower)) {
    throw invalidField(pointer, "checksum", "its letters do not fit the checksum of EIP-55; write it in lower case");
  }
  return lower;
}

/**
 * Whether an account's owner must have proved who they are, and did. Where accounts are public there is nothing to prove.
 *
 * @returns whether the answer is for this reader alone
 * @throws {ProblemError} SESSION_REQUIRED, or UNAUTHORIZED (403) with a session of another address
 */
export function checkReader(
  { config, sessions }: Services,
  headers: Readonly<Record<string, string>>,
  address: Address,
): boolean {
  if (config.accountReads === "public") return false;
  const token = readToken(headers);
  if (token === undefined) {
    throw new ProblemError("SESSION_REQUIRED", "The network shows accounts to their owners only: open a session.");
  }
  const found = sessions.find(token);
  if (typeof found === "string") {
    const reason = { unknown: "SESSION_UNKNOWN", expired: "SESSION_EXPIRED", revoked: "SESSION_REVOKED" }[found];
    throw new ProblemError("SESSION_REQUIRED", "The session is not valid: open a new one.", { reason });
  }
  if (found.address !== address) {
    const fields = { status: 403, reason: "WRONG_ADDRESS" };
    throw new ProblemError("UNAUTHORIZED", "The session belongs to another address.", fields);
  }
  return true;
}

/** The token of a request's session, where one is sent. */
export function readToken(headers: Readonly<Record<string, string>>): string | undefined {
  return /^Bearer ([!-~]{1,256})$/i.exec(headers["authorization"] ?? "")?.[1];
}
