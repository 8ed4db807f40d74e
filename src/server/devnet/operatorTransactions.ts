import type { ActionName, GivenPayloads, Payloads } from "../../protocol/actions/index.ts";
import { encodePayload } from "../../protocol/codec.ts";
import { createPayload } from "../../protocol/createPayload.ts";
import type { Address, Bytes32 } from "../../protocol/fields.ts";
import { INVALID_CODES, REJECTION_CODES } from "../../protocol/rejections.ts";
import { ProblemError } from "../face/problems.ts";
import { problemOfRefusal } from "../face/submission/refusals.ts";
import type { VenueHost } from "../host/host.ts";

/** A system transaction that was done, or waits. */
export interface OperatorTransaction {
  readonly txId: Bytes32;
  readonly status: "committed" | "pending";
  /** Its block; null while it waits. */
  readonly height: number | null;
}

export interface OperatorOptions {
  /** Whether a block is made for it if none would be by itself. Default: true. */
  readonly mine?: boolean | undefined;
}

const MEANINGS: Readonly<Record<string, string>> = { ...INVALID_CODES, ...REJECTION_CODES };

/**
 * Has an authority sign an action, and a block made with it.
 *
 * @throws {ProblemError} TRANSACTION_REJECTED, with the code of the rejection for a reason: it is in the log all the same
 */
export async function operatorTransaction<A extends ActionName>(
  host: VenueHost,
  action: A,
  payload: Payloads[A],
  { mine = true }: OperatorOptions = {},
): Promise<OperatorTransaction> {
  const submitted = await host.submitSystem(action, payload);
  if (!submitted.accepted) throw problemOfRefusal(submitted);
  const { id: txId } = submitted;
  if (mine) await mineUntilDone(host, txId);
  const entry = host.transaction(txId);
  if (entry?.status !== "committed") return { txId, status: "pending", height: null };
  const { code } = entry.receipt;
  if (code !== undefined) throw new ProblemError("TRANSACTION_REJECTED", MEANINGS[code]!, { reason: code, txId });
  return { txId, status: "committed", height: entry.block.height };
}

/** Others may stand before it, and a block holds so many only. */
async function mineUntilDone(host: VenueHost, txId: Bytes32): Promise<void> {
  for (let blocks = 0; blocks < 100 && host.transaction(txId)?.status === "pending"; blocks++) await host.mine();
}

/** A payload as people write it: what is left out is absent. */
export function readPayload<A extends ActionName>(action: A, given: unknown): Payloads[A] {
  return createPayload(action, (given ?? {}) as GivenPayloads[A]);
}

/** What `devnetImpersonate` carries. */
export function impersonation<A extends ActionName>(
  account: Address,
  subaccount: number,
  action: A,
  payload: Payloads[A],
): Payloads["devnetImpersonate"] {
  const json = JSON.stringify(encodePayload(action, payload));
  return { account, subaccount, action, payload: new TextEncoder().encode(json) };
}
