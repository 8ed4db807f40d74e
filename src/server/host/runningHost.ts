import { setImmediate } from "node:timers/promises";
import { type Verification, verifierOf } from "../../client/signing/verify.ts";
import type { ActionName, Payloads } from "../../protocol/actions/index.ts";
import type { Signed } from "../../protocol/codec.ts";
import type { Bytes32 } from "../../protocol/fields.ts";
import type { Genesis } from "../../protocol/genesis.ts";
import type { SigningDomain } from "../../protocol/typedData.ts";
import { createDigester } from "../../protocol/typedDataDigest.ts";
import { computeGenesisHash } from "../../venue/engine/state/genesisHash.ts";
import type { State } from "../../venue/engine/state/state.ts";
import type { PendingPool } from "../../venue/simulation/pool/pendingPool.ts";
import { signingDomainOf } from "../../venue/simulation/signatures.ts";
import { Announcements } from "./announcements.ts";
import { BlockTimer } from "./blockTimer.ts";
import type { Chain, Chosen } from "./chain.ts";
import { HostError } from "./errors.ts";
import { findTransaction } from "./findTransaction.ts";
import type { BlockEntry, MineOptions, Refusal, Submitted, TransactionEntry, VenueHost } from "./host.ts";
import { Intake } from "./intake.ts";
import { BLOCK_MOST, type BlockMode, type HostOptions } from "./options.ts";
import { signingKitAtHand } from "./signingKit.ts";
import type { OnFaultPoint } from "./store/faultPoints.ts";
import { SystemSigner } from "./systemSigner.ts";
import { VirtualTime } from "./virtualTime.ts";

const CLOSED = "the host is closed";

/** Additional work of a host on disk. */
export interface HostHooks {
  readonly onPoint?: OnFaultPoint | undefined;
  afterBlock?(state: State): void;
  /** The chain above a height was discarded. */
  afterLeave?(height: number): void;
  /** Called before the ledger is closed; without a state if the store has failed. */
  close?(state: State | undefined): Promise<void>;
}

/** A caller's request for a block or a change of the chain, carried out in a turn of its own. */
interface Order {
  /** Chooses the block of the turn; undefined for no block. */
  readonly choose: () => Chosen | undefined;
  readonly done: (entry: BlockEntry | undefined) => void;
  readonly failed: (error: unknown) => void;
}

/** An answer that is sent when its content is durable. */
interface Answer {
  readonly submitted: Submitted;
  readonly give: (submitted: Submitted) => void;
}

/**
 * The host implementation. It works in turns: new submissions, and the block that is due, are written to the ledger and
 * made durable together. Then the transactions are answered and the block is applied. So the venue is never ahead of
 * the disk, and the next turn's transactions arrive while the disk works.
 */
export class RunningHost implements VenueHost {
  readonly genesis: Genesis;
  readonly domain: SigningDomain;
  readonly time: VirtualTime;
  readonly #options: HostOptions;
  readonly #chain: Chain;
  readonly #hooks: HostHooks;
  readonly #defer: (work: () => void) => void;
  readonly #intake: Intake;
  readonly #signer: SystemSigner;
  readonly #timer = new BlockTimer(() => this.mine());
  readonly #announcements = new Announcements();
  #blockMode: BlockMode = { mode: "auto" };
  #failure: string | undefined;
  #orders: Order[] = [];
  #answers: Answer[] = [];
  /**
   * Resolves when a large block is written and the listeners have processed it; undefined if no block waits for that.
   */
  #announced: Promise<unknown> | undefined;
  #awake = false;
  #closed = false;
  /** Called when no work is left. */
  #idle: (() => void)[] = [];

  /** @param defer delays a turn until all input at hand has arrived */
  constructor(options: HostOptions, chain: Chain, defer: (work: () => void) => void, hooks: HostHooks = {}) {
    this.#hooks = hooks;
    const { backend, keccak } = options.signing ?? signingKitAtHand();
    const { genesis } = chain.state;
    this.#options = options;
    const clock = options.clock ?? Date.now;
    this.#chain = chain;
    this.#defer = defer;
    this.genesis = genesis;
    this.domain = signingDomainOf(genesis);
    this.#intake = new Intake(chain, verifierOf(this.domain, backend, keccak), clock);
    this.#signer = new SystemSigner(createDigester(this.domain, keccak), options.authorityKeys ?? {});
    this.time = new VirtualTime(options.time ?? { kind: "wall" }, clock);
    this.time.startAt(chain.state.timeMs);
    this.blockMode = options.blocks ?? { mode: "auto" };
  }

  get state(): State {
    return this.#chain.state;
  }

  get pool(): PendingPool {
    return this.#chain.pool;
  }

  get epoch(): number {
    return this.#chain.epoch;
  }

  get oldestHeight(): number {
    return this.#chain.ledger.oldestHeight;
  }

  get failure(): string | undefined {
    return this.#failure;
  }

  get blockMode(): BlockMode {
    return this.#blockMode;
  }

  set blockMode(mode: BlockMode) {
    this.#blockMode = mode;
    if (mode.mode === "interval") this.#timer.start(mode.everyMs);
    else this.#timer.stop();
    this.#wake();
  }

  block(height: number): BlockEntry | undefined {
    return this.#chain.ledger.block(height);
  }

  past(height: number): State | undefined {
    return this.#chain.past(height);
  }

  transaction(id: Bytes32): TransactionEntry | undefined {
    // Whether it was accepted is unknown until the next start.
    if (this.#failure !== undefined && this.#intake.isUnanswered(id)) return undefined;
    return findTransaction(this.#chain, id);
  }

  submit(given: Signed, key: string, found?: Verification): Promise<Submitted> {
    const { id, signed, refusal } = this.#intake.judge(given, found);
    if (this.#failure !== undefined) return refuse(id, this.#unavailable(false));
    if (refusal !== undefined) return refuse(id, refusal);
    try {
      const { submitted, waits } = this.#intake.take(signed, id, key);
      return waits ? this.#answer(submitted) : Promise.resolve(submitted);
    } catch (error) {
      this.#fail(error as Error, []);
      return refuse(id, this.#unavailable(false));
    }
  }

  submitSystem<A extends ActionName>(action: A, payload: Payloads[A]): Promise<Submitted> {
    const signed = this.#signer.sign(this.state, this.pool, action, payload);
    return this.submit(signed, this.#signer.idOf(signed).slice(2));
  }

  mine({ timeMs }: MineOptions = {}): Promise<BlockEntry> {
    return this.#order(() => {
      if (timeMs !== undefined) this.time.setNext(timeMs);
      return this.#chain.choose(this.time.take(this.state.timeMs));
    }) as Promise<BlockEntry>;
  }

  checkpoint(): number {
    return this.#chain.checkpoint();
  }

  async revert(height: number): Promise<void> {
    await this.#order(() => {
      this.#chain.checkRevert(height);
      this.#chain.revert(height);
      return undefined;
    });
    this.#left(height, "reverted");
  }

  async load(venue: { readonly state: State; readonly epoch: number }): Promise<void> {
    const { genesisHash } = this.domain;
    const found = computeGenesisHash(venue.state.genesis);
    if (found !== genesisHash) {
      throw new HostError(
        "GENESIS_DIFFERS",
        `it is of the genesis ${found}, this venue of ${genesisHash}; begin a venue with it (--load-state), or give both one --network-salt`,
      );
    }
    await this.#order(() => {
      this.#chain.load(venue);
      return undefined;
    });
    this.time.startAt(this.state.timeMs);
    this.#left(-1, "loaded");
  }

  /** The chain was replaced above a height. */
  #left(height: number, reason: string): void {
    this.#hooks.afterLeave?.(height);
    this.#announcements.epoch(reason);
  }

  async drop(id: Bytes32): Promise<boolean> {
    let isDropped = false;
    await this.#order(() => {
      isDropped = this.#chain.drop(id);
      return undefined;
    });
    this.#announcements.waiters.release(this.#chain.takeEnded());
    return isDropped;
  }

  onBlock(listener: (entry: BlockEntry) => unknown): () => void {
    return this.#announcements.blocks.add(listener);
  }

  onEviction(listener: (count: number) => void): () => void {
    return this.#announcements.evictions.add(listener);
  }

  onEpoch(listener: (reason: string) => void): () => void {
    return this.#announcements.epochs.add(listener);
  }

  onFailure(listener: (reason: string) => void): () => void {
    return this.#announcements.failures.add(listener);
  }

  async waitFor(id: Bytes32, timeoutMs: number): Promise<TransactionEntry | undefined> {
    const known = this.transaction(id);
    if (known?.status !== "pending" || timeoutMs <= 0) return known;
    await this.#announcements.waiters.wait(id, timeoutMs);
    return this.transaction(id);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#failure ??= CLOSED;
    this.#timer.stop();
    if (this.#awake) await new Promise<void>((resolve) => this.#idle.push(resolve));
    this.#announcements.waiters.releaseAll();
    const { ledger } = this.#chain;
    try {
      if (this.#failure === CLOSED) await ledger.commit();
    } finally {
      await this.#hooks.close?.(this.#failure === CLOSED ? this.state : undefined);
      await ledger.close();
    }
  }

  #answer(submitted: Submitted): Promise<Submitted> {
    return new Promise((give) => {
      this.#answers.push({ submitted, give });
      this.#wake();
    });
  }

  #order(choose: Order["choose"]): Promise<BlockEntry | undefined> {
    if (this.#failure !== undefined) return Promise.reject(new HostError("HOST_STOPPED", this.#failure));
    return new Promise((done, failed) => {
      this.#orders.push({ choose, done, failed });
      this.#wake();
    });
  }

  #wake(): void {
    if (this.#awake) return;
    this.#awake = true;
    this.#defer(() => void this.#run());
  }

  /** Runs turns until no work is left. No input can arrive between the last check and the end. */
  async #run(): Promise<void> {
    for (;;) {
      const order = this.#orders.shift();
      const answers = this.#answers;
      this.#answers = [];
      try {
        const chosen = order === undefined ? this.#chooseDue() : order.choose();
        if (order === undefined && chosen === undefined && answers.length === 0) break;
        const committed = this.#prepare(chosen);
        if (committed !== undefined) await committed;
        this.#giveAll(answers);
        this.#releaseEnded();
        this.#hooks.onPoint?.("afterAnswer");
        const entry = chosen === undefined ? undefined : this.#apply(chosen);
        // No block follows before listeners have taken this one, so that they read the state after it.
        if (this.#announced !== undefined) await this.#announced;
        order?.done(entry);
        // The next block follows at once: requests are answered before it.
        if (chosen?.isFull === true) await setImmediate();
      } catch (error) {
        order?.failed(error);
        // The order cannot be carried out; nothing has changed.
        if (error instanceof HostError) this.#answers = [...answers, ...this.#answers];
        else this.#fail(error as Error, answers);
      }
    }
    this.#awake = false;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** The block that the mode requires now. */
  #chooseDue(): Chosen | undefined {
    const { mode } = this.#blockMode;
    if (this.#failure !== undefined || mode === "manual" || mode === "interval" || this.pool.size === 0)
      return undefined;
    const most = this.#options.blockMost ?? BLOCK_MOST;
    const wanted = this.#blockMode.mode === "batch" ? this.#blockMode.size : 1;
    if (this.#chain.countReady(wanted) < wanted) return undefined;
    return this.#chain.choose(this.time.take(this.state.timeMs), mode === "batch" ? wanted : most);
  }

  /** Writes the content of the turn, and resolves when it is durable; undefined if it already is. */
  #prepare(chosen: Chosen | undefined): Promise<void> | undefined {
    const { ledger } = this.#chain;
    if (chosen !== undefined) {
      this.#intake.inFlight = new Set(chosen.ids);
      ledger.decide(chosen.block, chosen.ids);
    }
    return ledger.commit();
  }

  #giveAll(answers: readonly Answer[]): void {
    for (const { submitted, give } of answers) {
      this.#intake.answered(submitted.id);
      give(submitted);
    }
  }

  /** A wait for a transaction that was replaced or evicted ends when that is durable, not with the next block. */
  #releaseEnded(): void {
    const ended = this.#chain.takeEnded();
    this.#announcements.waiters.release(ended);
    const evicted = this.#chain.takeEvictions();
    if (evicted > 0) this.#announcements.evictions.emit(evicted);
  }

  #apply(chosen: Chosen): BlockEntry {
    const entry = this.#chain.apply(chosen);
    this.#intake.inFlight = new Set();
    const written = this.#chain.ledger.write();
    this.#hooks.onPoint?.("afterApply");
    this.#hooks.afterBlock?.(this.state);
    const taken = this.#announcements.block(entry, this.#chain.takeEnded());
    this.#announced = written === undefined && taken === undefined ? undefined : Promise.all([written, taken]);
    return entry;
  }

  /** The store failed: its last writes may be lost or not. The host accepts nothing from now on. */
  #fail(error: Error, answers: readonly Answer[]): void {
    this.#failure = error.message;
    this.#timer.stop();
    const late = this.#answers.splice(0);
    const orders = this.#orders.splice(0);
    const refusalWith = (maybeSubmitted: boolean) => {
      const refusal = this.#unavailable(maybeSubmitted);
      return ({ submitted, give }: Answer) => give({ accepted: false, id: submitted.id, refusal });
    };
    answers.forEach(refusalWith(true));
    late.forEach(refusalWith(false));
    for (const order of orders) order.failed(new HostError("HOST_STOPPED", error.message));
    this.#announcements.failure(error.message);
  }

  #unavailable(maybeSubmitted: boolean): Refusal {
    return { kind: "unavailable", reason: this.#failure!, maybeSubmitted };
  }
}

function refuse(id: Bytes32, refusal: Refusal): Promise<Submitted> {
  return Promise.resolve({ accepted: false, id, refusal });
}
