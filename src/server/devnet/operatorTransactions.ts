import type { ActionName, GivenPayloads, Payloads } from "../../protocol/actions/index.ts";
import { encodePayload } from "../../protocol/codec.ts";
import { createPayload } from "../../protocol/createPayload.ts";
import type { Address, Bytes32 } from "../../protocol/fields.ts";
import { INVALID_CODES, REJECTION_CODES } from "../../protocol/rejections.ts";
import { problemOfRefusal } from "../face/handlers/refusals.ts";
import { ProblemError } from "../face/problems/problems.ts";
import type { VenueHost } from "../host/host.ts";

/** A system transaction that was carried out, or waits. */
export interface OperatorTransaction {
  readonly txId: Bytes32;
  readonly status: "committed" | "pending";
  /** Its block; null while it waits. */
  readonly height: number | null;
}

/** Settings of an operator transaction. */
export interface OperatorOptions {
  /** Whether a block is made for it if none would be by itself. Default: true. */
  readonly mine?: boolean | undefined;
}

const MEANINGS: Readonly<Record<string, string>> = { ...INVALID_CODES, ...REJECTION_CODES };

/**
 * Signs an action as its authority, and makes a block with it.
 *
 * @throws {ProblemError} TRANSACTION_REJECTED, with the code of the rejection as reason; the transaction is in the log
 * nevertheless
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

/** Other transactions may precede it, and the size of a block is limited. */
async function mineUntilDone(host: VenueHost, txId: Bytes32): Promise<void> {
  for (let blocks = 0; blocks < 100 && host.transaction(txId)?.status === "pending"; blocks++) await host.mine();
}

/** A payload from a request: members that are left out are absent. */
export function readPayload<A extends ActionName>(action: A, given: unknown): Payloads[A] {
  return createPayload(action, (given ?? {}) as GivenPayloads[A]);
}

/** The payload of `devnetImpersonate`. */
export function impersonation<A extends ActionName>(
  account: Address,
  subaccount: number,
  action: A,
  payload: Payloads[A],
): Payloads["devnetImpersonate"] {
  const json = JSON.stringify(encodePayload(action, payload));
  return { account, subaccount, action, payload: new TextEncoder().encode(json) };
}
