import type { Block } from "../../../protocol/transaction.ts";
import { countSystem, STEPS_BEFORE_USERS } from "../../model/applyBlock.ts";
import { copyState, type KeptModel } from "../../model/copyState.ts";
import type { ModelState } from "../../model/state.ts";

/** A model after the steps of a block before the users' transactions. */
export interface Beginning {
  readonly timeMs: number;
  readonly state: KeptModel;
  /** Number of the block's events after each of the steps. */
  readonly emitted: readonly number[];
}

/**
 * Beginnings of the blocks that are tried from one state. Without system transactions the steps before the users'
 * transactions read the state and the block's time, and nothing else: the model runs them once for each time.
 */
export class Beginnings {
  #from: KeptModel | undefined;
  #known: Beginning[] = [];
  /** Events after each step so far, while the model runs the steps of a block; undefined for a block of no use. */
  #steps: number[] | undefined;

  /** The beginning of a block from a state; undefined if the model has to run it. */
  open(from: KeptModel, block: Block): Beginning | undefined {
    if (from !== this.#from) {
      this.#from = from;
      this.#known = [];
    }
    this.#steps = undefined;
    if (countSystem(block) > 0) return undefined;
    const known = this.#known.find(({ timeMs }) => timeMs === block.timeMs);
    if (known === undefined) this.#steps = [];
    return known;
  }

  /** Notes a step that the model ran. After the last one, a copy of its state is the beginning of further blocks. */
  note(model: ModelState): void {
    if (this.#steps === undefined) return;
    this.#steps.push(model.emitted.length);
    if (this.#steps.length < STEPS_BEFORE_USERS) return;
    const { tools: _tools, ...state } = model;
    this.#known.push({ timeMs: state.timeMs, state: copyState(state), emitted: this.#steps });
    this.#steps = undefined;
  }
}
