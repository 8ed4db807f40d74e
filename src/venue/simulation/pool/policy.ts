import { ACTION_CODES, type ActionName, type Payloads } from "../../../protocol/actions/index.ts";
import type { Transaction } from "../../../protocol/transaction.ts";
import { POST_ONLY } from "../../../protocol/words.ts";
import type { Pending } from "./lanes.ts";

/**
 * How a builder orders user transactions (BLK). Under every policy a lane keeps its own order: only the first
 * transaction of a lane competes, and later ones wait for it.
 */
export interface BuilderPolicy {
  readonly name: string;
  /** Lower classes come earlier in the block; within a class, order of arrival. */
  classOf(transaction: Transaction): number;
  /** Blocks that a transaction waits after the first one that could include it. */
  delayOf(transaction: Transaction): number;
}

const NO_DELAY = () => 0;

/** Actions that take risk or orders away, or someone's right to add them: they go first. */
const CANCELS: ReadonlySet<ActionName> = new Set<ActionName>(
  ["cancelOrder", "cancelOrders", "cancelAll", "cancelIntent", "revokeAuthorization", "scheduleCancel"].filter(
    (name) => name in ACTION_CODES,
  ) as ActionName[],
);

/** Whether every order of a transaction can only rest: it never takes. */
function isPostOnly({ action, payload }: Transaction): boolean {
  if (action === "placeOrder") return (payload as Payloads["placeOrder"]).postOnly !== POST_ONLY.no;
  const orders = (payload as { readonly orders?: readonly Payloads["placeOrder"][] }).orders;
  return Array.isArray(orders) && orders.length > 0 && orders.every((order) => order.postOnly !== POST_ONLY.no);
}

/** Whether a transaction may take liquidity at once. */
function mayTake(transaction: Transaction): boolean {
  switch (transaction.action as string) {
    case "placeOrder":
    case "placeOrders":
      return !isPostOnly(transaction);
    case "amendOrder":
    case "closePosition":
      return true;
    default:
      return false;
  }
}

/** Cancels and revocations, then post-only orders, then the rest in order of arrival. The default. */
export const cancelsFirst: BuilderPolicy = {
  name: "cancels-first",
  classOf: (transaction) => (CANCELS.has(transaction.action) ? 0 : isPostOnly(transaction) ? 1 : 2),
  delayOf: NO_DELAY,
};

/** Order of arrival alone. */
export const fifo: BuilderPolicy = { name: "fifo", classOf: () => 0, delayOf: NO_DELAY };

/**
 * Order of arrival, where transactions that may take liquidity wait `blocks` blocks: makers see the news first. A lane
 * waits with its waiting transaction.
 */
export function delayTakers(blocks: number): BuilderPolicy {
  if (!Number.isSafeInteger(blocks) || blocks < 0) throw new RangeError("delay: whole blocks, not negative");
  return {
    name: `delay:${blocks}`,
    classOf: () => 0,
    delayOf: (transaction) => (mayTake(transaction) ? blocks : 0),
  };
}

/** A policy by its name: `cancels-first`, `fifo`, or `delay:N`. Undefined for any other text. */
export function readPolicy(name: string): BuilderPolicy | undefined {
  if (name === cancelsFirst.name) return cancelsFirst;
  if (name === fifo.name) return fifo;
  const delay = /^delay:(0|[1-9][0-9]{0,5})$/.exec(name);
  return delay === null ? undefined : delayTakers(Number(delay[1]));
}

/** Whether the policy lets a transaction into a block of this height. */
export function isDue(policy: BuilderPolicy, { transaction, sinceHeight }: Pending, height: number): boolean {
  return height > sinceHeight + policy.delayOf(transaction);
}
