import { applyBlock, type BlockResult } from "../engine/applyBlock.ts";
import type { State } from "../engine/state/state.ts";
import type { Observer, SealedBlock } from "./observer.ts";

/**
 * The loop of the programs here: a source makes a block, the venue applies it, observers read what came out.
 *
 *     source ──▶ apply(block) ──▶ observers
 *
 * A source that needs the venue's state (a strategy does) reads `state` between two blocks. Where the venue starts
 * again in the middle, in scenarios and searches, blocks are applied without it.
 */
export class Simulation {
  readonly state: State;
  readonly #observers: readonly Observer[];
  #blocks = 0;
  #transactions = 0;

  /** @param state a venue at genesis, or one restored from a snapshot to continue from */
  constructor(state: State, observers: readonly Observer[] = []) {
    this.state = state;
    this.#observers = observers;
    for (const observer of observers) observer.onStart?.(state);
  }

  /** Blocks applied by this loop. */
  get blocks(): number {
    return this.#blocks;
  }

  /** Transactions in those blocks, whatever became of them. */
  get transactions(): number {
    return this.#transactions;
  }

  /**
   * Applies a block and shows the result to every observer, in their order.
   *
   * @throws {EngineError} INVALID_BLOCK, before anything has changed
   */
  apply(block: SealedBlock): BlockResult {
    const result = applyBlock(this.state, block);
    this.#blocks++;
    this.#transactions += block.transactions.length;
    for (const observer of this.#observers) observer.onBlock?.(this.state, block, result);
    return result;
  }

  /**
   * Applies every block of a source. A source may read the state: it is asked for a block when the one before is done.
   */
  run(source: Iterable<SealedBlock>): void {
    for (const block of source) this.apply(block);
    this.end();
  }

  /** Notifies the observers that there are no more blocks. */
  end(): void {
    for (const observer of this.#observers) observer.onEnd?.(this.state);
  }
}
