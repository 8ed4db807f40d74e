import type { ActionName, JsonPayloads, Payloads } from "../../../protocol/actions/index.ts";
import { encodePayload } from "../../../protocol/codec.ts";
import type { BlockTransaction } from "../../api/schemas/transactions.ts";
import { marketOf, type OwnRejection } from "../../strategy/blockFacts.ts";
import type { MarginMode } from "../../strategy/context.ts";
import type { TransactionId } from "../../strategy/facts.ts";
import { mayMovePosition } from "../../strategy/positionTargets.ts";
import type { SessionSender } from "../../strategy/sessionPort.ts";
import type { ClientActor, ClientCore } from "../core.ts";
import { isClientError, isVenueError } from "../errors.ts";
import { submit } from "../submission/submit.ts";
import type { OwnTransaction } from "./accountFacts.ts";

/** Checks that the venue makes as well: as in a backtest, a fault is a rejection. */
const UNCHECKED = ["intent", "numbers"] as const;

/** Sends a strategy's transactions in their order: each arrives before the next is signed. */
export class StrategySender implements SessionSender {
  readonly #core: ClientCore;
  readonly #actor: ClientActor;
  #asked: OwnTransaction[] = [];
  /** By transaction id: sent, and not seen in a block. */
  readonly #onTheWay = new Map<string, OwnTransaction>();
  readonly own = new Map<string, OwnTransaction>();
  /** By market: the leverage that a block applied last. */
  readonly leverages = new Map<string, number>();
  /** By market: the margin mode that a block applied last. */
  readonly modes = new Map<string, MarginMode>();
  #refused: OwnRejection[] = [];

  constructor(core: ClientCore, actor: ClientActor) {
    this.#core = core;
    this.#actor = actor;
  }

  get inFlight(): number {
    return this.#asked.length + this.#onTheWay.size;
  }

  /** Whether a transaction that is in no block yet may change the position in a market. */
  hasOrderFor(market: string): boolean {
    const waiting = [...this.#asked, ...this.#onTheWay.values()];
    return waiting.some(({ action, payload }) => mayMovePosition(action, payload, market));
  }

  /** Keeps a transaction for the next `flush`. */
  send<A extends ActionName>(id: TransactionId, action: A, payload: Payloads[A]): void {
    this.#asked.push({ id, action, payload: encodePayload(action, payload) });
  }

  /** Signs and sends all pending requests. */
  async flush(nowMs: number): Promise<void> {
    for (const asked of this.#asked.splice(0)) await this.#submit(asked, nowMs);
  }

  /** Takes out the transactions that failed before a block could include them. */
  takeRefused(): OwnRejection[] {
    return this.#refused.splice(0);
  }

  #refuse({ id, payload }: OwnTransaction, code: string, timeMs: number): void {
    this.#refused.push({ id, timeMs, code, market: marketOf(payload) });
  }

  /** A block included these transactions. A leverage or margin mode counts once it is applied. */
  settle(transactions: Iterable<Pick<BlockTransaction, "txId" | "status">>): void {
    for (const { txId, status } of transactions) {
      const own = this.#onTheWay.get(txId);
      this.#onTheWay.delete(txId);
      if (status !== "applied") continue;
      if (own?.action === "setLeverage") {
        const { market, leverage } = own.payload as JsonPayloads["setLeverage"];
        this.leverages.set(market, leverage);
      } else if (own?.action === "setMarginMode") {
        const { market, mode } = own.payload as JsonPayloads["setMarginMode"];
        this.modes.set(market, mode);
      }
    }
  }

  async #submit(asked: OwnTransaction, nowMs: number): Promise<void> {
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
