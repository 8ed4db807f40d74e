/** What the client itself reads; users have `publicActions`. */
import type { Bytes32 } from "../protocol/fields.ts";
import { isVenueError } from "./errors.ts";
import type { LaneKey } from "./nonce/nonceLane.ts";
import { type Requester, requestOnce, requestRead } from "./request.ts";
import type { Authorization, Confirmation, Market, NonceState, Status } from "./resources.ts";

async function readData<T>(requester: Requester, path: string, query = {}): Promise<T> {
  return ((await requestRead(requester, { path, query })) as { data: T }).data;
}

export const readStatus = (requester: Requester) => readData<Status>(requester, "/status");

export const readMarkets = (requester: Requester) => readData<Market[]>(requester, "/markets");

export function readNonce(requester: Requester, { account, signer, subaccount, domain }: LaneKey): Promise<NonceState> {
  return readData(requester, `/accounts/${account}/nonce`, { signer, subaccount, domain });
}

/** Undefined where nobody made a grant of this id. */
export function readAuthorization(requester: Requester, id: Bytes32): Promise<Authorization | undefined> {
  return orUndefined(readData<Authorization>(requester, `/authorizations/${id}`));
}

/**
 * What is known of a transaction, asked once; undefined where it is not known.
 *
 * @param waitMs how long the venue may wait for it to commit
 */
export function readConfirmation(requester: Requester, txId: Bytes32, waitMs = 0): Promise<Confirmation | undefined> {
  const path = `/transactions/${txId}/confirmation`;
  const query = waitMs === 0 ? {} : { waitMs };
  const answer = requestOnce(requester, { method: "GET", path, query }) as Promise<{ data: Confirmation }>;
  return orUndefined(answer.then(({ data }) => data));
}

async function orUndefined<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isVenueError(error, "NOT_FOUND")) return undefined;
    throw error;
  }
}
