import type { Block } from "../../../protocol/transaction.ts";
import type { BlockResult } from "../../../venue/engine/applyBlock.ts";
import type { Probe } from "../../../venue/engine/probe.ts";
import { forkState } from "../../../venue/engine/state/forkState.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { type Answer, createStep, type Invariant, type Step } from "../../invariants/machinery/defineInvariant.ts";
import { describeThrown, Violations } from "../../invariants/machinery/watching/violation.ts";
import { Watch } from "../../invariants/machinery/watching/watch.ts";
import type { Failure } from "./signature.ts";

/** Checks a venue while and after each block is applied. */
export interface Checker<Memory = unknown> {
  readonly probe: Probe | undefined;
  check(state: State, block: Block, result: BlockResult): readonly Failure[];
  /** Copies the state that it keeps between two blocks. */
  keep?(): Memory;
}

/** Attaches checkers to a venue before its next block. */
export interface CheckerFactory<Memory = unknown> {
  /** @param kept memory of another checker at this block */
  open(state: State, kept?: Memory): Checker<Memory>;
  /** True if the checker keeps no history and may be attached mid-chain. */
  readonly forgets: boolean;
}

/** Checkers that report exceptions and nothing else. */
const THROWS: CheckerFactory = { forgets: true, open: () => ({ probe: undefined, check: () => [] }) };

/**
 * Checkers for one invariant, the fastest first: the sweep after each block; then events and touched rows; then both.
 *
 * @param turn turn of every sweep; by default the height of its block
 */
export function checkersFor(invariant: Invariant | undefined, turn?: number): readonly CheckerFactory[] {
  if (invariant === undefined || invariant.when === "sequence") return [THROWS];
  const { sweep, touched, event } = invariant;
  const hasMoments = touched !== undefined || event !== undefined;
  return [
    ...(sweep === undefined ? [] : [new SweepingCheckers(invariant, turn)]),
    ...(hasMoments ? [watchingCheckers(invariant, 0)] : []),
    ...(sweep !== undefined && hasMoments ? [watchingCheckers(invariant, 1)] : []),
  ];
}

/** @param every blocks from one sweep to the next; 0 for none */
function watchingCheckers(invariant: Invariant, every: number): CheckerFactory {
  return {
    forgets: invariant.start === undefined,
    open(state) {
      const watch = new Watch(state, { invariants: [invariant], sweepEvery: every, heavyEvery: every });
      return {
        probe: watch.probe,
        check: (after, block, result) => watch.check(after, block, result),
      };
    },
  };
}

/** Number of parameters of a sweep that reads the venue and a step, but no memory between steps. */
const TAKES_NO_MEMORY = 2;

/** Keeps a copy of the venue before a block only if the invariant reads it. */
class SweepingCheckers implements CheckerFactory {
  readonly #invariant: Invariant;
  readonly #turn: number | undefined;
  #needsBefore = false;

  constructor(invariant: Invariant, turn: number | undefined) {
    this.#invariant = invariant;
    this.#turn = turn;
  }

  get forgets(): boolean {
    const { start, sweep } = this.#invariant;
    return start === undefined || (sweep !== undefined && sweep.length <= TAKES_NO_MEMORY);
  }

  open(state: State): Checker {
    const { start } = this.#invariant;
    const memory = start?.(state) as never;
    const violations = new Violations();
    let before = this.#needsBefore ? forkState(state) : undefined;
    return {
      probe: undefined,
      check: (after, block, result) => {
        const answer = this.#sweep(after, new LazyStep(before, block, result, this.#turn), memory);
        if (this.#needsBefore) before = forkState(after);
        if (answer !== undefined) violations.add(this.#invariant, block.height, answer);
        return violations.take();
      },
    };
  }

  #sweep(state: State, step: LazyStep, memory: never): Answer {
    try {
      return this.#invariant.sweep?.(state, step, memory);
    } catch (error) {
      if (error instanceof NeedsBefore && !this.#needsBefore) {
        this.#needsBefore = true;
        throw error;
      }
      return describeThrown(error, false);
    }
  }
}

/** An invariant read the venue before the block, which was not kept: the run must restart. */
export class NeedsBefore extends Error {
  override readonly name = "NeedsBefore";
}

/** A step that decodes events on demand. */
class LazyStep implements Step {
  readonly block: Block;
  readonly result: BlockResult;
  readonly turn: number;
  met = 0;
  least: number = Number.POSITIVE_INFINITY;
  readonly #before: State | undefined;
  #whole: Step | undefined;

  constructor(before: State | undefined, block: Block, result: BlockResult, turn = block.height) {
    this.turn = turn;
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

  get kinds(): Step["kinds"] {
    return this.#read().kinds;
  }

  fork(state: State): State {
    return forkState(state);
  }

  #read(): Step {
    this.#whole ??= createStep(this.#before as State, this.block, this.result);
    return this.#whole;
  }
}
