import type { SignatureFault } from "../../client/signing/recover.ts";
import type { Verification } from "../../client/signing/verify.ts";
import type { ActionName, Payloads } from "../../protocol/actions/index.ts";
import type { Signed } from "../../protocol/codec.ts";
import type { Bytes32 } from "../../protocol/fields.ts";
import type { Genesis } from "../../protocol/genesis.ts";
import type { Receipt } from "../../protocol/receipt.ts";
import type { InvalidCode } from "../../protocol/rejections.ts";
import type { Transaction } from "../../protocol/transaction.ts";
import type { SigningDomain } from "../../protocol/typedData.ts";
import type { State } from "../../venue/engine/state/state.ts";
import type { EvictionCode, PoolCode } from "../../venue/simulation/pool/errors.ts";
import type { PendingPool } from "../../venue/simulation/pool/pendingPool.ts";
import type { BlockMode } from "./options.ts";
import type { VirtualTime } from "./virtualTime.ts";

/**
 * A running venue: it accepts transactions, makes blocks of them and stores both. The whole service reads here, and
 * reads without an await in between belong to one height.
 */
export interface VenueHost {
  readonly genesis: Genesis;
  readonly domain: SigningDomain;
  /** State at the head. */
  readonly state: State;
  readonly pool: PendingPool;
  /** Source of block times; a devnet moves it. */
  readonly time: VirtualTime;
  /** When blocks are made; may be set. */
  blockMode: BlockMode;
  /** Why the host accepts nothing more; undefined while it does. Its data can still be read. */
  readonly failure: string | undefined;
  /** Rises when the chain is replaced: by a revert, a load, a reset. */
  readonly epoch: number;
  /** The height from which blocks are kept; older ones were pruned. */
  readonly oldestHeight: number;

  block(height: number): BlockEntry | undefined;
  /**
   * The state at a height or below it, from which the kept blocks lead on; a copy for the caller. Undefined if no state
   * that old is kept. Cost: a state is read from disk, or copied.
   */
  past(height: number): State | undefined;
  /** State of a transaction, whether it waits, has committed, or never will. */
  transaction(id: Bytes32): TransactionEntry | undefined;

  /**
   * Submits a signed transaction with decoded fields. When the promise resolves to an acceptance, the transaction and
   * its key are on disk, and it enters a block at most once.
   *
   * @param found result of an earlier verification of its signature. Default: the host verifies it
   */
  submit(signed: Signed, key: string, found?: Verification): Promise<Submitted>;
  /**
   * Signs a system transaction with the key of the action's authority, under the next nonce of its lane, and submits it
   * as `submit` does. The host must hold the key (NET-3).
   *
   * @throws {HostError} AUTHORITY_MISSING without the key, or for an action that users sign
   */
  submitSystem<A extends ActionName>(action: A, payload: Payloads[A]): Promise<Submitted>;

  /**
   * Makes a block of the pending transactions, even an empty one, in any mode. Calls are carried out in their order.
   *
   * @throws {HostError} HOST_STOPPED
   */
  mine(options?: MineOptions): Promise<BlockEntry>;
  /** Stores the present state, so that a revert to this height is fast. Returns the height. */
  checkpoint(): number;
  /**
   * Reverts to a height: later blocks are discarded, and pending transactions are dropped. A transaction of the
   * discarded blocks may be submitted again, under the same key or another. `epoch` rises.
   *
   * @throws {HostError} HEIGHT_NOT_KEPT
   */
  revert(height: number): Promise<void>;
  /**
   * Replaces this venue with another one, for example from `readDump`; the host owns it from then on. The present chain
   * is discarded, pending transactions are dropped, and `epoch` rises above both.
   *
   * @throws {HostError} GENESIS_DIFFERS for a venue of another network: signatures are bound to the genesis
   */
  load(venue: { readonly state: State; readonly epoch: number }): Promise<void>;
  /** Drops a pending transaction: it ends as `dropped`. False if none has this id. */
  drop(id: Bytes32): Promise<boolean>;

  /**
   * Calls the listener for every block, in order, once the block is durable and before `waitFor` resolves for its
   * transactions. If the listener returns a promise, the next block waits for that.
   */
  onBlock(listener: (entry: BlockEntry) => unknown): () => void;
  /** Calls the listener with the number of transactions evicted from a full pool. */
  onEviction(listener: (count: number) => void): () => void;
  /** Calls the listener when `epoch` rises, with the reason. */
  onEpoch(listener: (reason: string) => void): () => void;
  /** Calls the listener when the host stops accepting transactions, with the reason. */
  onFailure(listener: (reason: string) => void): () => void;
  /**
   * Resolves with the transaction's state when it is no longer pending, or after `timeoutMs`; at once for an unknown
   * one.
   */
  waitFor(id: Bytes32, timeoutMs: number): Promise<TransactionEntry | undefined>;
  /** Accepts nothing more, finishes its pending work, and releases files and timers. */
  close(): Promise<void>;
}

export interface MineOptions {
  /** Time of the block. Default: the next of `time`. */
  readonly timeMs?: number;
}

/** A block as the host stores it. */
export interface BlockEntry {
  readonly height: number;
  readonly timeMs: number;
  /** Head of the effects chain after the block, and before it (DET-2). */
  readonly hash: Bytes32;
  readonly parentHash: Bytes32;
  /** At checkpoints; undefined elsewhere. */
  readonly stateRoot: Bytes32 | undefined;
  readonly ids: readonly Bytes32[];
  readonly transactions: readonly Transaction[];
  readonly signatures: readonly (Uint8Array | undefined)[];
  readonly receipts: readonly Receipt[];
  /** Its events as the engine wrote them; a receipt's `eventsFrom` and `eventsTo` are offsets in it. */
  readonly events: Float64Array;
  readonly texts: readonly string[];
}

export type TransactionEntry =
  | { readonly status: "pending"; readonly id: Bytes32; readonly signed: Signed; readonly sinceHeight: number }
  | {
      readonly status: "committed";
      readonly id: Bytes32;
      readonly block: BlockEntry;
      readonly index: number;
      readonly receipt: Receipt;
    }
  /** It was accepted, can no longer commit, and has not used its nonce. */
  | {
      readonly status: "expired" | "replaced" | "dropped";
      readonly id: Bytes32;
      readonly signed: Signed;
      readonly atHeight: number;
      readonly reason: InvalidCode | EvictionCode | undefined;
      readonly replacedBy: Bytes32 | undefined;
    };

export type Submitted =
  | { readonly accepted: true; readonly id: Bytes32; readonly replayed: boolean; readonly receivedAtMs: number }
  | { readonly accepted: false; readonly id: Bytes32; readonly refusal: Refusal };

/** Why a transaction was refused. */
export type Refusal =
  /** The key was used before with another transaction. */
  | { readonly kind: "keyReused"; readonly otherId: Bytes32 }
  | { readonly kind: "signature"; readonly reason: SignatureFault }
  | { readonly kind: "admission"; readonly code: InvalidCode }
  /** `pending` is the conflicting transaction; `waitingHelps` is true if new blocks alone may make room. */
  | { readonly kind: "pool"; readonly code: PoolCode; readonly pending?: Bytes32; readonly waitingHelps?: boolean }
  | { readonly kind: "unavailable"; readonly reason: string; readonly maybeSubmitted: boolean };
