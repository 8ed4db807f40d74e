import { ACTION_CODES } from "../../../protocol/actions/index.ts";
import type { Bytes32 } from "../../../protocol/fields.ts";
import type { InvalidCode } from "../../../protocol/rejections.ts";
import { type Block, type Transaction, type TxHeader, ZERO_BYTES32 } from "../../../protocol/transaction.ts";
import { checkAdmission, findActor } from "../../engine/authorization/admission.ts";
import type { State } from "../../engine/state/state.ts";
import type { PoolCode } from "./errors.ts";
import { type Lane, laneOf, MAY_WAIT, type Pending } from "./lanes.ts";
import { Occupancy } from "./occupancy.ts";
import { completeBounds, type PoolOptions, RoomMaker } from "./roomMaker.ts";

export type { PoolOptions } from "./roomMaker.ts";

/** What became of a transaction that was offered. */
export type Offer =
  | {
      readonly accepted: true;
      readonly id: Bytes32;
      readonly replaced: Bytes32 | undefined;
      /** Ids of the transactions that gave way to it. */
      readonly evicted: readonly Bytes32[];
    }
  | {
      readonly accepted: false;
      readonly code: PoolCode;
      /** For NOT_ADMISSIBLE: the code that its receipt would have. */
      readonly reason?: InvalidCode;
      /** For NONCE_PENDING and ALREADY_PENDING: the pending one. */
      readonly pending?: Bytes32;
      /** For LANE_FULL, OWNER_FULL and POOL_FULL: whether new blocks alone may make room for the same transaction. */
      readonly waitingHelps?: boolean;
    };

/**
 * Transactions on their way into a block (NON-4). It checks them against the venue as the next block would find it, and
 * keeps each lane in order. A transaction may replace the pending one of its nonce. Transactions that can no longer
 * commit are dropped. It never changes the venue.
 *
 * A full pool takes a transaction that is closer to execution than another, which is evicted (`rankForEviction`).
 */
export class PendingPool {
  readonly #room: RoomMaker;
  readonly #occupancy = new Occupancy();
  readonly #byId = new Map<Bytes32, Pending>();
  #arrivals = 0;

  constructor(options: PoolOptions = {}) {
    this.#room = new RoomMaker(this.#occupancy, completeBounds(options));
  }

  get size(): number {
    return this.#byId.size;
  }

  /** Transactions of the block that is being made durable: none of them is evicted. */
  set inBlock(ids: ReadonlySet<Bytes32>) {
    this.#room.held = ids;
  }

  get(id: Bytes32): Pending | undefined {
    return this.#byId.get(id);
  }

  /** What is pending of a lane, by the lane's name (`nameLane`). */
  lane(name: string): Lane | undefined {
    return this.#occupancy.lane(name);
  }

  lanes(): IterableIterator<Lane> {
    return this.#occupancy.lanes();
  }

  /**
   * Takes a transaction, or returns why not. A transaction that only waits for an earlier nonce or a later height is
   * taken. The `replaces` of its header puts it in the place of the pending transaction of the same lane and nonce, at
   * the end of the order of arrival.
   *
   * @param id        its id (TX-3), `Digester.digestOf`
   * @param signature kept for the block log; the verdict bit of `transaction` is its result
   */
  add(state: State, transaction: Transaction, id: Bytes32, signature?: Uint8Array): Offer {
    const { header } = transaction;
    if (this.#byId.has(id)) return { accepted: false, code: "ALREADY_PENDING", pending: id };
    const reason = checkPending(state, transaction);
    if (reason !== undefined && !MAY_WAIT.has(reason)) return { accepted: false, code: "NOT_ADMISSIBLE", reason };
    const fault = checkRange(state, header);
    if (fault !== undefined) return { accepted: false, code: fault };
    const before = this.lane(laneOf(transaction))?.get(header.nonce);
    if (header.replaces !== ZERO_BYTES32) {
      if (before === undefined || before.id !== header.replaces) return { accepted: false, code: "REPLACES_UNKNOWN" };
    } else if (before !== undefined) {
      return { accepted: false, code: "NONCE_PENDING", pending: before.id };
    }
    const pending = { id, transaction, signature, arrival: this.#arrivals++, sinceHeight: state.height };
    if (before !== undefined) this.#remove(before);
    this.#insert(pending);
    if (before !== undefined) return { accepted: true, id, replaced: before.id, evicted: [] };
    const made = this.#room.makeRoomFor(state, pending);
    if (made.code !== undefined) {
      this.#remove(pending);
      return { accepted: false, code: made.code, waitingHelps: made.waitingHelps };
    }
    if (made.victim !== undefined) this.#remove(made.victim);
    return { accepted: true, id, replaced: undefined, evicted: made.victim === undefined ? [] : [made.victim.id] };
  }

  /**
   * Takes a transaction that was pending before, without checks: a restarted service restores its pool in order. The
   * next `settle` removes transactions that can no longer commit, `trim` those beyond the pool's bounds.
   */
  restore(id: Bytes32, transaction: Transaction, signature: Uint8Array | undefined, sinceHeight: number): void {
    const pending = { id, transaction, signature, arrival: this.#arrivals++, sinceHeight };
    this.#insert(pending);
    this.#occupancy.laneOf(pending).isUnchecked = true;
  }

  /**
   * Removes transactions that the pool would not take now: ranges of heights that it refuses, and those beyond its
   * bounds. For a restored pool whose bounds may have been others.
   */
  trim(state: State): Pending[] {
    const unfit = [...this.#byId.values()].filter(
      ({ transaction }) => checkRange(state, transaction.header) !== undefined,
    );
    for (const pending of unfit) this.#remove(pending);
    const removed = [...unfit];
    for (const pending of this.#room.listExcess(state)) {
      this.#remove(pending);
      removed.push(pending);
    }
    return removed;
  }

  /** Forgets a transaction; one that is not pending is none. */
  remove(id: Bytes32): void {
    const pending = this.#byId.get(id);
    if (pending !== undefined) this.#remove(pending);
  }

  /** Highest pending nonce of a transaction's lane; undefined where nothing of it is pending. */
  lastNonceOf(transaction: Transaction): number | undefined {
    return this.lane(laneOf(transaction))?.last();
  }

  /** Every pending transaction, in order of arrival. */
  inOrder(): Pending[] {
    return [...this.#byId.values()].sort((a, b) => a.arrival - b.arrival);
  }

  /**
   * Forgets what a block carried, and what can never commit after it: used nonces, lapsed validity, ended grants.
   *
   * Cost: the lanes, and the transactions of those in which a nonce was used, a range begins or ended, or a grant
   * ended.
   *
   * @returns transactions dropped without being in the block, with the reason
   */
  settle(state: State, block: Block): { pending: Pending; reason: InvalidCode }[] {
    const carried = new Set<Transaction>(block.transactions);
    const touched = new Set(block.transactions.map(laneOf));
    // It may use the nonce of any lane.
    const actsForOthers = block.transactions.some(({ code }) => code === ACTION_CODES.devnetImpersonate);
    const next = state.height + 1;
    const lapsed: { pending: Pending; reason: InvalidCode }[] = [];
    for (const lane of [...this.lanes()]) {
      const isChecked = !lane.isUnchecked && !actsForOthers && !touched.has(lane.key) && !lane.isDueAt(next);
      if (isChecked && (lane.isOwners || haveGrants(state, lane))) continue;
      for (const pending of lane.inOrder()) {
        if (carried.has(pending.transaction)) {
          this.#remove(pending);
          continue;
        }
        const reason = checkPending(state, pending.transaction);
        if (reason === undefined || MAY_WAIT.has(reason)) continue;
        this.#remove(pending);
        lapsed.push({ pending, reason });
      }
      lane.noteCheck(next);
    }
    return lapsed.sort((a, b) => a.pending.arrival - b.pending.arrival);
  }

  #insert(pending: Pending): void {
    this.#occupancy.insert(pending);
    this.#byId.set(pending.id, pending);
  }

  #remove(pending: Pending): void {
    this.#occupancy.remove(pending);
    this.#byId.delete(pending.id);
  }
}

/** Whether the next block could carry a transaction; undefined if so (VAL: admission checks the next height). */
export function checkPending(state: State, transaction: Transaction): InvalidCode | undefined {
  return checkAdmission(state, transaction, findActor(state, transaction), state.height + 1);
}

/** Whether every grant that a lane's transactions name still admits them; equal grants are checked once. */
function haveGrants(state: State, lane: Lane): boolean {
  const seen = new Set<Bytes32>();
  return lane.inOrder().every(({ transaction }) => {
    const { authorization } = transaction.header;
    if (seen.has(authorization)) return true;
    seen.add(authorization);
    const reason = checkPending(state, transaction);
    return reason === undefined || MAY_WAIT.has(reason);
  });
}

/**
 * Whether a transaction may wait for its range of heights. A block would only reject with NOT_YET_VALID (VAL). The pool
 * refuses a range that never comes, and one that begins further ahead than the longest validity reaches.
 */
function checkRange({ height, genesis }: State, { validFrom, validUntil }: TxHeader): PoolCode | undefined {
  if (validFrom > validUntil) return "VALIDITY_EMPTY";
  return validFrom > height + genesis.validityMax ? "VALIDITY_TOO_FAR" : undefined;
}
