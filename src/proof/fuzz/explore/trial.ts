import { isEngineError } from "../../../protocol/engineError.ts";
import type { Block } from "../../../protocol/transaction.ts";
import { applyBlock, type BlockResult } from "../../../venue/engine/applyBlock.ts";
import type { Probe } from "../../../venue/engine/probe.ts";
import { forkState } from "../../../venue/engine/state/forkState.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { Invariant } from "../../invariants/machinery/defineInvariant.ts";
import { StepWatch } from "../../invariants/machinery/watching/stepWatch.ts";
import type { Violation } from "../../invariants/machinery/watching/violation.ts";
import type { KeptModel } from "../../model/copyState.ts";
import { keepModel, LockStep } from "../differential/lockStep.ts";
import { joinProbes } from "../run/joinProbes.ts";
import { compareWithModel } from "../run/modelCheckers.ts";
import type { FuzzViolation } from "../run/violation.ts";
import type { Apply } from "../shrink/readScript.ts";
import { cutStack } from "./cutStack.ts";

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
  /** Checks the heavy invariants at a turn, before the next trial. */
  readonly checkHeavy: (turn: number) => FuzzViolation | undefined;
}

/** Turns of the checks of a block (`Step.turn`). They depend on its place in the exploration, not on earlier trials. */
export interface Turns {
  readonly light: number;
  /** Of the heavy invariants; they are not checked without one. */
  readonly heavy?: number | undefined;
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
   * @returns undefined if the block is not valid on this venue (NET-2)
   */
  try(point: Point, block: Block, turns: Turns): Tried | undefined {
    const { state: before, model } = point;
    const state = this.#fork(before);
    const both = model === undefined ? undefined : this.#openModel(state, model);
    this.#watch.start(before, point === this.#last, turns.light);
    this.#last = point;
    let result: BlockResult;
    try {
      result = this.#apply(state, block, both === undefined ? this.#watch.probe : this.#joined);
    } catch (error) {
      if (isEngineError(error, "INVALID_BLOCK")) return undefined;
      // A venue in which a block ended halfway is of no further use.
      this.#spare = undefined;
      const thrown = error instanceof Error ? (error.stack ?? error.message) : String(error);
      const observed = cutStack(thrown);
      const violation: FuzzViolation = { kind: "throw", invariant: "nothingThrows", height: block.height, observed };
      return { state, result: undefined as never, violation, model: both, checkHeavy: () => undefined };
    }
    const light = this.#watch.check(before, state, block, result, { heavy: false });
    const checkHeavy = (turn: number) => describe(this.#watch.checkHeavy(state, turn));
    const found = describe(
      turns.heavy === undefined || light.length > 0 ? light : this.#watch.checkHeavy(state, turns.heavy),
    );
    const differs = found === undefined && both !== undefined ? compareWithModel(both, state, block) : undefined;
    const violation =
      found ?? (differs === undefined ? undefined : { ...differs, observed: cutStack(differs.observed) });
    return { state, result, violation, model: both, checkHeavy };
  }

  /** Checks the heavy invariants after a block that a trial elsewhere tried without them. */
  checkHeavy({ state: before }: Point, block: Block, turn: number): FuzzViolation | undefined {
    const state = this.#fork(before);
    const result = this.#apply(state, block);
    return describe(this.#watch.checkHeavyAlone(before, state, block, result, turn));
  }

  /** Lets light or heavy invariants forget what they keep from block to block. */
  forget({ state }: Point, isHeavy: boolean): void {
    this.#watch.forget(state, isHeavy);
  }

  #fork(before: State): State {
    this.#spare = forkState(before, before.genesis, this.#spare);
    return this.#spare;
  }

  #openModel(state: State, model: KeptModel): LockStep {
    if (this.#both === undefined) {
      this.#both = new LockStep(state.genesis, "block", state, model);
      this.#joined = joinProbes(this.#watch.probe, this.#both.probe);
    } else this.#both.startAgain(state, model);
    return this.#both;
  }
}

function describe([first]: readonly Violation[]): FuzzViolation | undefined {
  return first === undefined ? undefined : { kind: "invariant", ...first, observed: cutStack(first.observed) };
}

/** The point after a block that was tried, as an independent copy. */
export function keepPoint({ state, model }: Pick<Tried, "state" | "model">): Point {
  return { state: forkState(state), model: model === undefined ? undefined : keepModel(model.model) };
}
