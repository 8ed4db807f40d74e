import type { Block } from "../../../protocol/transaction.ts";
import { applyBlock } from "../../../venue/engine/applyBlock.ts";
import { forkState, type State } from "../../../venue/engine/state/state.ts";

/** A venue as it was before its last block. */
export class Past {
  /** A fork from before the block, where one was kept. */
  before: State | undefined;
  /** The last such fork: its memory serves the next one, unless guests may have kept it. */
  #older: State | undefined;
  /** Blocks since it was made, where they are noted. */
  #since: Block[] = [];
  readonly #hasGuests: boolean;

  constructor(hasGuests: boolean) {
    this.#hasGuests = hasGuests;
  }

  /** Keeps a venue as it is before its next block, if that is needed. */
  keep(state: State, needed: boolean): void {
    // What an older fork caught up with stands a block behind.
    if (this.before !== undefined) this.#since = this.#since.slice(-1);
    const spare = this.#hasGuests ? undefined : this.#older;
    this.before = needed ? forkState(state, state.genesis, spare) : undefined;
    if (needed) this.#since = [];
    this.#older = this.before ?? this.#older;
  }

  /** Notes the last block, so that an older fork can catch up. */
  note(block: Block): void {
    this.#since.push(block);
  }

  /** The venue before its last block; where no fork was made of it, an older one takes the noted blocks in between. */
  find(state: State): State | undefined {
    this.before ??= this.#catchUp(state);
    return this.before;
  }

  #catchUp(state: State): State | undefined {
    if (this.#older === undefined || this.#older.height + this.#since.length !== state.height) return undefined;
    if (this.#hasGuests) this.#older = forkState(this.#older);
    for (const block of this.#since.slice(0, -1)) applyBlock(this.#older, block);
    return this.#older;
  }
}
