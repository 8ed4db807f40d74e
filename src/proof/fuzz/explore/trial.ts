import { isEngineError } from "../../../protocol/engineError.ts";
import type { Block } from "../../../protocol/transaction.ts";
import { applyBlock, type BlockResult } from "../../../venue/engine/applyBlock.ts";
import type { Probe } from "../../../venue/engine/probe.ts";
import { forkState } from "../../../venue/engine/state/forkState.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { Invariant } from "../../invariants/machinery/defineInvariant.ts";
import { StepWatch } from "../../invariants/machinery/watching/stepWatch.ts";
import { type KeptModel, keepModel, LockStep } from "../differential/lockStep.ts";
import { joinProbes } from "../run/joinProbes.ts";
import { compareWithModel } from "../run/modelCheckers.ts";
import type { FuzzViolation } from "../run/violation.ts";
import type { Apply } from "../shrink/readScript.ts";

export interface TrialOptions {
  readonly invariants: readonly Invariant[];
  /** Applies a block, for example on a venue with a planted fault. Default: `applyBlock`. */
  readonly apply?: Apply | undefined;
}

/**
 * A venue between two blocks, with the model's state if the model runs in lock step. A trial knows a point by its
 * object: what it read of the venue holds for the next block that is tried there.
 */
export interface Point {
  /** Forked by trials, never changed. */
  readonly state: State;
  readonly model: KeptModel | undefined;
}

/** A block that was tried. */
export interface Tried {
  /** The venue after the block. A later trial may reuse its memory; keep a fork. */
  readonly state: State;
  readonly result: BlockResult;
  /** The first violation within the block or after it. */
  readonly violation: FuzzViolation | undefined;
  /** The model after the block. A later trial reuses it, too. */
  readonly model: LockStep | undefined;
  /** Checks the heavy invariants, before the next trial. */
  readonly checkHeavy: () => FuzzViolation | undefined;
}

/** Tries single blocks on forks of any venue of one chain, with every invariant and, where it is given, the model. */
export class Trial {
  readonly #watch: StepWatch;
  readonly #apply: Apply;
  #spare: State | undefined;
  /** Runs the model of one trial after another. */
  #both: LockStep | undefined;
  #joined: Probe | undefined;
  /** The point that was tried last. */
  #last: Point | undefined;

  constructor(state: State, { invariants, apply = applyBlock }: TrialOptions) {
    this.#watch = new StepWatch(state, invariants);
    this.#apply = apply;
  }

  /** How often each invariant met its subject. */
  get met(): ReadonlyMap<string, number> {
    return this.#watch.met;
  }

  /**
   * Applies a block to a fork.
   *
   * @param heavy also check heavy invariants after the block
   * @returns undefined if the block is not valid on this venue (NET-2)
   */
  try(point: Point, block: Block, heavy: boolean): Tried | undefined {
    const { state: before, model } = point;
    const state = forkState(before, before.genesis, this.#spare);
    this.#spare = state;
    const both = model === undefined ? undefined : this.#openModel(state, model);
    this.#watch.start(before, point === this.#last);
    this.#last = point;
    let result: BlockResult;
    try {
      result = this.#apply(state, block, both === undefined ? this.#watch.probe : this.#joined);
    } catch (error) {
      if (isEngineError(error, "INVALID_BLOCK")) return undefined;
      // A venue in which a block ended halfway is of no further use.
      this.#spare = undefined;
      const observed = error instanceof Error ? (error.stack ?? error.message) : String(error);
      const violation: FuzzViolation = { kind: "throw", invariant: "nothingThrows", height: block.height, observed };
      return { state, result: undefined as never, violation, model: both, checkHeavy: () => undefined };
    }
    const [found] = this.#watch.check(before, state, block, result, { heavy });
    const violation: FuzzViolation | undefined =
      found !== undefined
        ? { kind: "invariant", ...found }
        : both === undefined
          ? undefined
          : compareWithModel(both, state, block);
    const checkHeavy = (): FuzzViolation | undefined => {
      const [first] = this.#watch.checkHeavy(state);
      return first === undefined ? undefined : { kind: "invariant", ...first };
    };
    return { state, result, violation, model: both, checkHeavy };
  }

  #openModel(state: State, model: KeptModel): LockStep {
    if (this.#both === undefined) {
      this.#both = new LockStep(state.genesis, "block", state, model);
      this.#joined = joinProbes(this.#watch.probe, this.#both.probe);
    } else this.#both.startAgain(state, model);
    return this.#both;
  }
}

/** The point after a block that was tried, as an independent copy. */
export function keepPoint({ state, model }: Pick<Tried, "state" | "model">): Point {
  return { state: forkState(state), model: model === undefined ? undefined : keepModel(model.model) };
}
