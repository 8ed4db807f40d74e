import type { TransactionId } from "../../client/strategy/facts.ts";
import { mayMovePosition } from "../../client/strategy/positionTargets.ts";
import type { SessionSender } from "../../client/strategy/sessionPort.ts";
import type { AccountKey } from "../../protocol/accountKey.ts";
import { type ActionName, actions, type Payloads } from "../../protocol/actions/index.ts";
import { createTransaction } from "../../protocol/createTransaction.ts";
import type { Transaction } from "../../protocol/transaction.ts";
import type { RefusalCode, RefusedTransaction } from "./link/link.ts";

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
  /**
   * Asked for each transaction, with the time at which it arrives: why the venue refuses it there; undefined where it
   * takes it.
   */
  readonly refuse?: ((timeMs: number) => RefusalCode | undefined) | undefined;
  /** Receives what was refused. */
  readonly onRefuse?: ((refused: RefusedTransaction, sent: SentTransaction) => void) | undefined;
  /** A transaction is in flight until `confirm` names it. Otherwise until a block carries it. */
  readonly isConfirmed?: boolean;
}

/**
 * Transactions that the strategy has sent and no block has carried yet. A transaction takes its nonce and its validity
 * when it enters a block. They go over one connection: none is there before one that was sent earlier. So the order of
 * blocks is that in which they were sent.
 */
export class Outbox implements SessionSender {
  readonly #parts: OutboxParts;
  readonly #nonces: Record<Lane, number> = { trading: 0, risk: 0 };
  readonly #intents: Intent[] = [];
  /** Those of which the strategy does not know the outcome: the same list, where it knows blocks at once. */
  #open: Intent[];
  /** Earliest block of a further transaction. */
  #leastMs: number;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
    this.#leastMs = parts.firstMs;
    this.#open = parts.isConfirmed === true ? [] : this.#intents;
  }

  /** Transactions on their way, as far as the strategy knows. */
  get inFlight(): number {
    return this.#open.length;
  }

  /** Whether one of them may move the position in a market. */
  hasOrderFor(market: string): boolean {
    return this.#open.some(({ action, payload }) => mayMovePosition(action, payload, market));
  }

  /** The strategy knows the outcome of transactions. */
  confirm(ids: readonly TransactionId[]): void {
    if (ids.length > 0) this.#open = this.#open.filter(({ id }) => !ids.includes(id));
  }

  /** When the first of them can be in a block; Infinity without any. */
  get dueMs(): number {
    return this.#intents[0]?.dueMs ?? Number.POSITIVE_INFINITY;
  }

  /** Sends a transaction at a time; the earliest block is the first after that time and its latency. */
  send<A extends ActionName>(id: TransactionId, action: A, payload: Payloads[A], nowMs: number): void {
    const { onSend, latency, firstMs, refuse, onRefuse, isConfirmed } = this.#parts;
    const sent: SentTransaction = { id, action, payload, timeMs: nowMs };
    onSend?.(sent);
    if (nowMs >= firstMs) this.#leastMs = Math.max(this.#leastMs, nowMs + Math.max(1, latency(nowMs)));
    const dueMs = this.#leastMs;
    const intent = { id, action, payload, dueMs };
    if (isConfirmed === true) this.#open.push(intent);
    const code = nowMs >= firstMs ? refuse?.(dueMs) : undefined;
    if (code === undefined) this.#intents.push(intent);
    else onRefuse?.({ id, code, timeMs: dueMs }, sent);
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
        account: this.#parts.account,
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
