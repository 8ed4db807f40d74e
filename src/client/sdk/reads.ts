/** Reads of the client itself; users have `publicActions`. */
import type { Bytes32 } from "../../protocol/fields.ts";
import { isVenueError } from "./errors.ts";
import type { LaneKey } from "./nonce/nonceLane.ts";
import { call } from "./operations/operation.ts";
import { type Requester, requestOnce } from "./request.ts";
import type { Authorization, Confirmation, Market, NonceState, Status } from "./resources.ts";

export async function readStatus(requester: Requester): Promise<Status> {
  return (await call(requester, "getStatus")).data;
}

export async function readMarkets(requester: Requester): Promise<readonly Market[]> {
  return (await call(requester, "listMarkets")).data;
}

export async function readNonce(requester: Requester, { account, ...lane }: LaneKey): Promise<NonceState> {
  return (await call(requester, "getNonce", { address: account, ...lane })).data;
}

/** Undefined if no grant has this id. */
export async function readAuthorization(requester: Requester, id: Bytes32): Promise<Authorization | undefined> {
  return (await orUndefined(call(requester, "getAuthorization", { authId: id })))?.data;
}

/**
 * State of a transaction, read once; undefined if the venue does not know it.
 *
 * @param waitMs how long the venue may wait for it to commit
 */
export async function readConfirmation(
  requester: Requester,
  txId: Bytes32,
  waitMs = 0,
): Promise<Confirmation | undefined> {
  const path = `/transactions/${txId}/confirmation`;
  const query = waitMs === 0 ? {} : { waitMs };
  const answer = requestOnce(requester, { method: "GET", path, query }) as Promise<{ data: Confirmation }>;
  return (await orUndefined(answer))?.data;
}

async function orUndefined<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isVenueError(error, "NOT_FOUND")) return undefined;
    throw error;
  }
}
