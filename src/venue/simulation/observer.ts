import type { Block } from "../../protocol/transaction.ts";
import type { BlockResult } from "../engine/applyBlock.ts";
import type { State } from "../engine/state/state.ts";

/** A block with the signatures of its transactions, where a driver has them. */
export interface SealedBlock extends Block {
  /** By place in `transactions`, 65 bytes each; undefined for one that was not signed. */
  readonly signatures?: readonly (Uint8Array | undefined)[];
}

/**
 * Reads the results of blocks. An observer never changes the state, and its presence never changes a result. Its
 * arguments belong to the engine and are overwritten by the next block: copy values that must be kept.
 */
export interface Observer {
  /** Before the first block. `state.events` holds the events of genesis. */
  onStart?(state: State): void;
  onBlock?(state: State, block: SealedBlock, result: BlockResult): void;
  /** After the last block of a run that went well. */
  onEnd?(state: State): void;
}
