import { ACTION_CODES, type ActionName, actions, DOMAIN_OF, type Payloads } from "../../../protocol/actions/index.ts";
import type { Transaction } from "../../../protocol/transaction.ts";
import type { BlockResult } from "../../engine/applyBlock.ts";
import { readEvents } from "../../engine/events/readEvents.ts";

/** The nonces that a transaction used: its own, and that of a transaction which it carried. */
export interface Consumption {
  readonly own: boolean;
  readonly carried: boolean;
}

export function consumptionOf({ receipts, events }: BlockResult, transaction: Transaction, index: number): Consumption {
  const own = receipts.codes[index]! >= 0;
  if (!own || transaction.code !== ACTION_CODES.devnetImpersonate) return { own, carried: false };
  const emitted = readEvents(events, receipts.eventsFrom[index]!, receipts.eventsTo[index]!);
  const carried = emitted.some(
    (event) => (event.kind === "nonceAdvanced" || event.kind === "nonceUsed") && event.account >= 0,
  );
  return { own, carried };
}

/** Transactions that a venue counts for it. */
export function countConsumed({ own, carried }: Consumption): number {
  return (own ? 1 : 0) + (carried ? 1 : 0);
}

/** Lane of the transaction that another carries, named as `laneOf` does; undefined where it carries none. */
export function carriedLaneOf(transaction: Transaction): string | undefined {
  if (transaction.code !== ACTION_CODES.devnetImpersonate) return undefined;
  const { account, subaccount, action } = transaction.payload as Payloads["devnetImpersonate"];
  if (!Object.hasOwn(actions, action)) return undefined;
  return `${account}/${subaccount}/${account}/${DOMAIN_OF[action as ActionName]}`;
}
