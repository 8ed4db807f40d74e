import { checksumAddress } from "../../../client/api/checksumAddress.ts";
import type { Address } from "../../../protocol/fields.ts";
import { invalidField, ProblemError } from "../problems/problems.ts";
import type { Services } from "./services.ts";

/**
 * An address as the venue writes it: in lower case. An address in mixed case must have the right checksum.
 *
 * @param pointer place in the request, for the error
 */
export function readAddress(text: string, pointer: string): Address {
  const lower = text.toLowerCase() as Address;
  if (text !== lower && text.slice(2) !== text.slice(2).toUpperCase() && text !== checksumAddress(lower)) {
    throw invalidField(pointer, "checksum", "its letters do not match the checksum of EIP-55; write it in lower case");
  }
  return lower;
}

/** The accounts whose data an answer may carry: every account, those of one address, or none. */
export class Reader {
  /** The reader on a network that shows accounts to all clients. */
  static readonly unlimited = new Reader(undefined, true);
  /** Address of the session; undefined without one. */
  readonly address: Address | undefined;
  readonly isUnlimited: boolean;

  private constructor(address: Address | undefined, isUnlimited: boolean) {
    this.address = address;
    this.isUnlimited = isUnlimited;
  }

  /** @param address of the session; undefined for a client without one */
  static of(address: Address | undefined): Reader {
    return new Reader(address, false);
  }

  sees(...addresses: readonly string[]): boolean {
    return this.isUnlimited || (this.address !== undefined && addresses.includes(this.address));
  }
}

/** Cache marks of an answer with only what its reader may see: shared caches do not keep it. */
export function forReader({ isUnlimited, address }: Reader): { guarded?: true; variant?: string } {
  return isUnlimited ? {} : { guarded: true, variant: address ?? "none" };
}

/**
 * The reader that a request's session proves. If accounts are public, sessions are not read.
 *
 * @throws {ProblemError} SESSION_REQUIRED for a token of no active session
 */
export function readReader({ config, sessions }: Services, headers: Readonly<Record<string, string>>): Reader {
  if (config.accountReads === "public") return Reader.unlimited;
  const token = readToken(headers);
  if (token === undefined) return Reader.of(undefined);
  const found = sessions.find(token);
  if (typeof found === "string") {
    const reason = { unknown: "SESSION_UNKNOWN", expired: "SESSION_EXPIRED", revoked: "SESSION_REVOKED" }[found];
    throw new ProblemError("SESSION_REQUIRED", "The session is not valid: open a new one.", { reason });
  }
  return Reader.of(found.address);
}

/**
 * Refuses a reader that may see none of the addresses.
 *
 * @throws {ProblemError} SESSION_REQUIRED without a session, UNAUTHORIZED (403) with a session of another address
 */
export function requireReader(reader: Reader, ...addresses: readonly string[]): void {
  if (reader.sees(...addresses)) return;
  if (reader.address === undefined) {
    throw new ProblemError("SESSION_REQUIRED", "The network shows accounts to their owners only: open a session.");
  }
  const fields = { status: 403, reason: "WRONG_ADDRESS" };
  throw new ProblemError("UNAUTHORIZED", "The session belongs to another address.", fields);
}

/**
 * Answers a reader that may see none of the addresses as if the resource did not exist. An answer therefore does not
 * reveal whether an id exists.
 *
 * @param addresses owners of the data; empty for data of no account, undefined for an unknown id
 * @param unknown the error for an unknown id
 * @throws {ProblemError} SESSION_REQUIRED without a session, else `unknown`
 */
export function requireSeen(
  reader: Reader,
  addresses: readonly string[] | undefined,
  unknown: () => ProblemError,
): void {
  if (addresses !== undefined && (addresses.length === 0 || reader.sees(...addresses))) return;
  if (!reader.isUnlimited && reader.address === undefined) requireReader(reader);
  throw unknown();
}

/**
 * Checks that the session proves the account's owner. If accounts are public, there is nothing to prove.
 *
 * @returns whether the answer is for this reader alone
 * @throws {ProblemError} SESSION_REQUIRED, or UNAUTHORIZED (403) with a session of another address
 */
export function checkReader(services: Services, headers: Readonly<Record<string, string>>, address: Address): boolean {
  const reader = readReader(services, headers);
  requireReader(reader, address);
  return !reader.isUnlimited;
}

/** The token of a request's session, if it has one. */
export function readToken(headers: Readonly<Record<string, string>>): string | undefined {
  return /^Bearer ([!-~]{1,256})$/i.exec(headers["authorization"] ?? "")?.[1];
}
