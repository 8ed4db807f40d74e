import type { Domain } from "../../../protocol/action.ts";
import type { Address, Bytes32 } from "../../../protocol/fields.ts";
import { ClientError } from "../errors.ts";
import type { NonceState } from "../resources.ts";

/** Names a nonce lane (NON-1): a nonce counts for one account, subaccount, signer and domain. */
export interface LaneKey {
  readonly account: Address;
  readonly subaccount: number;
  readonly signer: Address;
  readonly domain: Domain;
}

/**
 * Assigns the nonces of one lane, each to one logical action. A task holds the lane until its action is signed and
 * recorded; if it fails before that, its nonce is free again.
 *
 * While it is unknown whether the venue has a transaction of the lane, no nonce is assigned; the lane first asks the
 * venue.
 */
export class NonceLane {
  readonly key: LaneKey;
  readonly #readState: () => Promise<NonceState>;
  /** The next nonce; undefined if the venue has to be asked. */
  #next: number | undefined;
  /** Nonces that were pending at the venue at the last read. */
  #pending: ReadonlySet<number> = new Set();
  /** Assigned nonces that the venue is not known to have. */
  readonly #onTheWay = new Set<number>();
  readonly #uncertain = new Set<Bytes32>();
  readonly #givenUp = new Set<Bytes32>();
  #resolved: (() => void)[] = [];
  #tail: Promise<unknown> = Promise.resolve();

  constructor(key: LaneKey, readState: () => Promise<NonceState>) {
    this.key = key;
    this.#readState = readState;
  }

  /**
   * Runs a task with the next nonce, alone in the lane. If it throws, the nonce stays free.
   *
   * @throws {ClientError} OUTCOME_UNKNOWN while a transaction of the lane was given up without an outcome
   */
  take<T>(task: (nonce: number) => Promise<T>): Promise<T> {
    const run = async () => {
      while (this.#uncertain.size > 0) await new Promise<void>((resolve) => this.#resolved.push(resolve));
      for (const txId of this.#givenUp) {
        const text = `${txId} may still commit: no nonce before its outcome is known; call recover()`;
        throw new ClientError("OUTCOME_UNKNOWN", text, { txId });
      }
      const nonce = await this.#find();
      this.#onTheWay.add(nonce);
      try {
        const result = await task(nonce);
        if (this.#next === nonce) this.#next = nonce + 1;
        return result;
      } catch (error) {
        this.#onTheWay.delete(nonce);
        throw error;
      }
    };
    const taken = this.#tail.then(run);
    this.#tail = taken.catch(() => undefined);
    return taken;
  }

  /** The venue has the transaction with this nonce. */
  arrived(nonce: number): void {
    this.#onTheWay.delete(nonce);
  }

  /** The transaction with this nonce will never commit. The nonce may be free again: the venue is asked. */
  ended(nonce: number): void {
    this.#onTheWay.delete(nonce);
    this.#next = undefined;
  }

  /** It is not known whether the venue has the transaction. */
  markUncertain(txId: Bytes32): void {
    this.#givenUp.delete(txId);
    this.#uncertain.add(txId);
  }

  /** The outcome is unknown, and no submission looks for it any more. */
  giveUp(txId: Bytes32): void {
    this.#givenUp.add(txId);
    this.settle(txId);
  }

  /** The outcome is known again, or a submission looks for it again. */
  settle(txId: Bytes32): void {
    this.#uncertain.delete(txId);
    if (this.#uncertain.size > 0) return;
    for (const resolve of this.#resolved.splice(0)) resolve();
  }

  /** The network may have changed: the known nonces are invalid, and the venue is asked again. */
  forget(): void {
    this.#next = undefined;
    this.#pending = new Set();
    this.#onTheWay.clear();
    this.#givenUp.clear();
  }

  /** A nonce that was assigned before this client was created. */
  adopt(nonce: number): void {
    this.#onTheWay.add(nonce);
  }

  async #find(): Promise<number> {
    if (this.#next === undefined) {
      const { pendingNext, pending } = await this.#readState();
      this.#pending = new Set(pending.map(({ nonce }) => Number(nonce)));
      this.#next = Number(pendingNext);
    }
    let next = this.#next;
    while (this.#pending.has(next) || this.#onTheWay.has(next)) next++;
    this.#next = next;
    return next;
  }
}
