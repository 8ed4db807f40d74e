import type { Block } from "../../../../protocol/transaction.ts";
import { applyBlock } from "../../../../venue/engine/applyBlock.ts";
import { forkState } from "../../../../venue/engine/state/forkState.ts";
import type { State } from "../../../../venue/engine/state/state.ts";

/** A venue as it was before its last block. */
export class Past {
  /** A fork from before the block, if one was kept. */
  before: State | undefined;
  /** The last such fork. The next one reuses its memory, unless an invariant of the user may have kept it. */
  #older: State | undefined;
  /** Blocks since that fork, if they are noted. */
  #since: Block[] = [];
  readonly #hasUserInvariants: boolean;

  constructor(hasUserInvariants: boolean) {
    this.#hasUserInvariants = hasUserInvariants;
  }

  /** Keeps a fork of a venue before its next block, if needed. */
  keep(state: State, needed: boolean): void {
    // An older fork that caught up is one block older than the venue.
    if (this.before !== undefined) this.#since = this.#since.slice(-1);
    const spare = this.#hasUserInvariants ? undefined : this.#older;
    this.before = needed ? forkState(state, state.genesis, spare) : undefined;
    if (needed) this.#since = [];
    this.#older = this.before ?? this.#older;
  }

  /** Notes the last block for an older fork to catch up. */
  note(block: Block): void {
    this.#since.push(block);
  }

  /** The venue before its last block. Without a fork of it, an older fork applies the noted blocks in between. */
  find(state: State): State | undefined {
    this.before ??= this.#catchUp(state);
    return this.before;
  }

  #catchUp(state: State): State | undefined {
    if (this.#older === undefined || this.#older.height + this.#since.length !== state.height) return undefined;
    if (this.#hasUserInvariants) this.#older = forkState(this.#older);
    for (const block of this.#since.slice(0, -1)) applyBlock(this.#older, block);
    return this.#older;
  }
}
