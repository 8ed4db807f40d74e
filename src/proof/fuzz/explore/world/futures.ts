import { applyBlock, type BlockResult } from "../../../../venue/engine/applyBlock.ts";
import { forkState } from "../../../../venue/engine/state/forkState.ts";
import type { State } from "../../../../venue/engine/state/state.ts";
import type { Apply } from "../../shrink/readScript.ts";
import type { LetterBlocks } from "./letterBlocks.ts";
import type { Letters, Place } from "./path.ts";
import { Path } from "./path.ts";
import type { StartKeys } from "./startKeys.ts";
import type { Unequal } from "./startReport.ts";
import type { Start } from "./worlds.ts";

/** How the futures of two states differ, and after which block. */
export type OtherFuture = Pick<Unequal, "after" | "difference">;

interface FutureOutcome {
  readonly codes: string;
  readonly key: string;
  /** Message of the error with which the block ended. */
  readonly thrown?: string;
}

/** Compares the futures of states with one key: every block of the alphabet is tried on both. */
export class Futures {
  readonly #start: Start;
  readonly #blocks: LetterBlocks;
  readonly #keys: StartKeys;
  readonly #apply: Apply;
  /** Lead to the first and to the second state, without the model. */
  readonly #paths: readonly [Path, Path];
  #spare: State | undefined;

  constructor(start: Start, blocks: LetterBlocks, keys: StartKeys, apply: Apply = applyBlock) {
    this.#start = start;
    this.#blocks = blocks;
    this.#keys = keys;
    this.#apply = apply;
    const create = () => new Path(start, blocks, { apply, withModel: false });
    this.#paths = [create(), create()];
  }

  /** Undefined if every block has the same outcomes and leads to the same key. A venue that throws is a difference. */
  compare(first: Letters, second: Letters): OtherFuture | undefined {
    const [one, other] = [this.#paths[0].reach(first), this.#paths[1].reach(second)];
    const { exchanged, letters } = this.#start.alphabet;
    const exchangeOf = ({ point, labels }: Place) => this.#keys.keyOf(point.state, labels).exchange;
    const [by, byOther] = [exchangeOf(one), exchangeOf(other)];
    for (const [letter, { name: after }] of letters.entries()) {
      const twin = exchanged[byOther]!.indexOf(exchanged[by]![letter]!);
      const [ours, theirs] = [this.#outcomeOf(one, letter), this.#outcomeOf(other, twin)];
      const thrown = ours.thrown ?? theirs.thrown;
      if (thrown !== undefined) return { after, difference: `the venue throws: ${thrown.split("\n")[0]}` };
      if (ours.codes !== theirs.codes) return { after, difference: `outcomes ${ours.codes} and ${theirs.codes}` };
      if (ours.key !== theirs.key) return { after, difference: "the states after it differ" };
    }
    return undefined;
  }

  #outcomeOf({ point: { state }, labels }: Place, letter: number): FutureOutcome {
    const block = this.#blocks.build(state, labels, letter);
    if (block === undefined) return { codes: "none", key: "" };
    const after = forkState(state, state.genesis, this.#spare);
    this.#spare = undefined;
    let result: BlockResult;
    try {
      result = this.#apply(after, block);
    } catch (error) {
      return { codes: "", key: "", thrown: error instanceof Error ? error.message : String(error) };
    }
    this.#spare = after;
    const codes = block.transactions.map((_, index) => result.receipts.codes[index]).join(" ");
    const applied = { block, result, state: after, consumed: state.consumed };
    return { codes, key: this.#keys.keyOf(after, this.#blocks.label(labels, letter, applied)).key };
  }
}
