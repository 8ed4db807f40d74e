import { setImmediate } from "node:timers/promises";
import { ByteReader } from "../../../ground/collections/byteReader.ts";
import { AccountKeys } from "../../../protocol/codecBinary.ts";
import { bytesOfHex, formatHex } from "../../../protocol/codecHex.ts";
import type { Address, Bytes32 } from "../../../protocol/fields.ts";
import type { Genesis } from "../../../protocol/genesis.ts";
import { getHead } from "../../../venue/engine/commitment/root.ts";
import { createVenue } from "../../../venue/engine/genesis.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { SealedBlock } from "../../../venue/simulation/observer.ts";
import type { BlockEntry } from "../host.ts";
import type { Ending, Found, KeyUse, Ledger, Taken } from "../ledger.ts";
import { KEY_BLOCKS } from "../options.ts";
import { BlockCache } from "./blockCache.ts";
import { type Dumped, readDump, writeDump } from "./dump.ts";
import type { Log } from "./log.ts";
import { type KeepOptions, pruneLog } from "./prune.ts";
import {
  bindBody,
  branchBody,
  decideBody,
  dumpOfLoad,
  endBody,
  loadBody,
  readDecision,
  readTake,
  readTakeHead,
  takeBody,
} from "./records.ts";
import { readResult, resultBody } from "./resultRecord.ts";
import type { Snapshots } from "./snapshots.ts";
import type { StoreIndex } from "./storeIndex.ts";
import { hashOfId, hashOfKey, PENDING, REVERTED } from "./transactionIndex.ts";

/** Most bytes of the log that are written at once. */
const WRITE_MOST = 4 << 20;

export interface DiskLedgerOptions {
  readonly genesis: Genesis;
  readonly keyMs: number;
  readonly clock: () => number;
  /** Number of decoded blocks in memory. */
  readonly cachedBlocks: number;
}

/** Stores everything in a log, and only locations in memory. */
export class DiskLedger implements Ledger {
  readonly log: Log;
  readonly index: StoreIndex;
  readonly #snapshots: Snapshots;
  readonly #options: DiskLedgerOptions;
  readonly #cache: BlockCache;
  readonly #accounts = new AccountKeys();
  /** Arrival numbers of pending transactions, by id. */
  readonly #pending = new Map<Bytes32, number>();

  constructor(log: Log, index: StoreIndex, snapshots: Snapshots, options: DiskLedgerOptions) {
    this.log = log;
    this.index = index;
    this.#snapshots = snapshots;
    this.#options = options;
    this.#cache = new BlockCache(options.cachedBlocks);
    for (const { id, arrival } of this.pending()) this.#pending.set(id, arrival);
  }

  get oldestHeight(): number {
    return this.index.oldestHeight;
  }

  /** Pending transactions according to the log, in order of arrival. */
  *pending(): Generator<Taken & { readonly arrival: number }> {
    const { transactions } = this.index;
    for (let arrival = transactions.first; arrival < transactions.next; arrival++) {
      if (transactions.height(arrival) === PENDING) yield { ...this.#taken(arrival), arrival };
    }
  }

  take(taken: Taken): void {
    this.#pending.set(taken.id, this.index.transactions.next);
    this.#append(takeBody(taken));
  }

  bind(signer: Address, key: string, use: KeyUse): void {
    this.#append(bindBody(signer, key, use));
  }

  decide({ height, timeMs }: SealedBlock, ids: readonly Bytes32[]): void {
    this.#append(decideBody({ height, timeMs, arrivals: ids.map((id) => this.#pending.get(id)!) }));
  }

  record(entry: BlockEntry): void {
    this.#append(...resultBody(entry));
    this.#cache.set(entry);
    for (const [place, id] of entry.ids.entries()) {
      if (entry.receipts[place]!.status !== "invalid") this.#pending.delete(id);
    }
  }

  /**
   * Large results are written in slices. A replay computes them again, so a process that ends in between loses nothing.
   */
  write(): Promise<void> | undefined {
    if (this.log.buffered > WRITE_MOST) return this.#writeInSlices();
    this.log.write();
    return undefined;
  }

  async #writeInSlices(): Promise<void> {
    for (let left = this.log.buffered; left > 0; left -= WRITE_MOST) {
      await setImmediate();
      this.log.writeAhead(WRITE_MOST);
    }
    this.log.write();
  }

  end(ending: Ending): void {
    this.#append(endBody(this.#pending.get(ending.id)!, ending));
    this.#pending.delete(ending.id);
  }

  branch(height: number, epoch: number): void {
    this.#append(branchBody(height, epoch));
    this.#cache.cut(height);
    this.#pending.clear();
  }

  load(dumped: Dumped): void {
    const { state, epoch } = dumped;
    this.#append(loadBody({ height: state.height, epoch, hash: getHead(state) }, writeDump(dumped)));
    this.#cache.cut(-1);
    this.#pending.clear();
  }

  commit(): Promise<void> | undefined {
    return this.log.isOpen ? this.log.commit(() => this.#nextStart()) : undefined;
  }

  keyUse(signer: Address, key: string): KeyUse | undefined {
    const bound = this.index.bound.get(`${signer} ${key}`);
    if (bound !== undefined && this.#isKept(bound) && (bound.code !== undefined || this.#isAccepted(bound.id)))
      return bound;
    const { transactions } = this.index;
    const [signerBytes, keyBytes] = [bytesOfHex(signer), Buffer.from(key, "latin1")];
    let use: KeyUse | undefined;
    transactions.findKey(hashOfKey(signerBytes, keyBytes), (arrival) => {
      if (transactions.height(arrival) === REVERTED) return false;
      const take = this.#takeHead(arrival);
      if (!keyBytes.equals(take.key) || !Buffer.from(take.signer).equals(signerBytes)) return false;
      const { receivedAtMs, validUntil } = take;
      use = { id: formatHex(take.id), receivedAtMs, validUntil, code: undefined };
      return this.#isKept(use);
    });
    return use !== undefined && this.#isKept(use) ? use : undefined;
  }

  find(id: Bytes32): Found | undefined {
    const arrival = this.#arrivalOf(id);
    if (arrival === undefined) return undefined;
    const { transactions, endings } = this.index;
    const { receivedAtMs } = this.#takeHead(arrival);
    const height = transactions.height(arrival);
    if (height === PENDING) return { status: "pending", receivedAtMs };
    if (height >= 0) return { status: "committed", receivedAtMs, height, index: transactions.place(arrival) };
    const ending = { id, ...endings.get(arrival)! };
    return {
      status: "ended",
      receivedAtMs,
      ending,
      signed: this.#taken(arrival).signed,
      reverted: height === REVERTED,
    };
  }

  block(height: number): BlockEntry | undefined {
    const cached = this.#cache.get(height);
    if (cached !== undefined) return cached;
    const result = this.index.blocks.result(height);
    if (result === 0 || height < this.oldestHeight) return undefined;
    const { block, ids } = this.decided(height)!;
    const reader = new ByteReader(this.log.read(result));
    reader.u8();
    const { timeMs, transactions, signatures } = block;
    const entry = { timeMs, ids, transactions, signatures: signatures!, ...readResult(reader) };
    this.#cache.set(entry);
    return entry;
  }

  /** A block as it was to be applied; undefined if it is not kept. */
  decided(height: number): { readonly block: SealedBlock; readonly ids: readonly Bytes32[] } | undefined {
    const location = this.index.blocks.decision(height);
    if (location === 0 || height < this.oldestHeight) return undefined;
    const reader = new ByteReader(this.log.read(location));
    reader.u8();
    const { timeMs, arrivals } = readDecision(reader);
    const taken = arrivals.map((arrival) => this.#taken(arrival));
    const transactions = taken.map(({ signed }) => signed.transaction);
    const signatures = taken.map(({ signed }) => signed.signature);
    return { block: { height, timeMs, transactions, signatures }, ids: taken.map(({ id }) => id) };
  }

  stateBelow(height: number): State | undefined {
    const found = this.#snapshots.readBelow(height, (at, hash) => this.#isOnChain(at, hash));
    if (found !== undefined) return found.state;
    const { loaded } = this.index;
    if (loaded !== undefined) {
      // A loaded venue whose first blocks were pruned cannot be reached.
      if (loaded.height > height || this.oldestHeight !== loaded.height + 1) return undefined;
      return readDump(dumpOfLoad(this.log.read(loaded.location)), "load").state;
    }
    return this.oldestHeight === 1 ? createVenue(this.#options.genesis) : undefined;
  }

  /**
   * Heights of states whose block in the log is a different one. A log with a revert or a load has discarded blocks
   * itself, and a pruned log may have: such states prove nothing.
   */
  foreignStates(): number[] {
    const { number, start } = this.log.segments()[0]!;
    const { epoch, blocks } = this.index;
    if (number > 0 || epoch !== start.epoch) return [];
    return this.#snapshots.heights().filter((height) => {
      const written = height > start.height && height <= blocks.head ? this.#hashOf(height) : undefined;
      const kept = written === undefined ? undefined : this.#snapshots.hashAt(height);
      return kept !== undefined && kept !== written;
    });
  }

  /** Whether the chain has this head at a height. A log that began with a state knows only that state's head. */
  #isOnChain(height: number, hash: Bytes32): boolean {
    const { loaded } = this.index;
    if (loaded !== undefined && height <= loaded.height) return height === loaded.height && hash === loaded.hash;
    return height === this.index.blocks.first - 1 || this.#hashOf(height) === hash;
  }

  /** Whether a block's result is written. */
  isRecorded(height: number): boolean {
    return this.index.blocks.result(height) !== 0;
  }

  /** @param stateHeight height of the oldest state that is kept */
  prune(stateHeight: number, options: KeepOptions): void {
    pruneLog(this.log, this.index, stateHeight, options);
  }

  async close(): Promise<void> {
    this.log.close();
  }

  /** Head of the effects chain after a kept block; undefined for others. */
  #hashOf(height: number): Bytes32 | undefined {
    const result = this.index.blocks.result(height);
    if (result === 0) return undefined;
    // kind, height, hash
    return formatHex(this.log.read(result).subarray(9, 41));
  }

  #append(body: Uint8Array, tail?: Uint8Array): void {
    this.index.note(this.log.append(body, tail), body);
  }

  #nextStart() {
    const { epoch, transactions, blocks } = this.index;
    return { epoch, arrival: transactions.next, height: blocks.head };
  }

  #taken(arrival: number): Taken {
    return readTake(this.log.read(this.index.transactions.location(arrival)), this.#accounts);
  }

  #takeHead(arrival: number) {
    const reader = new ByteReader(this.log.read(this.index.transactions.location(arrival)));
    reader.u8();
    return readTakeHead(reader);
  }

  /** Arrival of a transaction; the last one if it came again after a revert. */
  #arrivalOf(id: Bytes32): number | undefined {
    const pending = this.#pending.get(id);
    if (pending !== undefined) return pending;
    const { transactions } = this.index;
    const bytes = Buffer.from(bytesOfHex(id));
    let reverted: number | undefined;
    const found = transactions.findId(hashOfId(bytes), (arrival) => {
      if (!bytes.equals(this.#takeHead(arrival).id)) return false;
      if (transactions.height(arrival) !== REVERTED) return true;
      reverted = arrival;
      return false;
    });
    return found ?? reverted;
  }

  /** Whether a transaction was accepted and no revert removed it. */
  #isAccepted(id: Bytes32): boolean {
    const arrival = this.#arrivalOf(id);
    return arrival !== undefined && this.index.transactions.height(arrival) !== REVERTED;
  }

  /** Whether a key is still kept. */
  #isKept({ receivedAtMs, validUntil }: KeyUse): boolean {
    const { clock, keyMs } = this.#options;
    return receivedAtMs + keyMs > clock() || validUntil + KEY_BLOCKS >= this.index.blocks.head;
  }
}
