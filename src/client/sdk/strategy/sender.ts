import type { ActionName, Payloads } from "../../../protocol/actions/index.ts";
import { encodePayload } from "../../../protocol/codec.ts";
import type { RejectionCode } from "../../../protocol/rejections.ts";
import type { TransactionId } from "../../strategy/facts.ts";
import { mayMovePosition } from "../../strategy/positionTargets.ts";
import type { ClientActor, ClientCore } from "../core.ts";
import { isClientError, isVenueError } from "../errors.ts";
import { submit } from "../submission/submit.ts";
import { marketOf, type OwnRejection, type OwnTransaction } from "./accountFacts.ts";

/** Checks that the venue makes as well: as in a backtest, a fault is a rejection. */
const UNCHECKED = ["intent", "numbers"] as const;

/** Sends a strategy's requests in their order: each transaction arrives before the next is signed. */
export class StrategySender {
  readonly #core: ClientCore;
  readonly #actor: ClientActor;
  readonly #prefix: string;
  #asked: OwnTransaction[] = [];
  #count = 0;
  /** By transaction id: sent, and not seen in a block. */
  readonly #onTheWay = new Map<string, OwnTransaction>();
  readonly own = new Map<string, OwnTransaction>();
  /** Requests refused before they could enter a block, to be reported with the next block. */
  refused: OwnRejection[] = [];

  constructor(core: ClientCore, actor: ClientActor, prefix: string) {
    this.#core = core;
    this.#actor = actor;
    this.#prefix = prefix;
  }

  get nextId(): TransactionId {
    return `${this.#prefix}${this.#count + 1}`;
  }

  get inFlight(): number {
    return this.#asked.length + this.#onTheWay.size;
  }

  /** Whether a transaction that is in no block yet may change the position in a market. */
  hasOrderFor(market: string): boolean {
    const waiting = [...this.#asked, ...this.#onTheWay.values()];
    return waiting.some(({ action, payload }) => mayMovePosition(action, payload, market));
  }

  ask<A extends ActionName>(action: A, payload: Payloads[A]): TransactionId {
    const id = this.nextId;
    this.#count++;
    this.#asked.push({ id, action, payload: encodePayload(action, payload) });
    return id;
  }

  /** Signs and sends all pending requests. */
  async flush(nowMs: number): Promise<void> {
    for (const asked of this.#asked.splice(0)) await this.#send(asked, nowMs);
  }

  /** Refuses an order that no transaction can carry. It takes an id, and is reported with the next block. */
  refuse(code: RejectionCode, market: string, nowMs: number): TransactionId {
    const id = this.nextId;
    this.#count++;
    this.refused.push({ id, timeMs: nowMs, code, market });
    return id;
  }

  #refuse(asked: OwnTransaction, code: string, timeMs: number): void {
    this.refused.push({ id: asked.id, timeMs, code, market: marketOf(asked) });
  }

  /** A block included these transactions. */
  settle(txIds: Iterable<string>): void {
    for (const txId of txIds) this.#onTheWay.delete(txId);
  }

  async #send(asked: OwnTransaction, nowMs: number): Promise<void> {
    const { id, action, payload } = asked;
    const refuse = (error: unknown) => this.#refuse(asked, codeOf(error), nowMs);
    try {
      const wanted = { action, payload, clientTxId: id, unchecked: UNCHECKED };
      const submission = await submit(this.#core, this.#actor, wanted);
      this.#onTheWay.set(submission.txId, asked);
      this.own.set(submission.txId, asked);
      submission.wait().then(
        // A transaction that never commits is reported as a rejection, since no block reports it.
        ({ status }) => {
          if (status === "applied" || status === "rejected") return;
          this.#onTheWay.delete(submission.txId);
          this.#refuse(asked, status.toUpperCase(), nowMs);
        },
        (error: unknown) => {
          this.#onTheWay.delete(submission.txId);
          refuse(error);
        },
      );
      await submission.accepted.catch(() => undefined);
    } catch (error) {
      refuse(error);
    }
  }
}

function codeOf(error: unknown): string {
  if (isVenueError(error)) return error.reason ?? error.code;
  if (isClientError(error, "PREFLIGHT_FAILED")) return error.details.failures[0]!.code;
  return error instanceof Error && "code" in error ? String(error.code) : "FAILED";
}
