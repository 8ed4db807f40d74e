import type { ActionName } from "../../../protocol/actions/index.ts";
import { encodeHeader, encodePayload, encodeTransaction, type Signed } from "../../../protocol/codec.ts";
import { formatHex } from "../../../protocol/codecHex.ts";
import type { Bytes32 } from "../../../protocol/fields.ts";
import { type Transaction, ZERO_BYTES32 } from "../../../protocol/transaction.ts";
import { typedDataOf } from "../../../protocol/typedData.ts";
import type { Account } from "../account/account.ts";
import { readSignature } from "../account/signature.ts";
import type { ClientActor, ClientCore } from "../core.ts";
import { ClientError } from "../errors.ts";
import type { CheckedNetwork } from "../network/networkGuard.ts";
import type { LaneKey } from "../nonce/nonceLane.ts";
import type { OutboxEntry } from "../outbox/outbox.ts";
import { readAuthorization, readNonce } from "../reads.ts";
import type { Authorization } from "../resources.ts";
import { type Actor, buildTransaction, domainOf } from "../transaction/buildTransaction.ts";
import { describeMalformed, preflight } from "../transaction/preflight.ts";
import type { PreflightFailure } from "../transaction/preflightFailure.ts";
import type { Intention } from "../transaction/transactionRequest.ts";
import type { Submission } from "./submission.ts";

/** A transaction that was signed and not sent. */
export interface SignedSubmission<A extends ActionName = ActionName> {
  readonly txId: Bytes32;
  readonly signed: Signed<A>;
  readonly lane: LaneKey;
}

/**
 * Signs a request, records it, and sends it until its outcome is known. Resolves when it is signed and recorded.
 *
 * @throws {ClientError} NETWORK_MISMATCH, NETWORK_CHANGED, VERSION_UNSUPPORTED, ACCOUNT_MISSING, PREFLIGHT_FAILED,
 * SIGNATURE_INVALID; nothing was sent, and the nonce is free
 */
export async function submit<A extends ActionName>(
  core: ClientCore,
  who: ClientActor,
  wanted: Intention<A>,
): Promise<Submission> {
  const { account, actor } = actorOf(who, wanted);
  // Entries of an earlier run come before any new nonce.
  await core.recover();
  const lane = core.lane(laneOf(wanted, actor));
  const record = async (nonce: number) => {
    const network = await core.network.check();
    const signed = await checkAndSign(core, { account, actor, network, nonce, lane: lane.key }, wanted);
    const entry = entryOf(signed, network);
    await core.outbox.put(entry);
    return entry;
  };
  // A replacement takes the nonce of the replaced transaction.
  const entry = wanted.replaces === undefined ? await lane.take(record) : await record(wanted.replaces.nonce);
  return core.pursue(entry, lane);
}

/**
 * Runs the six checks on a request, without signing; empty if all pass.
 *
 * @param nonce to check with. Default: the lane's next
 */
export async function check(
  core: ClientCore,
  who: ClientActor,
  wanted: Intention,
  nonce?: number,
): Promise<PreflightFailure[]> {
  const { account, actor } = actorOf(who, wanted);
  const lane = laneOf(wanted, actor);
  const network = await core.network.check();
  const state = await readNonce(core, lane);
  const parts = { account, actor, network, nonce: nonce ?? Number(state.pendingNext), lane };
  const built = buildOrFailures(core, parts, wanted);
  if (Array.isArray(built)) return built;
  return runChecks(core, parts, wanted, { transaction: built, committedNext: Number(state.committedNext) });
}

interface SigningParts {
  readonly account: Account;
  readonly actor: Actor;
  readonly network: CheckedNetwork;
  readonly nonce: number;
  readonly lane: LaneKey;
}

async function checkAndSign<A extends ActionName>(
  core: ClientCore,
  parts: SigningParts,
  wanted: Intention<A>,
): Promise<SignedSubmission<A>> {
  const built = buildOrFailures(core, parts, wanted);
  if (Array.isArray(built)) throw failed(built);
  const found = await runChecks(core, parts, wanted, { transaction: built, committedNext: undefined });
  const failures = found.filter(({ check }) => wanted.unchecked?.includes(check) !== true);
  if (failures.length > 0) throw failed(failures);
  return { ...(await signFor(built, parts.account, parts.network)), lane: parts.lane };
}

/** Signs with a key synchronously; a wallet signs typed data, and its signature is verified against the account. */
export async function signFor<A extends ActionName>(
  transaction: Transaction<A>,
  account: Account,
  { digester, domain }: Pick<CheckedNetwork, "digester" | "domain">,
): Promise<{ txId: Bytes32; signed: Signed<A> }> {
  const digest = digester.digest(transaction);
  const txId = formatHex(digest);
  if (account.signDigest !== undefined) return { txId, signed: { transaction, signature: account.signDigest(digest) } };
  const { action, header, payload } = transaction;
  const json = { action, header: encodeHeader(header), payload: encodePayload(action, payload) };
  const text = await account.signTypedData(typedDataOf(json, domain));
  return { txId, signed: { transaction, signature: readSignature(text, digest, account.address) } };
}

function buildOrFailures<A extends ActionName>(
  { validityBlocks }: ClientCore,
  { actor, network, nonce }: SigningParts,
  wanted: Intention<A>,
): Transaction<A> | PreflightFailure[] {
  const most = network.status.limits.validityBlocksMost;
  try {
    return buildTransaction(wanted, actor, { network, nonce, validityBlocks: Math.min(validityBlocks, most) });
  } catch (error) {
    const failure = describeMalformed(error);
    if (failure === undefined) throw error;
    return [failure];
  }
}

async function runChecks(
  core: ClientCore,
  { account, network, lane }: SigningParts,
  intention: Intention,
  { transaction, committedNext }: { transaction: Transaction; committedNext: number | undefined },
): Promise<PreflightFailure[]> {
  const { authorization } = transaction.header;
  let grant: Authorization | undefined;
  if (authorization !== ZERO_BYTES32) grant = await readAuthorization(core, authorization);
  const markets = await core.markets();
  return preflight(transaction, { intention, network, signer: account.address, lane, committedNext, grant, markets });
}

function failed(failures: PreflightFailure[]): ClientError<"PREFLIGHT_FAILED"> {
  const lines = failures.map(({ place, code, message }) => `${place}: ${message} (${code})`);
  return new ClientError("PREFLIGHT_FAILED", `not signed: ${lines.join("; ")}`, { failures });
}

function actorOf(who: ClientActor, wanted: Intention): { account: Account; actor: Actor } {
  const { account, actor } = who.resolve(wanted.action);
  return {
    account,
    actor: {
      ...actor,
      owner: wanted.owner ?? actor.owner,
      subaccount: wanted.subaccount ?? actor.subaccount,
      authorization: wanted.authorization ?? actor.authorization,
    },
  };
}

function laneOf(wanted: Intention, { owner, subaccount, signer }: Actor): LaneKey {
  return { account: owner, subaccount, signer, domain: domainOf(wanted) };
}

function entryOf({ txId, signed, lane }: SignedSubmission, { domain }: CheckedNetwork): OutboxEntry {
  const { header } = signed.transaction;
  return {
    txId,
    // The id without 0x has exactly the 64 characters that a key may have, and can be computed again if lost.
    key: txId.slice(2),
    ...domain,
    ...lane,
    nonce: header.nonce,
    validUntil: header.validUntil,
    body: JSON.stringify(encodeTransaction(signed)),
  };
}
