import type { Bytes32 } from "../../../protocol/fields.ts";
import { computeBackoffMs } from "../clock.ts";
import { ClientError, isClientError, isUnanswered, isVenueError } from "../errors.ts";
import type { NetworkGuard } from "../network/networkGuard.ts";
import type { NonceLane } from "../nonce/nonceLane.ts";
import type { Outbox, OutboxEntry } from "../outbox/outbox.ts";
import { readConfirmation, readNonce } from "../reads.ts";
import { type Requester, requestOnce } from "../request.ts";
import type { Confirmation } from "../resources.ts";
import { type Outcome, readOutcome } from "./outcome.ts";
import { type Attempt, decide } from "./retryMatrix.ts";

/** Longest wait of one request for a confirmation, ms. */
const POLL_MS = 10_000;

export interface SubmissionParts {
  readonly requester: Requester;
  readonly network: NetworkGuard;
  readonly outbox: Outbox;
  readonly lane: NonceLane;
}

/** How long to wait for an outcome. */
export interface WaitOptions {
  /** Default: as long as it takes. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * A signed, unconfirmed transaction. It follows the retry matrix until the outcome is final, whether a caller waits or
 * not. Every attempt sends the same bytes with the same key, and the outbox stores them until then.
 */
export class Submission {
  readonly txId: Bytes32;
  /** Idempotency key. */
  readonly key: string;
  readonly nonce: number;
  /** Resolves when the venue is known to have it; rejects if the venue never accepted it. */
  readonly accepted: Promise<void>;
  readonly #entry: OutboxEntry;
  readonly #parts: SubmissionParts;
  readonly #outcome: Promise<Outcome>;
  #accept!: () => void;
  #refuse!: (error: unknown) => void;

  /** @param isResumed it may have been sent before: look it up before sending it */
  constructor(entry: OutboxEntry, parts: SubmissionParts, isResumed = false) {
    this.txId = entry.txId;
    this.key = entry.key;
    this.nonce = entry.nonce;
    this.#entry = entry;
    this.#parts = parts;
    this.accepted = new Promise((resolve, reject) => {
      this.#accept = resolve;
      this.#refuse = reject;
    });
    this.#outcome = this.#pursue(isResumed);
    // A caller that does not wait must not crash by an unhandled rejection.
    this.accepted.catch(() => undefined);
    this.#outcome.catch((error: unknown) => this.#refuse(error));
  }

  /**
   * The final outcome.
   *
   * @throws {VenueError}  the venue never accepted it: malformed, rejected, or in conflict with another submission
   * @throws {ClientError} OUTCOME_UNKNOWN: no outcome within the time, or none so far; it stays in the outbox
   */
  async wait({ timeoutMs, signal }: WaitOptions = {}): Promise<Outcome> {
    if (timeoutMs === undefined && signal === undefined) return this.#outcome;
    const stop = new AbortController();
    const give = AbortSignal.any([stop.signal, ...(signal === undefined ? [] : [signal])]);
    const late = this.#parts.requester.clock.sleep(timeoutMs ?? 2 ** 31 - 1, give).then(() => {
      throw unknown(this.txId, `has no outcome after ${timeoutMs} ms; the client keeps looking for it`);
    });
    return Promise.race([this.#outcome, late]).finally(() => stop.abort());
  }

  async #pursue(isResumed: boolean): Promise<Outcome> {
    const { outbox, lane } = this.#parts;
    const { txId, nonce } = this.#entry;
    try {
      const early = await this.#deliver(isResumed);
      lane.arrived(nonce);
      lane.settle(txId);
      this.#accept();
      const outcome = early ?? (await this.#confirm());
      if (outcome.status === "expired" || outcome.status === "dropped") lane.ended(nonce);
      await outbox.remove(txId);
      return outcome;
    } catch (error) {
      if (isFinal(error)) {
        lane.ended(nonce);
        lane.settle(txId);
        await outbox.remove(txId);
      } else {
        lane.giveUp(txId);
      }
      throw error;
    }
  }

  /** Sends until the venue has it; returns its outcome if that is already known. */
  async #deliver(isResumed: boolean): Promise<Outcome | undefined> {
    const { lane } = this.#parts;
    const { txId } = this.#entry;
    const deadline = this.#deadline();
    let mayHaveArrived = isResumed;
    if (isResumed) {
      const known = await this.#find(deadline);
      if (known !== undefined) return readOutcome(txId, known);
      const lapsed = await this.#findLapse(deadline);
      if (lapsed !== undefined) return lapsed;
    }
    for (let attempts = 1; ; attempts++) {
      const { attempt, error } = await this.#send();
      const decision = decide(attempt);
      if (decision.step === "confirm") return undefined;
      mayHaveArrived ||= decision.mayHaveArrived;
      if (mayHaveArrived) lane.markUncertain(txId);
      if (decision.step === "stop" && !mayHaveArrived) throw error;
      if (decision.step !== "stop") {
        if (this.#isPast(deadline)) throw mayHaveArrived ? unknown(txId, "got no clear answer", error) : error;
        await this.#pause(attempts, error);
      }
      if (decision.step === "resend") continue;
      const known = await this.#find(deadline);
      if (known !== undefined) return readOutcome(txId, known);
      if (decision.step === "stop") throw error;
      const lapsed = await this.#findLapse(deadline);
      if (lapsed !== undefined) return lapsed;
    }
  }

  async #send(): Promise<{ attempt: Attempt; error: unknown }> {
    const { key, body } = this.#entry;
    try {
      const headers = { "idempotency-key": key };
      await requestOnce(this.#parts.requester, { method: "POST", path: "/transactions", headers, body });
      return { attempt: { kind: "accepted" }, error: undefined };
    } catch (error) {
      if (isVenueError(error)) return { attempt: { kind: "problem", problem: error.problem }, error };
      if (isClientError(error, "TIMEOUT")) return { attempt: { kind: "timedOut" }, error };
      if (isClientError(error, "CONNECTION_FAILED")) return { attempt: { kind: "unanswered" }, error };
      if (isClientError(error, "RESPONSE_INVALID")) {
        // The status alone shows that it was accepted.
        const { status } = error.details;
        return { attempt: status === 202 ? { kind: "accepted" } : { kind: "unreadable", status }, error };
      }
      throw error;
    }
  }

  /** Asks until it is clear whether the venue knows the transaction. */
  #find(deadline: number): Promise<Confirmation | undefined> {
    return this.#ask(deadline, () => readConfirmation(this.#parts.requester, this.#entry.txId));
  }

  /** For a transaction that the venue does not know: its outcome, if no block can include it any more. */
  #findLapse(deadline: number): Promise<Outcome | undefined> {
    const { network, requester, lane } = this.#parts;
    const { txId, validUntil, nonce } = this.#entry;
    return this.#ask(deadline, async () => {
      const { status } = await network.check(true);
      if (status.head.height < validUntil) return undefined;
      const { committedNext } = await readNonce(requester, lane.key);
      if (Number(committedNext) <= nonce) return { status: "expired", txId, confirmation: undefined };
      const text = `${txId} is no longer known and its nonce is used: read orders, balances and positions for its effects`;
      throw new ClientError("TRANSACTION_LOST", text, { txId });
    });
  }

  /**
   * Asks until there is an answer.
   *
   * @throws {ClientError} OUTCOME_UNKNOWN without an answer: a failed request shows nothing about the transaction
   */
  async #ask<T>(deadline: number, question: () => Promise<T>): Promise<T> {
    for (let attempts = 1; ; attempts++) {
      try {
        return await question();
      } catch (error) {
        if (!isPassing(error) || this.#isPast(deadline)) throw this.#describeUncertain(error, "could not be asked for");
        await this.#pause(attempts, error);
      }
    }
  }

  /** The error to throw for a failed request. Errors that the client makes itself stay unchanged. */
  #describeUncertain(error: unknown, words: string): unknown {
    const isOfQuestion = isVenueError(error) || isUnanswered(error) || isClientError(error, "RESPONSE_INVALID");
    return isOfQuestion ? unknown(this.#entry.txId, words, error) : error;
  }

  /** Asks until the transaction has committed, or never will. */
  async #confirm(): Promise<Outcome> {
    const { requester, network } = this.#parts;
    const { txId } = this.#entry;
    let deadline = this.#deadline();
    for (let attempts = 1; ; attempts++) {
      try {
        const startedMs = requester.clock.nowMs();
        const confirmation = await readConfirmation(requester, txId, POLL_MS);
        if (confirmation === undefined) {
          await network.check(true);
          throw new ClientError("TRANSACTION_LOST", `the venue accepted ${txId} and no longer knows it`, { txId });
        }
        const outcome = readOutcome(txId, confirmation);
        if (outcome !== undefined) return outcome;
        attempts = 0;
        deadline = this.#deadline();
        // Pause between requests if the venue does not honour the wait.
        if (requester.clock.nowMs() - startedMs < POLL_MS / 2) await requester.clock.sleep(requester.retry.baseMs);
      } catch (error) {
        if (!isPassing(error) || this.#isPast(deadline)) {
          throw this.#describeUncertain(error, "was accepted, and its outcome could not be read");
        }
        await this.#pause(attempts, error);
      }
    }
  }

  #deadline(): number {
    const { clock, retry } = this.#parts.requester;
    return clock.nowMs() + retry.submissionMs;
  }

  #isPast(deadline: number): boolean {
    return this.#parts.requester.clock.nowMs() >= deadline;
  }

  async #pause(attempts: number, error: unknown): Promise<void> {
    const { clock, retry } = this.#parts.requester;
    const askedMs = isVenueError(error) ? error.problem.retryAfterMs : undefined;
    await clock.sleep(computeBackoffMs(retry, attempts, clock.random(), askedMs));
  }
}

/** Whether the outcome cannot be found any more; any other error leaves the transaction in the outbox. */
function isFinal(error: unknown): boolean {
  return isVenueError(error) || isClientError(error, "TRANSACTION_LOST") || isClientError(error, "RESPONSE_INVALID");
}

/** Whether the same request may get an answer later. */
function isPassing(error: unknown): boolean {
  if (isUnanswered(error)) return true;
  if (isClientError(error, "RESPONSE_INVALID")) return error.details.status >= 500;
  return isVenueError(error) && error.problem.retryable;
}

function unknown(txId: Bytes32, words: string, cause?: unknown): ClientError<"OUTCOME_UNKNOWN"> {
  const text = `${txId} ${words}${cause === undefined ? "" : `: ${describeCause(cause)}`}`;
  return new ClientError("OUTCOME_UNKNOWN", text, { txId }, cause === undefined ? {} : { cause });
}

/** Why a request failed, and what the caller can do. */
function describeCause(cause: unknown): string {
  if (isVenueError(cause, "SESSION_REQUIRED")) {
    return "the venue shows outcomes only with a session; call signIn(), which looks for this one again";
  }
  return cause instanceof Error ? cause.message : String(cause);
}
