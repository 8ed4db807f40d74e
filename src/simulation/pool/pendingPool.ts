import { checkAdmission, findActor } from "../../engine/admission.ts";
import type { State } from "../../engine/state/state.ts";
import type { Bytes32 } from "../../protocol/fields.ts";
import type { InvalidCode } from "../../protocol/rejections.ts";
import { type Block, type Transaction, ZERO_BYTES32 } from "../../protocol/transaction.ts";
import type { PoolCode } from "./errors.ts";
import { Lane, laneOf, MAY_WAIT, type Pending } from "./lanes.ts";

export interface PoolOptions {
  /** Most pending transactions. Default: 50,000. */
  readonly most?: number;
  /** Most pending transactions of one lane. Default: 256. */
  readonly lanesMost?: number;
}

/** What became of a transaction that was offered. */
export type Offer =
  | { readonly accepted: true; readonly id: Bytes32; readonly replaced: Bytes32 | undefined }
  | {
      readonly accepted: false;
      readonly code: PoolCode;
      /** For NOT_ADMISSIBLE: what its receipt would say. */
      readonly reason?: InvalidCode;
      /** For NONCE_PENDING and ALREADY_PENDING: the pending one. */
      readonly pending?: Bytes32;
    };

/**
 * Transactions on their way into a block (NON-4). Checks them against the venue as the next block would find it, keeps
 * each lane in order, lets a transaction replace the pending one of its nonce, and forgets what can no longer commit. It
 * never changes the venue.
 */
export class PendingPool {
  readonly #most: number;
  readonly #lanesMost: number;
  readonly #lanes = new Map<string, Lane>();
  readonly #byId = new Map<Bytes32, Pending>();
  #arrivals = 0;

  constructor({ most = 50_000, lanesMost = 256 }: PoolOptions = {}) {
    this.#most = most;
    this.#lanesMost = lanesMost;
  }

  get size(): number {
    return this.#byId.size;
  }

  get(id: Bytes32): Pending | undefined {
    return this.#byId.get(id);
  }

  /** What is pending of a lane, by the lane's name (`nameLane`). */
  lane(name: string): Lane | undefined {
    return this.#lanes.get(name);
  }

  lanes(): IterableIterator<Lane> {
    return this.#lanes.values();
  }

  /**
   * Takes a transaction, or says why not. One that only waits for an earlier nonce or a later height is taken. The
   * `replaces` of its header puts it in the place of the pending transaction of the same lane and nonce, at the end of
   * the order of arrival.
   *
   * @param id        its id (TX-3), `Digester.digestOf`
   * @param signature kept for the block log; the verdict bit of `transaction` is what was found of it
   */
  add(state: State, transaction: Transaction, id: Bytes32, signature?: Uint8Array): Offer {
    const { header } = transaction;
    if (this.#byId.has(id)) return { accepted: false, code: "ALREADY_PENDING", pending: id };
    const reason = checkPending(state, transaction);
    if (reason !== undefined && !MAY_WAIT.has(reason)) return { accepted: false, code: "NOT_ADMISSIBLE", reason };
    const key = laneOf(transaction);
    const lane = this.#lanes.get(key);
    const before = lane?.get(header.nonce);
    if (header.replaces !== ZERO_BYTES32) {
      if (before === undefined || before.id !== header.replaces) return { accepted: false, code: "REPLACES_UNKNOWN" };
    } else if (before !== undefined) {
      return { accepted: false, code: "NONCE_PENDING", pending: before.id };
    }
    if (before === undefined) {
      if ((lane?.size ?? 0) >= this.#lanesMost) return { accepted: false, code: "LANE_FULL" };
      if (this.#byId.size >= this.#most) return { accepted: false, code: "POOL_FULL" };
    } else {
      this.#remove(before);
    }
    this.#insert(key, { id, transaction, signature, arrival: this.#arrivals++, sinceHeight: state.height });
    return { accepted: true, id, replaced: before?.id };
  }

  /**
   * Takes a transaction that was pending before, without asking again: a service that comes back puts its pool in order.
   * What can no longer commit goes with the next `settle`.
   */
  restore(id: Bytes32, transaction: Transaction, signature: Uint8Array | undefined, sinceHeight: number): void {
    this.#insert(laneOf(transaction), { id, transaction, signature, arrival: this.#arrivals++, sinceHeight });
  }

  /** Forgets a transaction; one that is not pending is none. */
  remove(id: Bytes32): void {
    const pending = this.#byId.get(id);
    if (pending !== undefined) this.#remove(pending);
  }

  /** Highest pending nonce of a transaction's lane; undefined where nothing of it is pending. */
  lastNonceOf(transaction: Transaction): number | undefined {
    return this.#lanes.get(laneOf(transaction))?.last();
  }

  /** Every pending transaction, in order of arrival. */
  inOrder(): Pending[] {
    return [...this.#byId.values()].sort((a, b) => a.arrival - b.arrival);
  }

  /**
   * Forgets what a block carried, and what can never commit after it: used nonces, lapsed validity, ended grants.
   *
   * @returns what was forgotten without standing in the block, with the reason
   */
  settle(state: State, block: Block): { pending: Pending; reason: InvalidCode }[] {
    const carried = new Set<Transaction>(block.transactions);
    const lapsed: { pending: Pending; reason: InvalidCode }[] = [];
    for (const pending of [...this.#byId.values()]) {
      if (carried.has(pending.transaction)) {
        this.#remove(pending);
        continue;
      }
      const reason = checkPending(state, pending.transaction);
      if (reason === undefined || MAY_WAIT.has(reason)) continue;
      this.#remove(pending);
      lapsed.push({ pending, reason });
    }
    return lapsed;
  }

  #insert(key: string, pending: Pending): void {
    let lane = this.#lanes.get(key);
    if (lane === undefined) {
      lane = new Lane(key);
      this.#lanes.set(key, lane);
    }
    lane.set(pending);
    this.#byId.set(pending.id, pending);
  }

  #remove({ id, transaction }: Pending): void {
    const key = laneOf(transaction);
    const lane = this.#lanes.get(key)!;
    lane.delete(transaction.header.nonce);
    if (lane.size === 0) this.#lanes.delete(key);
    this.#byId.delete(id);
  }
}

/** Whether the next block could carry a transaction; undefined if so (VAL: admission checks the next height). */
export function checkPending(state: State, transaction: Transaction): InvalidCode | undefined {
  return checkAdmission(state, transaction, findActor(state, transaction), state.height + 1);
}
