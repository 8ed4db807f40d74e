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
 * Gives out the nonces of one lane, each to one logical action. Whoever takes one holds the lane until the action is
 * signed and recorded; what fails before that gives its nonce back.
 *
 * While it is not known whether the venue has a transaction of the lane, nobody gets a nonce: that is found out first.
 */
export class NonceLane {
  readonly key: LaneKey;
  readonly #readState: () => Promise<NonceState>;
  /** The next nonce; undefined when the venue has to be asked. */
  #next: number | undefined;
  /** Pending at the venue when it was asked last. */
  #pending: ReadonlySet<number> = new Set();
  /** Given out, and not yet known to the venue. */
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
   * Runs a task with the next nonce, alone in the lane. When it throws, the nonce was not used.
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

  /** The transaction with this nonce will never commit: the nonce may be free again, which the venue tells. */
  ended(nonce: number): void {
    this.#onTheWay.delete(nonce);
    this.#next = undefined;
  }

  /** It is not known whether the venue has the transaction. */
  markUncertain(txId: Bytes32): void {
    this.#givenUp.delete(txId);
    this.#uncertain.add(txId);
  }

  /** It was not found out, and nobody tries any more. */
  giveUp(txId: Bytes32): void {
    this.#givenUp.add(txId);
    this.settle(txId);
  }

  /** It is known again, or somebody tries again to find out. */
  settle(txId: Bytes32): void {
    this.#uncertain.delete(txId);
    if (this.#uncertain.size > 0) return;
    for (const resolve of this.#resolved.splice(0)) resolve();
  }

  /** The lane may be another one: what is known of its nonces holds no more, and the venue is asked again. */
  forget(): void {
    this.#next = undefined;
    this.#pending = new Set();
    this.#onTheWay.clear();
    this.#givenUp.clear();
  }

  /** A nonce that was given out before this client was made. */
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
