import { EngineError } from "../../protocol/engineError.ts";
import type { Block } from "../../protocol/transaction.ts";
import { applyBlock, type BlockResult } from "../../venue/engine/applyBlock.ts";
import { writeCanonical } from "../../venue/engine/commitment/canonical.ts";
import type { Probe } from "../../venue/engine/probe.ts";
import { forkState, type State } from "../../venue/engine/state/state.ts";
import { type Answer, createStep, type Invariant, type Step } from "./defineInvariant.ts";
import { invariants } from "./list.ts";
import { Moments } from "./watching/moments.ts";
import { Past } from "./watching/past.ts";
import { Schedule } from "./watching/schedule.ts";
import { CHANGED, describeThrown, type Violation, Violations } from "./watching/violation.ts";
import { createWatched, looksAtMoments, note, type Watched } from "./watching/watched.ts";

export type { Term } from "./defineInvariant.ts";
export type { Violation } from "./watching/violation.ts";

/** How near a venue came to breaking an invariant, in the invariant's unit. */
export interface Nearest {
  readonly distance: number;
  readonly height: number;
}

export interface WatchOptions {
  /** Default: all. */
  readonly invariants?: readonly Invariant[];
  /** Whether moments are looked at: every transaction and step. Default: yes. */
  readonly moments?: boolean;
  /**
   * Everything is looked at after every n-th block, a full one counting as several; 0 for never. Default: 1. Above 1, those
   * with `news` are looked at after every block that tells of something new, too.
   */
  readonly sweepEvery?: number;
  /** What no event told of is looked for after every moment, not after a block only. Default: when all are swept. */
  readonly thorough?: boolean;
  /** So are the heavy ones, which take turns; 0 for never. Default: 1. */
  readonly heavyEvery?: number;
}

/**
 * Looks at a venue: after every transaction and step of a block at what it touched, after a block at everything. An
 * observer of the simulation, too: it throws there at the first violation.
 *
 *     const watch = new Watch(venue);
 *     const result = applyBlock(venue, block, watch.probe);
 *     watch.check(venue, block, result);                          // violations
 *
 * A block that was applied without the probe is applied once more, to a fork, to see its moments. With `sweepEvery` above
 * 1 a watch is much faster and sees less of what no event tells, and later; where it looks at no news either, the first
 * block without the probe after blocks with it may go by unseen.
 */
export class Watch {
  readonly probe: Probe;
  readonly #all: readonly Watched[];
  readonly #moments: Moments;
  readonly #schedule: Schedule;
  readonly #past: Past;
  readonly #violations: Violations = new Violations();

  constructor(state: State, options: WatchOptions = {}) {
    const { sweepEvery = 1, heavyEvery = 1, moments = true, thorough = sweepEvery === 1 } = options;
    this.#all = (options.invariants ?? invariants).map((invariant) => createWatched(invariant, state));
    this.#schedule = new Schedule(this.#all, { sweepEvery, heavyEvery, moments }, state.height);
    const { novelty } = this.#schedule;
    this.#moments = new Moments(moments ? this.#all : [], novelty, this.#violations, thorough, state);
    this.#past = new Past(this.#all.some(({ guest }) => guest));
    this.probe = this.#moments.probe;
    this.#prepare(state, true);
  }

  /** How often what each invariant speaks of was there. One that never was says nothing. */
  get met(): ReadonlyMap<string, number> {
    return new Map(this.#all.map(({ invariant, met }) => [invariant.id, met]));
  }

  /**
   * How near each invariant with a `slack` came to being broken, and in which block first; Infinity where nothing was there
   * to be near. In the order of the list.
   */
  get nearest(): ReadonlyMap<string, Nearest> {
    const measured = this.#all.filter(({ invariant }) => invariant.slack !== undefined);
    return new Map(
      measured.map(({ invariant, least, leastHeight }) => [invariant.id, { distance: least, height: leastHeight }]),
    );
  }

  /** What does not hold after a block that was applied to the state, and did not within it. */
  check(state: State, block: Block, result: BlockResult): Violation[] {
    const hadProbe = this.#moments.seen === block.height;
    if (this.#schedule.novelty !== undefined) this.#past.note(block);
    if (!hadProbe) this.#applyAgain(state, block);
    const due = this.#findDue(state, block);
    this.#moments.unwrittenFields.note(state.events);
    const { before } = this.#past;
    if (due.length > 0 && before !== undefined) this.#sweep(due, state, createStep(before, block, result));
    this.#schedule.count(block);
    this.#prepare(state, !hadProbe);
    return this.#violations.take();
  }

  /**
   * For the loop's observers.
   *
   * @throws EngineError INVARIANT_VIOLATED
   */
  onBlock(state: State, block: Block, result: BlockResult): void {
    const [violation] = this.check(state, block, result);
    if (violation === undefined) return;
    const { invariant, height, observed } = violation;
    throw new EngineError("INVARIANT_VIOLATED", `block ${height}: ${invariant}: ${observed}`, {
      invariant,
      height,
      observed,
    });
  }

  /** @param mayLackProbe whether the next block may come without the probe, so that it must be applied again */
  #prepare(state: State, mayLackProbe: boolean): void {
    this.#schedule.turn();
    this.#past.keep(state, mayLackProbe || this.#schedule.due.length > 0);
  }

  #applyAgain(state: State, block: Block): void {
    const before = this.#past.find(state);
    if (before === undefined) this.#moments.startAgain(state);
    else applyBlock(forkState(before), block, this.probe);
  }

  /** What is swept now: what was due, and where the block tells of something new, those that look at news. */
  #findDue(state: State, block: Block): readonly Watched[] {
    const { due, novelty } = this.#schedule;
    if (novelty === undefined || !novelty.found || this.#moments.seen !== block.height) return due;
    this.#schedule.countNews();
    return this.#past.find(state) === undefined ? due : this.#schedule.withNews();
  }

  #sweep(due: readonly Watched[], state: State, step: Step): void {
    const { height } = step.block;
    for (const watched of due) {
      const { invariant, guest } = watched;
      // What is carried over blocks starts anew where blocks were left out.
      const isBehind = watched.swept !== height - 1 && invariant.lasting !== true;
      if (invariant.start !== undefined && !looksAtMoments(invariant) && isBehind)
        watched.memory = invariant.start(step.before) as never;
      watched.swept = height;
      step.met = 0;
      const form = guest ? writeCanonical(state).slice() : undefined;
      let answer: Answer;
      try {
        answer = invariant.sweep!(state, step, watched.memory);
      } catch (error) {
        answer = describeThrown(error, guest);
      }
      note(watched, step, height);
      if (answer !== undefined) this.#violations.add(invariant, height, answer);
      if (form !== undefined && Buffer.compare(form, writeCanonical(state)) !== 0)
        this.#violations.add(invariant, height, CHANGED);
    }
  }
}
