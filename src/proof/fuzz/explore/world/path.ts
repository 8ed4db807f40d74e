import type { Block } from "../../../../protocol/transaction.ts";
import { applyBlock } from "../../../../venue/engine/applyBlock.ts";
import { forkState } from "../../../../venue/engine/state/forkState.ts";
import type { State } from "../../../../venue/engine/state/state.ts";
import { LockStep } from "../../differential/lockStep.ts";
import type { Apply } from "../../shrink/readScript.ts";
import type { Point } from "../trial.ts";
import type { Labels, LetterBlocks } from "./letterBlocks.ts";
import type { Start } from "./worlds.ts";

/** Places of the blocks of a sequence in the alphabet. */
export type Letters = readonly number[];

/** A venue after the blocks of a sequence. The caller may fork venue and model, and changes neither. */
export interface Place {
  readonly point: Point;
  readonly labels: Labels;
}

interface PathStep extends Place {
  readonly letter: number;
  readonly block: Block;
}

export interface PathOptions {
  readonly apply?: Apply | undefined;
  /** The model follows the blocks, if the start has one. Default: true. */
  readonly withModel?: boolean;
}

/**
 * Leads to states by their sequences. The states along the last sequence are kept, so a sequence that has all blocks
 * but the last in common with the one before costs one block. Memory: one venue and one model a block of a sequence.
 */
export class Path {
  readonly #blocks: LetterBlocks;
  readonly #apply: Apply;
  readonly #start: Place;
  readonly #steps: PathStep[] = [];

  constructor(
    { point, labels }: Pick<Start, "point" | "labels">,
    blocks: LetterBlocks,
    { apply = applyBlock, withModel = true }: PathOptions = {},
  ) {
    this.#blocks = blocks;
    this.#apply = apply;
    this.#start = { point: withModel ? point : { state: point.state, model: undefined }, labels };
  }

  /** The venue after the blocks of a sequence: the same object as long as it is on the last sequence. */
  reach(letters: Letters): Place {
    let common = 0;
    while (common < letters.length && this.#steps[common]?.letter === letters[common]) common++;
    const spares = this.#steps.splice(common);
    for (const letter of letters.slice(common)) this.#steps.push(this.#follow(letter, spares.pop()?.point.state));
    return this.#steps.at(-1) ?? this.#start;
  }

  /** The blocks of a sequence. The last one is built, and not applied. */
  listBlocks(letters: Letters): Block[] {
    const last = letters.at(-1);
    if (last === undefined) return [];
    const place = this.reach(letters.slice(0, -1));
    return [...this.#steps.map(({ block }) => block), this.#build(place, last)];
  }

  #build({ point, labels }: Place, letter: number): Block {
    const block = this.#blocks.build(point.state, labels, letter);
    if (block === undefined) throw new Error(`block ${letter} of the alphabet cannot follow its sequence`);
    return block;
  }

  /** The block was compared when it was tried; here the model only has to follow. */
  #follow(letter: number, spare: State | undefined): PathStep {
    const place = this.#steps.at(-1) ?? this.#start;
    const { state: before, model } = place.point;
    const block = this.#build(place, letter);
    const state = forkState(before, before.genesis, spare);
    const both = model === undefined ? undefined : new LockStep(before.genesis, "block", state, model);
    const result = this.#apply(state, block, both?.probe);
    both?.finish();
    const labels = this.#blocks.label(place.labels, letter, { block, result, state, consumed: before.consumed });
    return { letter, block, point: { state, model: both?.model.state }, labels };
  }
}
