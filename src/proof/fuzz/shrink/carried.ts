import { AccountKey } from "../../../protocol/accountKey.ts";
import type { Domain } from "../../../protocol/action.ts";
import { type ActionName, DOMAIN_OF, type Payloads } from "../../../protocol/actions/index.ts";
import { type Carried, isCarriedFault, readCarried } from "../../../protocol/carried.ts";
import { createTransaction } from "../../../protocol/createTransaction.ts";
import type { Receipts } from "../../../protocol/receipt.ts";
import type { Transaction } from "../../../protocol/transaction.ts";

/** Transaction that another one carries for an account, and the lane from which it takes its nonce. */
export interface CarriedLane extends Carried {
  readonly account: AccountKey;
  readonly domain: Domain;
}

const READ = new WeakMap<object, CarriedLane | undefined>();

/** What a payload carries; undefined if it carries nothing readable. */
export function carriedOf(action: ActionName, payload: object): CarriedLane | undefined {
  if (action !== "devnetImpersonate") return undefined;
  if (!READ.has(payload)) READ.set(payload, read(payload as Payloads["devnetImpersonate"]));
  return READ.get(payload);
}

function read({ account, subaccount, action, payload }: Payloads["devnetImpersonate"]): CarriedLane | undefined {
  const carried = readCarried(action, payload);
  if (isCarriedFault(carried)) return undefined;
  return { ...carried, account: new AccountKey(account, subaccount), domain: DOMAIN_OF[carried.action] };
}

/** Number of transactions that a receipt commits: none, the transaction, or also the carried one. */
export function countCommitted(action: ActionName, receipts: Receipts, index: number): number {
  if (receipts.codes[index]! < 0) return 0;
  if (action !== "devnetImpersonate") return 1;
  const code = receipts.code(index);
  // The carried transaction may be rejected because another feature is off.
  const isOff = code === "FEATURE_DISABLED" && receipts.numbers.get(index)?.["feature"] === "devnet";
  return isOff || code === "CARRIED_INVALID" ? 1 : 2;
}

/** The carried transaction as the venue executes it: its id determines the id of its grant. */
export function draftCarried(
  { action, payload, account }: CarriedLane,
  nonce: number,
  height: number,
  network: string,
): Transaction {
  return createTransaction({ action, payload, account, nonce, network, validFrom: height, validUntil: height });
}
