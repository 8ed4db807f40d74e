import type { Block } from "../../protocol/transaction.ts";
import type { State } from "./state/state.ts";

/** Steps of a block that are no transactions, in their order (BLK). */
export const BLOCK_STEPS = [
  "opened",
  "pricesMoved",
  "fundingAccrued",
  "expired",
  "riskPassed",
  "triggersFired",
] as const;
export type BlockStep = (typeof BLOCK_STEPS)[number];

/**
 * Reads a venue while a block is applied: after every transaction, system ones included, and after every step. It never
 * changes anything. Events and receipts so far are in the state.
 */
export interface Probe {
  /**
   * A valid block begins.
   *
   * @param from index in the venue's event data at which its events begin
   */
  beforeBlock?(state: State, block: Block, from: number): void;
  /** @param index place in the block; its receipt is the last one */
  afterTransaction(state: State, index: number): void;
  afterStep?(state: State, step: BlockStep): void;
}
