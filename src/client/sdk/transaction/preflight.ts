import { actions } from "../../../protocol/actions/index.ts";
import { encodePayload } from "../../../protocol/codec.ts";
import { completePayload } from "../../../protocol/completePayload.ts";
import { isValidationError } from "../../../protocol/errors.ts";
import type { Address } from "../../../protocol/fields.ts";
import { type Transaction, ZERO_BYTES32 } from "../../../protocol/transaction.ts";
import type { CheckedNetwork } from "../network/networkGuard.ts";
import type { LaneKey } from "../nonce/nonceLane.ts";
import type { Authorization, Market } from "../resources.ts";
import { checkMarkets, marketsOf } from "./checkMarkets.ts";
import type { PreflightCheck, PreflightCode, PreflightFailure } from "./preflightFailure.ts";
import type { Intention } from "./transactionRequest.ts";

/** Facts that a transaction is checked against before it is signed. */
export interface PreflightFacts {
  readonly intention: Intention;
  readonly network: CheckedNetwork;
  /** The account that will sign. */
  readonly signer: Address;
  /** The lane for which the nonce was obtained. */
  readonly lane: LaneKey;
  /** First nonce of the lane that has not committed; undefined if unknown. */
  readonly committedNext: number | undefined;
  /** The grant that the header names; undefined if the owner made none with that id. */
  readonly grant: Authorization | undefined;
  readonly markets: ReadonlyMap<string, Market>;
}

/** The specification's six checks before a signature; empty if all pass. */
export function preflight(transaction: Transaction, facts: PreflightFacts): PreflightFailure[] {
  return [
    ...checkNetwork(transaction, facts),
    ...checkSigner(transaction, facts),
    ...checkIntent(transaction, facts),
    ...checkNonce(transaction, facts),
    ...checkValidity(transaction, facts),
    ...checkMarkets(transaction, facts.markets),
  ];
}

function checkNetwork({ header }: Transaction, { network }: PreflightFacts): PreflightFailure[] {
  const { identity, status } = network;
  const failures: PreflightFailure[] = [];
  if (header.network !== identity.name) {
    const message = `the venue is ${identity.name}, the transaction is for ${header.network}`;
    failures.push(fail("network", "WRONG_NETWORK", "header.network", message));
  }
  for (const [place, of] of [
    ["protocolVersion", "protocol"],
    ["envelopeVersion", "envelope"],
  ] as const) {
    if (status.versions[of].includes(header[place])) continue;
    const message = `the venue takes ${status.versions[of].join(", ")}`;
    failures.push(fail("network", "WRONG_VERSION", `header.${place}`, message));
  }
  return failures;
}

function checkSigner(transaction: Transaction, { signer, grant }: PreflightFacts): PreflightFailure[] {
  const { header } = transaction;
  const refuse = (code: PreflightCode, place: string, message: string) => [fail("signer", code, place, message)];
  if (header.signer !== signer) {
    return refuse("WRONG_SIGNER", "header.signer", `the account that signs is ${signer}`);
  }
  const isOwner = header.signer === header.account.address;
  if (header.authorization === ZERO_BYTES32) {
    if (isOwner) return [];
    return refuse(
      "AUTHORIZATION_MISSING",
      "header.authorization",
      "the signer is not the owner: name the grant, or act for the account itself",
    );
  }
  if (isOwner) {
    return refuse("AUTHORIZATION_FOREIGN", "header.authorization", "an owner signs without a grant: leave it out");
  }
  if (grant === undefined) {
    return refuse("AUTHORIZATION_UNKNOWN", "header.authorization", "there is no such grant; has it committed?");
  }
  if (grant.owner !== header.account.address || grant.agent !== header.signer) {
    const message = `the grant lets ${grant.agent} act for ${grant.owner}`;
    return refuse("AUTHORIZATION_FOREIGN", "header.authorization", message);
  }
  // An agent may revoke its own grant in any state; the venue decides.
  if (transaction.action === "revokeAuthorization") return [];
  if (grant.status !== "active") {
    return refuse("AUTHORIZATION_NOT_ACTIVE", "header.authorization", `the grant is ${grant.status}`);
  }
  return checkScope(transaction, grant);
}

function checkScope({ action, header, payload }: Transaction, grant: Authorization): PreflightFailure[] {
  const { scope } = actions[action];
  const { scopes, subaccounts } = grant;
  // A trade scope includes reduce; whether an order only reduces is in the payload, and for the venue to check.
  const covers = scope === "trade" || scope === "reduce" ? ["trade", "reduce"] : [scope];
  if (scope !== "any" && !covers.some((one) => scopes.includes(one))) {
    const message = `${action} needs ${scope}; the grant covers ${scopes.join(", ") || "nothing"}`;
    return [fail("signer", "AUTHORIZATION_SCOPE", "action", message)];
  }
  if (subaccounts !== null && !subaccounts.includes(header.account.subaccount)) {
    const message = `the grant covers subaccounts ${subaccounts.join(", ") || "none"}`;
    return [fail("signer", "AUTHORIZATION_SCOPE", "header.subaccount", message)];
  }
  const foreign = marketsOf(payload).find((market) => grant.markets !== null && !grant.markets.includes(market));
  if (foreign !== undefined) {
    const message = `the grant covers ${grant.markets?.join(", ") || "no market"}, not ${foreign}`;
    return [fail("signer", "AUTHORIZATION_SCOPE", "payload", message)];
  }
  return [];
}

/** The payload to sign must equal the requested one. */
function checkIntent({ action, payload }: Transaction, { intention }: PreflightFacts): PreflightFailure[] {
  if (action !== intention.action) {
    return [fail("intent", "NOT_AS_ASKED", "action", `${intention.action} was asked for`)];
  }
  const asked = completePayload(actions[action].fields, intention.payload);
  if (JSON.stringify(sortKeys(asked)) === JSON.stringify(sortKeys(encodePayload(action, payload)))) return [];
  return [fail("intent", "NOT_AS_ASKED", "payload", "the payload is not the one that was asked for")];
}

function checkNonce({ action, header }: Transaction, { lane, committedNext }: PreflightFacts): PreflightFailure[] {
  const { domain } = actions[action];
  if (domain !== "any" && header.nonceDomain !== domain) {
    return [fail("nonce", "WRONG_DOMAIN", "header.nonceDomain", `nonces of ${action} count in ${domain}`)];
  }
  const obtained = `${lane.account}/${lane.subaccount}/${lane.signer}/${lane.domain}`;
  const used = `${header.account.address}/${header.account.subaccount}/${header.signer}/${header.nonceDomain}`;
  if (obtained !== used) {
    return [fail("nonce", "WRONG_LANE", "header.nonce", `the nonce was obtained for ${obtained}, not for ${used}`)];
  }
  if (committedNext !== undefined && header.nonce < committedNext) {
    return [fail("nonce", "NONCE_USED", "header.nonce", `the lane has come to ${committedNext}; ask for a nonce`)];
  }
  return [];
}

function checkValidity({ header }: Transaction, { network }: PreflightFacts): PreflightFailure[] {
  const { head, limits } = network.status;
  const { validFrom, validUntil } = header;
  if (validUntil <= head.height) {
    const message = `the venue is at ${head.height}: no block can carry it any more`;
    return [fail("validity", "EXPIRED", "header.validUntil", message)];
  }
  if (validUntil - validFrom > limits.validityBlocksMost) {
    const message = `${validUntil - validFrom} blocks from validFrom; the venue takes ${limits.validityBlocksMost}`;
    return [fail("validity", "VALIDITY_TOO_LONG", "header.validUntil", message)];
  }
  if (validFrom > validUntil) {
    const message = `is above validUntil, ${validUntil}: no block can carry it`;
    return [fail("validity", "VALIDITY_EMPTY", "header.validFrom", message)];
  }
  if (validFrom > head.height + limits.validityBlocksMost) {
    const message = `the venue is at ${head.height} and takes at most ${limits.validityBlocksMost} blocks ahead`;
    return [fail("validity", "VALIDITY_TOO_FAR", "header.validFrom", message)];
  }
  return [];
}

/** A place that does not match the wire schema, as a failure of the sixth check; undefined for another error. */
export function describeMalformed(error: unknown): PreflightFailure | undefined {
  if (!isValidationError(error)) return undefined;
  return fail("numbers", "MALFORMED", error.path, `${error.reason}; ${error.hint}`);
}

function fail(check: PreflightCheck, code: PreflightCode, place: string, message: string): PreflightFailure {
  return { check, code, place, message };
}

/** The same value with its keys sorted. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, sortKeys(member)]));
}
