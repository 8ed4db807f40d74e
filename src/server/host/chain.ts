import type { Signed } from "../../protocol/codec.ts";
import type { Bytes32 } from "../../protocol/fields.ts";
import type { InvalidCode } from "../../protocol/rejections.ts";
import { getHead } from "../../venue/engine/commitment/root.ts";
import { forkState } from "../../venue/engine/state/forkState.ts";
import type { State } from "../../venue/engine/state/state.ts";
import type { SealedBlock } from "../../venue/simulation/observer.ts";
import { type BuildOptions, buildBlock } from "../../venue/simulation/pool/buildBlock.ts";
import { MAY_WAIT } from "../../venue/simulation/pool/lanes.ts";
import { checkPending, type Offer, type PendingPool } from "../../venue/simulation/pool/pendingPool.ts";
import { type BuilderPolicy, cancelsFirst } from "../../venue/simulation/pool/policy.ts";
import { Simulation } from "../../venue/simulation/simulation.ts";
import { createBlockEntry } from "./blockEntry.ts";
import { HostError } from "./errors.ts";
import type { BlockEntry } from "./host.ts";
import type { Ending, Ledger, Taken } from "./ledger.ts";
import { BLOCK_MOST, type HostOptions, ROOT_EVERY } from "./options.ts";

/** A block that was chosen, with the ids of its transactions. */
export interface Chosen {
  readonly block: SealedBlock;
  readonly ids: readonly Bytes32[];
  /** True if a bound of the block leaves ready transactions for the next one. */
  readonly isFull?: boolean;
}

/**
 * The venue with its pending pool and its ledger, one step at a time: offer a transaction, choose a block, apply it,
 * revert. It has no clock and never waits.
 */
export class Chain {
  readonly pool: PendingPool;
  readonly ledger: Ledger;
  readonly #options: HostOptions;
  readonly #policy: BuilderPolicy;
  /** States kept for reverts, by height. */
  readonly #checkpoints = new Map<number, State>();
  #simulation: Simulation;
  #hash: Bytes32;
  #ended: Bytes32[] = [];
  #evictions = 0;
  /** Base state of the revert that was checked. */
  #base: State | undefined;
  epoch: number;

  constructor(options: HostOptions, state: State, pool: PendingPool, ledger: Ledger, epoch: number) {
    this.#options = options;
    this.#policy = options.policy ?? cancelsFirst;
    this.pool = pool;
    this.ledger = ledger;
    this.epoch = epoch;
    this.#simulation = new Simulation(state, options.observers);
    this.#hash = getHead(state);
  }

  /**
   * Resumes a stored chain: pending transactions in order of arrival, and the block that was decided last. Transactions
   * that can no longer commit, or exceed the pool's limits, end.
   */
  resume(waiting: readonly Taken[], decided: Chosen | undefined): void {
    for (const { id, signed, sinceHeight } of waiting) {
      this.pool.restore(id, signed.transaction, signed.signature, sinceHeight);
    }
    if (decided === undefined) {
      const { state } = this;
      const nothing = { height: state.height, timeMs: state.timeMs, transactions: [] };
      for (const { pending, reason } of this.pool.settle(state, nothing)) {
        this.#end(endingOf(pending.id, reason, state));
      }
    } else {
      // The pool compares transactions by identity.
      const transactions = decided.ids.map((id) => this.pool.get(id)!.transaction);
      this.apply({ ids: decided.ids, block: { ...decided.block, transactions } });
    }
    for (const { id } of this.pool.trim(this.state)) this.#end(evictionOf(id, this.state.height));
  }

  get state(): State {
    return this.#simulation.state;
  }

  /** Head of the effects chain. */
  get hash(): Bytes32 {
    return this.#hash;
  }

  /** Adds a transaction to pool and ledger, or returns why not. */
  offer(signed: Signed, { id, key, receivedAtMs }: Pick<Taken, "id" | "key" | "receivedAtMs">): Offer {
    const { height } = this.state;
    const offer = this.pool.add(this.state, signed.transaction, id, signed.signature);
    if (!offer.accepted) return offer;
    this.ledger.take({ id, signed, key, receivedAtMs, sinceHeight: height });
    if (offer.replaced !== undefined) {
      const { replaced } = offer;
      this.#end({ id: replaced, status: "replaced", atHeight: height, reason: undefined, replacedBy: id });
    }
    for (const evicted of offer.evicted) this.#end(evictionOf(evicted, height));
    return offer;
  }

  /** Chooses the next block: the first transactions, by the policy, of those that may enter it. */
  choose(timeMs: number, most: number = this.#options.blockMost ?? BLOCK_MOST): Chosen {
    return this.#build({ timeMs, policy: this.#policy, most, operationsMost: this.#options.operationsMost });
  }

  /**
   * Number of transactions, up to `most`, that could enter the next block if no policy delayed takers and order
   * operations had no bound. A chain that makes blocks only on demand must let the delay pass. One that waits for a
   * number of transactions must not wait for more than a block may hold.
   */
  countReady(most: number): number {
    if (this.pool.size === 0) return 0;
    const policy: BuilderPolicy = { ...this.#policy, delayOf: () => 0 };
    const timeMs = this.state.timeMs + 1;
    return this.#build({ timeMs, policy, most, operationsMost: Number.POSITIVE_INFINITY }).ids.length;
  }

  /** Applies a block, and updates the pending transactions. */
  apply({ block, ids }: Chosen): BlockEntry {
    const { state } = this;
    const result = this.#simulation.apply(block);
    const rootEvery = this.#options.rootEvery ?? ROOT_EVERY;
    const entry = createBlockEntry(state, block, result, { ids, parentHash: this.#hash, rootEvery });
    this.#hash = entry.hash;
    this.ledger.record(entry);
    for (const { pending, reason } of this.pool.settle(state, block)) {
      this.#end(endingOf(pending.id, reason, state));
    }
    for (const [index, { status, code }] of entry.receipts.entries()) {
      if (status === "invalid") this.#returnInvalid(entry, index, code as InvalidCode);
    }
    return entry;
  }

  /** Drops a pending transaction; false if none has this id. */
  drop(id: Bytes32): boolean {
    if (this.pool.get(id) === undefined) return false;
    this.pool.remove(id);
    this.#end({ id, status: "dropped", atHeight: this.state.height, reason: undefined, replacedBy: undefined });
    return true;
  }

  /** Transactions that have ended without a commit since the last call. */
  takeEnded(): readonly Bytes32[] {
    const ended = this.#ended;
    this.#ended = [];
    return ended;
  }

  /** Number of transactions evicted since the last call. */
  takeEvictions(): number {
    const count = this.#evictions;
    this.#evictions = 0;
    return count;
  }

  checkpoint(): number {
    const { height } = this.state;
    if (!this.#checkpoints.has(height)) this.#checkpoints.set(height, forkState(this.state));
    return height;
  }

  /** The state at or below a height, from which the kept blocks lead to that height; a copy for the caller. */
  past(height: number): State | undefined {
    const base = this.#baseOf(height);
    return base === undefined ? undefined : forkState(base);
  }

  /** @throws {HostError} HEIGHT_NOT_KEPT */
  checkRevert(height: number): void {
    const { height: head } = this.state;
    if (!Number.isSafeInteger(height) || height < 0 || height > head) {
      throw new HostError("HEIGHT_NOT_KEPT", `no block ${height}: the head is at ${head}`);
    }
    this.#base = this.#baseOf(height);
    if (this.#base === undefined) throw new HostError("HEIGHT_NOT_KEPT", `block ${height} is no longer kept`);
  }

  /** Reverts to a height that `checkRevert` accepted. */
  revert(height: number): void {
    const state = forkState(this.#base!);
    this.#base = undefined;
    this.ledger.branch(height, this.epoch + 1);
    const replay = new Simulation(state);
    for (let next = state.height + 1; next <= height; next++) replay.apply(this.ledger.block(next)!);
    for (const kept of this.#checkpoints.keys()) if (kept > height) this.#checkpoints.delete(kept);
    this.#begin(state);
    this.epoch++;
  }

  /** Replaces this venue with another of the same genesis; pending transactions are dropped. */
  load({ state, epoch }: { readonly state: State; readonly epoch: number }): void {
    this.epoch = Math.max(this.epoch, epoch) + 1;
    this.ledger.load({ state, epoch: this.epoch });
    this.#checkpoints.clear();
    this.#begin(state);
    this.checkpoint();
  }

  #begin(state: State): void {
    for (const { id } of this.pool.inOrder()) this.pool.remove(id);
    this.#simulation = new Simulation(state, this.#options.observers);
    this.#hash = getHead(state);
  }

  #build(options: Omit<BuildOptions, "onTaken" | "onFull">): Chosen {
    const ids: Bytes32[] = [];
    let isFull = false;
    const block = buildBlock(this.state, this.pool, {
      ...options,
      onTaken: ({ id }) => ids.push(id),
      onFull: () => {
        isFull = true;
      },
    });
    return { block, ids, isFull };
  }

  /** A state at or below a height, from which the kept blocks lead to it. It may be the stored one, not a copy. */
  #baseOf(height: number): State | undefined {
    let best: State | undefined;
    for (const [at, state] of this.#checkpoints) {
      if (at <= height && (best === undefined || at > best.height)) best = state;
    }
    if (best?.height !== height) {
      if (this.state.height === height) best = this.state;
      else if (!this.#leads(best, height)) best = this.ledger.stateBelow(height);
    }
    return this.#leads(best, height) ? best : undefined;
  }

  #leads(base: State | undefined, height: number): boolean {
    return base !== undefined && (base.height === height || this.ledger.oldestHeight <= base.height + 1);
  }

  /**
   * A transaction that others of its block made inadmissible left nothing but a receipt (NON-3). It waits again if time
   * or other transactions can make it admissible; otherwise it has ended.
   */
  #returnInvalid({ ids, transactions, signatures, height }: BlockEntry, index: number, code: InvalidCode): void {
    const id = ids[index]!;
    const transaction = transactions[index]!;
    const now = checkPending(this.state, transaction);
    if (now === undefined || MAY_WAIT.has(now)) this.pool.restore(id, transaction, signatures[index], height);
    else this.#end(endingOf(id, code, this.state));
  }

  #end(ending: Ending): void {
    this.ledger.end(ending);
    if (ending.reason === "EVICTED") this.#evictions++;
    this.#ended.push(ending.id);
  }
}

/** The ending of a transaction that was evicted from a full pool. */
function evictionOf(id: Bytes32, atHeight: number): Ending {
  return { id, status: "dropped", atHeight, reason: "EVICTED", replacedBy: undefined };
}

function endingOf(id: Bytes32, reason: InvalidCode, { height }: State): Ending {
  return { id, status: reason === "EXPIRED" ? "expired" : "dropped", atHeight: height, reason, replacedBy: undefined };
}
