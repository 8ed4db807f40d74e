import type { Signed } from "../../protocol/codec.ts";
import type { Address, Bytes32 } from "../../protocol/fields.ts";
import type { InvalidCode } from "../../protocol/rejections.ts";
import type { State } from "../../venue/engine/state/state.ts";
import type { SealedBlock } from "../../venue/simulation/observer.ts";
import type { EvictionCode } from "../../venue/simulation/pool/errors.ts";
import type { BlockEntry } from "./host.ts";

/** A transaction that was taken, with the key that it came under. */
export interface Taken {
  readonly id: Bytes32;
  /** With its verdict. */
  readonly signed: Signed;
  readonly key: string;
  readonly receivedAtMs: number;
  /** Height of the venue when it was taken. */
  readonly sinceHeight: number;
}

/** What a key stands for. */
export interface KeyUse {
  readonly id: Bytes32;
  readonly receivedAtMs: number;
  /** Last height of the transaction: the key outlives it. */
  readonly validUntil: number;
  /** Why the transaction was refused for good; undefined where it was taken. */
  readonly code: InvalidCode | undefined;
}

/** How a transaction that was taken ended without committing. */
export interface Ending {
  readonly id: Bytes32;
  readonly status: "expired" | "replaced" | "dropped";
  readonly atHeight: number;
  readonly reason: InvalidCode | EvictionCode | undefined;
  readonly replacedBy: Bytes32 | undefined;
}

/** Where a transaction is that was taken. */
export type Found = { readonly receivedAtMs: number } & (
  | { readonly status: "pending" }
  | { readonly status: "committed"; readonly height: number; readonly index: number }
  | {
      readonly status: "ended";
      readonly ending: Ending;
      readonly signed: Signed;
      /** A revert took it away, so that it may come again. */
      readonly reverted: boolean;
    }
);

/**
 * What a host keeps: transactions with their keys, blocks, endings. Writes are gathered; `commit` makes all of them last.
 */
export interface Ledger {
  /** Lowest height whose block is kept. */
  readonly oldestHeight: number;
  take(taken: Taken): void;
  /** Binds a key to a transaction that was refused for good, or taken under another key. */
  bind(signer: Address, key: string, use: KeyUse): void;
  /** A block is to be applied: its transactions, by id. */
  decide(block: SealedBlock, ids: readonly Bytes32[]): void;
  /** A block was applied. Its transactions are committed where their receipts do not say `invalid`. */
  record(entry: BlockEntry): void;
  end(ending: Ending): void;
  /** Forgets the blocks above a height with what was in them, and drops what is pending. */
  branch(height: number, epoch: number): void;
  /** Forgets everything: another venue takes the place of this one, under a new epoch. */
  load(venue: { readonly state: State; readonly epoch: number }): void;
  /** Makes everything so far last; undefined where it does already. After it has failed, the ledger takes nothing more. */
  commit(): Promise<void> | undefined;

  keyUse(signer: Address, key: string): KeyUse | undefined;
  find(id: Bytes32): Found | undefined;
  block(height: number): BlockEntry | undefined;
  /** The venue at a kept height at or below this one, if there is one; the caller's own. */
  stateBelow(height: number): State | undefined;
  close(): Promise<void>;
}
