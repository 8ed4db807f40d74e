import type { TransactionId } from "../../client/strategy/facts.ts";
import { mayMovePosition } from "../../client/strategy/positionTargets.ts";
import type { SessionSender } from "../../client/strategy/sessionPort.ts";
import type { AccountKey } from "../../protocol/accountKey.ts";
import { type ActionName, actions, type Payloads } from "../../protocol/actions/index.ts";
import { createTransaction } from "../../protocol/createTransaction.ts";
import type { Transaction } from "../../protocol/transaction.ts";

/** A transaction as a strategy sends it. */
export interface SentTransaction {
  readonly id: TransactionId;
  readonly action: ActionName;
  readonly payload: Payloads[ActionName];
  /** Time of the block that the strategy had seen. */
  readonly timeMs: number;
}

interface Intent {
  readonly id: TransactionId;
  readonly action: ActionName;
  readonly payload: Payloads[ActionName];
  /** Earliest time of a block that may carry it. */
  readonly dueMs: number;
}

/** A transaction that a block may carry, with the earliest time of that block. */
export interface DueTransaction {
  readonly transaction: Transaction;
  readonly dueMs: number;
}

/** Lanes in which the strategy's transactions count (NON-1). */
type Lane = "trading" | "risk";

/** How transactions of a strategy reach the venue. */
export interface OutboxParts {
  readonly account: AccountKey;
  /** Ms that a transaction takes which is sent at a time. */
  readonly latency: (timeMs: number) => number;
  /** Time of the first block, which has what is sent before it. */
  readonly firstMs: number;
  /** Receives each transaction when the strategy sends it. */
  readonly onSend?: ((sent: SentTransaction) => void) | undefined;
}

/**
 * Transactions that the strategy has sent and no block has carried yet. A transaction takes its nonce and its validity
 * when it enters a block. They go over one connection: none is there before one that was sent earlier. So the order of blocks is that
 * in which they were sent.
 */
export class Outbox implements SessionSender {
  readonly #account: AccountKey;
  readonly #latency: (timeMs: number) => number;
  /** Earliest block of a further transaction. */
  #leastMs: number;
  readonly #firstMs: number;
  readonly #nonces: Record<Lane, number> = { trading: 0, risk: 0 };
  readonly #intents: Intent[] = [];
  readonly #onSend: ((sent: SentTransaction) => void) | undefined;

  constructor({ account, latency, firstMs, onSend }: OutboxParts) {
    this.#account = account;
    this.#latency = latency;
    this.#firstMs = firstMs;
    this.#leastMs = firstMs;
    this.#onSend = onSend;
  }

  /** Transactions on their way. */
  get inFlight(): number {
    return this.#intents.length;
  }

  /** Whether one of them may move the position in a market. */
  hasOrderFor(market: string): boolean {
    return this.#intents.some(({ action, payload }) => mayMovePosition(action, payload, market));
  }

  /** When the first of them can be in a block; Infinity without any. */
  get dueMs(): number {
    return this.#intents[0]?.dueMs ?? Number.POSITIVE_INFINITY;
  }

  /** Sends a transaction at a time; the earliest block is the first after that time and its latency. */
  send<A extends ActionName>(id: TransactionId, action: A, payload: Payloads[A], nowMs: number): void {
    this.#onSend?.({ id, action, payload, timeMs: nowMs });
    if (nowMs >= this.#firstMs) this.#leastMs = Math.max(this.#leastMs, nowMs + Math.max(1, this.#latency(nowMs)));
    this.#intents.push({ id, action, payload, dueMs: this.#leastMs });
  }

  /** Transactions that a block of a time may carry, in the order of sending. */
  listDue(timeMs: number): readonly Pick<Intent, "action" | "payload">[] {
    return this.#intents.filter(({ dueMs }) => dueMs <= timeMs);
  }

  /** Takes out the transactions that a block may carry, in the order of sending. */
  take(height: number, timeMs: number): DueTransaction[] {
    if (this.dueMs > timeMs) return [];
    const due = this.#intents.findIndex((intent) => intent.dueMs > timeMs);
    const taken = this.#intents.splice(0, due < 0 ? this.#intents.length : due);
    return taken.map(({ id, action, payload, dueMs }) => {
      const transaction = createTransaction({
        action,
        account: this.#account,
        nonce: this.#nonces[laneOf(action)]++,
        validFrom: height,
        payload,
        clientTxId: id,
      });
      return { transaction, dueMs };
    });
  }
}

/** Actions of a strategy count as one of the two. */
function laneOf(action: ActionName): Lane {
  return actions[action].domain === "risk" ? "risk" : "trading";
}
