import type { Block } from "../../../protocol/transaction.ts";
import type { BlockResult } from "../../../venue/engine/applyBlock.ts";
import type { Probe } from "../../../venue/engine/probe.ts";
import { forkState, type State } from "../../../venue/engine/state/state.ts";
import { type Answer, createStep, type Invariant, type Step } from "../../invariants/defineInvariant.ts";
import { Watch } from "../../invariants/watch.ts";
import { describeThrown, Violations } from "../../invariants/watching/violation.ts";
import type { Failure } from "./signature.ts";

/** Looks at a venue while and after each block is applied. */
export interface Checker<Memory = unknown> {
  readonly probe: Probe | undefined;
  check(state: State, block: Block, result: BlockResult): readonly Failure[];
  /** A copy of what it remembers between two blocks. */
  keep?(): Memory;
}

/** Opens eyes on venues before their next block. */
export interface CheckerFactory<Memory = unknown> {
  /** @param kept what another eye remembered at that place */
  open(state: State, kept?: Memory): Checker<Memory>;
  /**
   * Whether it is sure that an eye sees the same when it is opened in the middle of a chain: it remembers nothing but what it
   * keeps.
   */
  readonly forgets: boolean;
}

/** Eyes that see what throws, and nothing else. */
const THROWS: CheckerFactory = { forgets: true, open: () => ({ probe: undefined, check: () => [] }) };

/**
 * Eyes that look for one invariant only, the fastest first: at everything behind each block, then at the events and what
 * each transaction touched, then at all of it.
 */
export function checkersFor(invariant: Invariant | undefined): readonly CheckerFactory[] {
  if (invariant === undefined || invariant.when === "sequence") return [THROWS];
  const { sweep, touched, event } = invariant;
  const hasMoments = touched !== undefined || event !== undefined;
  return [
    ...(sweep === undefined ? [] : [new SweepingCheckers(invariant)]),
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

/** Arguments of a sweep that looks at a venue and a step, but not at what the invariant keeps between steps. */
const TAKES_NO_MEMORY = 2;

/** Keeps no copy of the venue before a block, unless the invariant turns out to read it. */
class SweepingCheckers implements CheckerFactory {
  readonly #invariant: Invariant;
  #needsBefore = false;

  constructor(invariant: Invariant) {
    this.#invariant = invariant;
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
        const answer = this.#sweep(after, new LazyStep(before, block, result), memory);
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

/** An invariant reads the venue before the block, which was not kept: the run has to start again. */
export class NeedsBefore extends Error {
  override readonly name = "NeedsBefore";
}

/** A step that decodes events only when they are asked for. */
class LazyStep implements Step {
  readonly block: Block;
  readonly result: BlockResult;
  met = 0;
  least: number = Number.POSITIVE_INFINITY;
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
    this.#whole ??= createStep(this.#before as State, this.block, this.result);
    return this.#whole;
  }
}
