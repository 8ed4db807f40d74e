import type { Signed } from "../../protocol/codec.ts";
import type { Address, Bytes32 } from "../../protocol/fields.ts";
import type { InvalidCode } from "../../protocol/rejections.ts";
import type { State } from "../../venue/engine/state/state.ts";
import type { SealedBlock } from "../../venue/simulation/observer.ts";
import type { EvictionCode } from "../../venue/simulation/pool/errors.ts";
import type { BlockEntry } from "./host.ts";

/** An accepted transaction, with its key. */
export interface Taken {
  readonly id: Bytes32;
  /** With its verdict. */
  readonly signed: Signed;
  readonly key: string;
  readonly receivedAtMs: number;
  /** Height of the venue when it was accepted. */
  readonly sinceHeight: number;
}

/** Use of a key. */
export interface KeyUse {
  readonly id: Bytes32;
  readonly receivedAtMs: number;
  /** Last height of the transaction: the key outlives it. */
  readonly validUntil: number;
  /** Permanent reason of its refusal; undefined if it was accepted. */
  readonly code: InvalidCode | undefined;
}

/** How an accepted transaction ended without a commit. */
export interface Ending {
  readonly id: Bytes32;
  readonly status: "expired" | "replaced" | "dropped";
  readonly atHeight: number;
  readonly reason: InvalidCode | EvictionCode | undefined;
  readonly replacedBy: Bytes32 | undefined;
}

/** Location of an accepted transaction. */
export type Found = { readonly receivedAtMs: number } & (
  | { readonly status: "pending" }
  | { readonly status: "committed"; readonly height: number; readonly index: number }
  | {
      readonly status: "ended";
      readonly ending: Ending;
      readonly signed: Signed;
      /** A revert removed it, so it may be submitted again. */
      readonly reverted: boolean;
    }
);

/**
 * The host's storage: transactions with their keys, blocks, endings. Writes are buffered; `commit` makes all of them
 * durable.
 */
export interface Ledger {
  /** Lowest height whose block is kept. */
  readonly oldestHeight: number;
  take(taken: Taken): void;
  /** Binds a key to a transaction that was permanently refused, or accepted under another key. */
  bind(signer: Address, key: string, use: KeyUse): void;
  /** A block is to be applied: its transactions, by id. */
  decide(block: SealedBlock, ids: readonly Bytes32[]): void;
  /** A block was applied. Its transactions are committed unless their receipts are `invalid`. */
  record(entry: BlockEntry): void;
  end(ending: Ending): void;
  /**
   * Hands all writes so far to the operating system, so that they outlive the process; `commit` makes them durable. The
   * promise waits for writes that are made in slices; undefined if there are none.
   */
  write(): Promise<void> | undefined;
  /** Discards the blocks above a height with their transactions, and drops the pending ones. */
  branch(height: number, epoch: number): void;
  /** Discards everything: another venue replaces this one, under a new epoch. */
  load(venue: { readonly state: State; readonly epoch: number }): void;
  /**
   * Makes all writes so far durable; undefined if they already are. After a failure the ledger accepts nothing more.
   */
  commit(): Promise<void> | undefined;

  keyUse(signer: Address, key: string): KeyUse | undefined;
  find(id: Bytes32): Found | undefined;
  block(height: number): BlockEntry | undefined;
  /** The state at a kept height at or below this one, if any; a copy for the caller. */
  stateBelow(height: number): State | undefined;
  close(): Promise<void>;
}
