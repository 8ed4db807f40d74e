import type { BlockResult } from "../../engine/applyBlock.ts";
import { forkState, type State } from "../../engine/state/state.ts";
import { createStep, type Invariant, type Step } from "../../invariants/defineInvariant.ts";
import { invariants, transactionInvariants } from "../../invariants/list.ts";
import { Watch } from "../../invariants/watch.ts";
import type { Block } from "../../protocol/transaction.ts";
import type { Failure } from "./signature.ts";

/** Looks at a venue behind every block. */
export interface Eye {
  look(state: State, block: Block, result: BlockResult): readonly Failure[];
}

/** Opens eyes on venues before their next block. */
export interface EyeMaker {
  open(state: State): Eye;
  /** Whether an eye sees the same when it is opened in the middle of a chain. */
  readonly resumes: boolean;
}

/** Eyes that look for one invariant only, and are the faster for it; for none where there is no invariant of the name. */
export function eyesFor(invariant: string): EyeMaker {
  const block = invariants.find(({ id }) => id === invariant);
  if (block !== undefined) return new BlockEyes(block);
  const transaction = transactionInvariants.filter(({ id }) => id === invariant);
  return {
    resumes: true,
    open(state) {
      if (transaction.length === 0) return { look: () => [] };
      const watch = new Watch(state, { block: [], transaction });
      return { look: (after, applied, result) => watch.check(after, applied, result) };
    },
  };
}

/** Keeps no copy of the venue before a block, unless the invariant turns out to read it. */
class BlockEyes implements EyeMaker {
  readonly #invariant: Invariant;
  #needsBefore = false;

  constructor(invariant: Invariant) {
    this.#invariant = invariant;
  }

  get resumes(): boolean {
    return this.#invariant.start === undefined;
  }

  open(state: State): Eye {
    const memory = this.#invariant.start?.(state) as never;
    let before = this.#needsBefore ? forkState(state) : undefined;
    return {
      look: (after, block, result) => {
        const observed = this.#check(after, new LazyStep(before, block, result), memory);
        if (this.#needsBefore) before = forkState(after);
        if (observed === undefined) return [];
        return [{ invariant: this.#invariant.id, height: block.height, observed }];
      },
    };
  }

  #check(state: State, step: LazyStep, memory: never): string | undefined {
    try {
      return this.#invariant.check(state, step, memory);
    } catch (error) {
      if (error instanceof NeedsBefore && !this.#needsBefore) {
        this.#needsBefore = true;
        throw error;
      }
      return `the check failed: ${(error as Error).stack ?? String(error)}`;
    }
  }
}

/** An invariant reads the venue before the block, which was not kept: the run has to start again. */
export class NeedsBefore extends Error {
  override readonly name = "NeedsBefore";
}

/** A step that decodes events only when they are asked for. */
class LazyStep implements Step {
  readonly block: Block;
  readonly result: BlockResult;
  readonly #before: State | undefined;
  #whole: Step | undefined;

  constructor(before: State | undefined, block: Block, result: BlockResult) {
    this.#before = before;
    this.block = block;
    this.result = result;
  }

  get before(): State {
    if (this.#before === undefined) throw new NeedsBefore();
    return this.#before;
  }

  get events(): Step["events"] {
    return this.#read().events;
  }

  get places(): Step["places"] {
    return this.#read().places;
  }

  #read(): Step {
    this.#whole ??= createStep(this.#before!, this.block, this.result);
    return this.#whole;
  }
}
