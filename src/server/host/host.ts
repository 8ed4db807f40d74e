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
 * A venue that runs: it takes transactions, makes blocks of them and keeps both. Everything that serves it reads here,
 * and what it reads without waiting in between belongs to one height.
 */
export interface VenueHost {
  readonly genesis: Genesis;
  readonly domain: SigningDomain;
  /** At the head. */
  readonly state: State;
  readonly pool: PendingPool;
  /** Of block times; a devnet moves it. */
  readonly time: VirtualTime;
  /** When blocks are made; may be set. */
  blockMode: BlockMode;
  /** Why it takes nothing any more; undefined while it does. What it holds can still be read. */
  readonly failure: string | undefined;
  /** Rises when the chain is another one than clients have seen: a revert, a load, a reset. */
  readonly epoch: number;
  /** The height from which blocks are kept; older ones were pruned. */
  readonly oldestHeight: number;

  block(height: number): BlockEntry | undefined;
  /**
   * The venue as it was at a height or below it, from which the blocks that are kept lead on; the caller's own. Undefined
   * where nothing so old is left. Cost: a state is read from disk, or copied.
   */
  past(height: number): State | undefined;
  /** What is known of a transaction, whether it waits, has committed, or never will. */
  transaction(id: Bytes32): TransactionEntry | undefined;

  /**
   * Takes a signed transaction whose fields are in order. When the promise resolves to something accepted, it is on disk
   * together with its key, and will be in a block once and no more.
   *
   * @param found what a look at its signature found, where somebody has looked. Default: the host looks
   */
  submit(signed: Signed, key: string, found?: Verification): Promise<Submitted>;
  /**
   * Signs a system transaction with the key of the authority that the action needs, under the next nonce of its lane, and
   * takes it as `submit` does. Only a host that was given the key can (NET-3).
   *
   * @throws {HostError} AUTHORITY_MISSING where it was not, or the action is a user's
   */
  submitSystem<A extends ActionName>(action: A, payload: Payloads[A]): Promise<Submitted>;

  /**
   * Makes a block of what is pending, be it empty, in any mode. Calls are carried out in their order.
   *
   * @throws {HostError} HOST_STOPPED
   */
  mine(options?: MineOptions): Promise<BlockEntry>;
  /** Keeps the present state at hand, so that a revert to this height is quick. Returns the height. */
  checkpoint(): number;
  /**
   * Goes back to a height: what came after it is forgotten, and what was pending is dropped. A transaction of the time
   * after it may come again, under the same key or another. `epoch` rises.
   *
   * @throws {HostError} HEIGHT_NOT_KEPT
   */
  revert(height: number): Promise<void>;
  /**
   * Puts another venue in the place of this one: `readDump` gives one, and the host owns it from then on. What was here is
   * forgotten, what was pending is dropped, `epoch` rises above both.
   *
   * @throws {HostError} GENESIS_DIFFERS for a venue of another network: signatures are bound to the genesis
   */
  load(venue: { readonly state: State; readonly epoch: number }): Promise<void>;
  /** Forgets a transaction that is pending: it ends as `dropped`. False where none of this id is. */
  drop(id: Bytes32): Promise<boolean>;

  /** Hears of every block, when it is durable, in order; before anyone who waits for its transactions. */
  onBlock(listener: (entry: BlockEntry) => void): () => void;
  /** Hears of transactions that gave way to others in a full pool, and ended. */
  onEviction(listener: (count: number) => void): () => void;
  /** Hears when `epoch` rises, and why. */
  onEpoch(listener: (reason: string) => void): () => void;
  /** Hears when the host stops taking anything, and why. */
  onFailure(listener: (reason: string) => void): () => void;
  /** Resolves when the transaction is no longer pending, or after the time; with what is known then. At once for an unknown one. */
  waitFor(id: Bytes32, timeoutMs: number): Promise<TransactionEntry | undefined>;
  /** Takes nothing more, finishes what is under way, and lets go of files and timers. */
  close(): Promise<void>;
}

export interface MineOptions {
  /** Time of the block. Default: the next of `time`. */
  readonly timeMs?: number;
}

/** A block as the host keeps it. */
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
  /** Its events as the engine wrote them; a receipt's `eventsFrom` and `eventsTo` are places here. */
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
  /** It was taken and can commit no more; its nonce was not used by it. */
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

/** Why a transaction was not taken. */
export type Refusal =
  /** The key came before with another transaction. */
  | { readonly kind: "keyReused"; readonly otherId: Bytes32 }
  | { readonly kind: "signature"; readonly reason: SignatureFault }
  | { readonly kind: "admission"; readonly code: InvalidCode }
  /** `pending` is the transaction that is in the way; `waitingHelps` whether new blocks alone may make room. */
  | { readonly kind: "pool"; readonly code: PoolCode; readonly pending?: Bytes32; readonly waitingHelps?: boolean }
  | { readonly kind: "unavailable"; readonly reason: string; readonly maybeSubmitted: boolean };
