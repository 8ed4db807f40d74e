import type { Block } from "../../../../protocol/transaction.ts";
import type { BlockResult } from "../../../../venue/engine/applyBlock.ts";
import type { Probe } from "../../../../venue/engine/probe.ts";
import type { State } from "../../../../venue/engine/state/state.ts";
import { invariants } from "../../list.ts";
import { type Answer, createStep, type Invariant, type Step } from "../defineInvariant.ts";
import { Forks } from "../forks.ts";
import { Moments } from "./moments.ts";
import { describeThrown, type Violation, Violations } from "./violation.ts";
import { createWatched, isDueAfter, note, type Watched } from "./watched.ts";

/**
 * Checks single blocks of many venues. Unlike `Watch`, it can be set to any state before a block, and the caller keeps
 * the venue as it was before the block:
 *
 *     watch.start(before);
 *     const result = applyBlock(after, block, watch.probe);
 *     watch.check(before, after, block, result, { heavy: false });
 *
 * Memory of invariants starts from scratch with each block, as it does in a search that starts from a stored venue.
 * Memory that stays true without the blocks between (`lasting`) is kept for all venues.
 */
export class StepWatch {
  readonly probe: Probe;
  readonly #all: readonly Watched[];
  readonly #moments: Moments;
  readonly #light: readonly Watched[];
  readonly #heavy: readonly Watched[];
  readonly #violations: Violations = new Violations();
  readonly #forks = new Forks();
  /** The last block that was checked. */
  #step: Step | undefined;
  /**
   * Turns of the next block and of the next heavy sweep. The blocks of one depth have one height, so turns are counts.
   */
  #nextTurn = 0;
  #nextHeavyTurn = 0;
  #turn = 0;

  /** @param state any state of the venues to check */
  constructor(state: State, chosen: readonly Invariant[] = invariants) {
    this.#all = chosen.map((invariant) => createWatched(invariant, state));
    this.#moments = new Moments(this.#all, undefined, this.#violations, { thorough: false, testsAll: false }, state);
    const sweeps = this.#all.filter(({ invariant }) => invariant.sweep !== undefined);
    this.#light = sweeps.filter(({ invariant }) => invariant.heavy !== true);
    this.#heavy = sweeps.filter(({ invariant }) => invariant.heavy === true);
    this.probe = this.#moments.probe;
  }

  /** How often each invariant met its subject. An invariant that never did shows nothing. */
  get met(): ReadonlyMap<string, number> {
    return new Map(this.#all.map(({ invariant, met }) => [invariant.id, met]));
  }

  /**
   * Sets the watch to a venue before its next block.
   *
   * @param isSame true if the watch was set to this venue last, and the venue is as it was: the same result, faster
   * @param turn   of the light sweeps after the block. Default: one after the last
   */
  start(before: State, isSame = false, turn: number = this.#nextTurn): void {
    this.#violations.take();
    this.#turn = turn;
    this.#nextTurn = turn + 1;
    this.#moments.startFrom(before, isSame, turn);
  }

  /** Lets light or heavy invariants forget what they keep from block to block (`lasting`). */
  forget(before: State, isHeavy: boolean): void {
    for (const watched of isHeavy ? this.#heavy : this.#light)
      if (watched.invariant.lasting === true) watched.memory = watched.invariant.start!(before) as never;
  }

  /**
   * Returns the violations within the block and after it.
   *
   * @param before the venue before the block, unchanged since
   * @param heavy  also sweep heavy invariants
   */
  check(before: State, after: State, block: Block, result: BlockResult, { heavy = true } = {}): Violation[] {
    this.#moments.unwrittenFields.note(after.events);
    this.#step = createStep(before, block, result, this.#forks);
    this.#step.turn = this.#turn;
    this.#sweep(this.#light, after, this.#step);
    return heavy ? this.checkHeavy(after) : this.#violations.take();
  }

  /**
   * Returns the violations of heavy invariants, after a check of the same block without them.
   *
   * @param turn of the sweeps. Default: one after the last
   */
  checkHeavy(after: State, turn: number = this.#nextHeavyTurn): Violation[] {
    this.#step!.turn = turn;
    this.#nextHeavyTurn = turn + 1;
    this.#sweep(this.#heavy, after, this.#step!);
    return this.#violations.take();
  }

  /**
   * Returns the violations of heavy invariants after a block that was checked without them elsewhere. The block needs
   * no probe.
   */
  checkHeavyAlone(before: State, after: State, block: Block, result: BlockResult, turn: number): Violation[] {
    this.#violations.take();
    this.#step = createStep(before, block, result, this.#forks);
    return this.checkHeavy(after, turn);
  }

  #sweep(due: readonly Watched[], after: State, step: Step): void {
    const { before, block } = step;
    for (const watched of due) {
      if (!isDueAfter(watched, step.kinds)) continue;
      const { invariant, isFromUser } = watched;
      if (watched.restarts) watched.memory = watched.start!(before, watched.memory) as never;
      const memory = this.#moments.memoryOf(watched);
      watched.swept = block.height;
      step.met = 0;
      let answer: Answer;
      try {
        answer = watched.sweep!(after, step, memory);
        this.#forks.release();
      } catch (error) {
        this.#forks.drop();
        answer = describeThrown(error, isFromUser);
      }
      note(watched, step, block.height);
      if (answer !== undefined) this.#violations.add(invariant, block.height, answer, undefined, step.turn);
    }
  }
}
