import { EngineError } from "../../../../protocol/engineError.ts";
import type { Block } from "../../../../protocol/transaction.ts";
import { applyBlock, type BlockResult } from "../../../../venue/engine/applyBlock.ts";
import { writeCanonical } from "../../../../venue/engine/commitment/canonical.ts";
import type { Probe } from "../../../../venue/engine/probe.ts";
import { forkState } from "../../../../venue/engine/state/forkState.ts";
import type { State } from "../../../../venue/engine/state/state.ts";
import { invariants } from "../../list.ts";
import { type Answer, createStep, type Invariant, type Step } from "../defineInvariant.ts";
import { Forks } from "../forks.ts";
import { Moments } from "./moments.ts";
import { Past } from "./past.ts";
import { Schedule } from "./schedule.ts";
import { CHANGED, describeThrown, type Violation, Violations } from "./violation.ts";
import { createWatched, isDueAfter, note, type Watched } from "./watched.ts";

export type { Violation } from "./violation.ts";

/** How near a venue came to breaking an invariant, in the invariant's unit. */
export interface Nearest {
  readonly distance: number;
  readonly height: number;
}

export interface WatchOptions {
  /** Default: all. */
  readonly invariants?: readonly Invariant[];
  /** Check moments, that is, every transaction and step. Default: yes. */
  readonly moments?: boolean;
  /**
   * Sweep everything after every n-th block, a full block counting as several; 0 for never. Default: 1. Above 1,
   * invariants with `news` are also swept after every block with a new kind of event.
   */
  readonly sweepEvery?: number;
  /** Search for silent writes after every moment, not only after a block. Default: if every block is swept. */
  readonly thorough?: boolean;
  /** Sweep heavy invariants, which take turns, after every n-th block; 0 for never. Default: 1. */
  readonly heavyEvery?: number;
  /** Compare the venue before and after every check: slow. Default: only now and then. */
  readonly testsChecks?: boolean;
}

/** Of so many sweeps, the first compares the venue before and after every check. */
const TESTED_EVERY = 32;

/**
 * Checks a venue: the touched rows after every transaction and step of a block, everything after a block. Also an
 * observer of the simulation: as such it throws at the first violation.
 *
 *     const watch = new Watch(venue);
 *     const result = applyBlock(venue, block, watch.probe);
 *     watch.check(venue, block, result);                          // violations
 *
 * A block that was applied without the probe is applied again, to a fork, to see its moments. With `sweepEvery` above
 * 1 a watch is much faster, but finds silent writes later or not at all. If it also ignores news, it misses the first
 * without the probe after blocks with it.
 */
export class Watch {
  readonly probe: Probe;
  readonly #all: readonly Watched[];
  readonly #moments: Moments;
  readonly #schedule: Schedule;
  readonly #past: Past;
  readonly #violations: Violations = new Violations();
  readonly #forks = new Forks();
  readonly #testedEvery: number;
  #sweeps = 0;

  constructor(state: State, options: WatchOptions = {}) {
    const { sweepEvery = 1, heavyEvery = 1, moments = true, thorough = sweepEvery === 1 } = options;
    const { testsChecks = false } = options;
    this.#testedEvery = testsChecks ? 1 : TESTED_EVERY;
    this.#all = (options.invariants ?? invariants).map((invariant) => createWatched(invariant, state));
    this.#schedule = new Schedule(this.#all, { sweepEvery, heavyEvery, moments }, state.height);
    const { novelty } = this.#schedule;
    const checks = { thorough, testsAll: testsChecks };
    this.#moments = new Moments(moments ? this.#all : [], novelty, this.#violations, checks, state);
    this.#past = new Past(this.#all.some(({ isFromUser }) => isFromUser));
    this.probe = this.#moments.probe;
    this.#prepare(state, true);
  }

  /** How often each invariant met its subject. An invariant that never did proves nothing. */
  get met(): ReadonlyMap<string, number> {
    return new Map(this.#all.map(({ invariant, met }) => [invariant.id, met]));
  }

  /**
   * The least distance of each invariant with a `slack` from being broken, and the first block with it; Infinity if it
   * met no case. In the order of the list.
   */
  get nearest(): ReadonlyMap<string, Nearest> {
    const measured = this.#all.filter(({ invariant }) => invariant.slack !== undefined);
    return new Map(
      measured.map(({ invariant, least, leastHeight }) => [invariant.id, { distance: least, height: leastHeight }]),
    );
  }

  /** The violations after a block that was applied to the state, and those within the block. */
  check(state: State, block: Block, result: BlockResult): Violation[] {
    const hadProbe = this.#moments.seen === block.height;
    if (this.#schedule.novelty !== undefined) this.#past.note(block);
    if (!hadProbe) this.#applyAgain(state, block);
    const due = this.#findDue(state, block);
    this.#moments.unwrittenFields.note(state.events);
    const { before } = this.#past;
    if (due.length > 0 && before !== undefined) this.#sweep(due, state, createStep(before, block, result, this.#forks));
    this.#schedule.count(block);
    this.#prepare(state, !hadProbe);
    return this.#violations.take();
  }

  /**
   * Observes the simulation loop.
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

  /** @param mayLackProbe whether the next block may come without the probe and must then be applied again */
  #prepare(state: State, mayLackProbe: boolean): void {
    this.#schedule.turn();
    this.#past.keep(state, mayLackProbe || this.#schedule.due.length > 0);
  }

  #applyAgain(state: State, block: Block): void {
    const before = this.#past.find(state);
    if (before === undefined) this.#moments.startAgain(state);
    else applyBlock(forkState(before), block, this.probe);
  }

  /** The invariants to sweep now: those due, and those with `news` if the block had any. */
  #findDue(state: State, block: Block): readonly Watched[] {
    const { due, novelty } = this.#schedule;
    if (novelty === undefined || !novelty.found || this.#moments.seen !== block.height) return due;
    this.#schedule.countNews();
    return this.#past.find(state) === undefined ? due : this.#schedule.withNews();
  }

  #sweep(due: readonly Watched[], state: State, step: Step): void {
    const { height } = step.block;
    // Known invariants only read, as their tests show. Now and then this is checked of them, too.
    const isTested = this.#sweeps++ % this.#testedEvery === 0;
    const tested = isTested ? writeCanonical(state).slice() : undefined;
    for (const watched of due) {
      const { invariant, isFromUser } = watched;
      // Memory that is carried over blocks starts from scratch if blocks were left out.
      if (watched.restarts && watched.swept !== height - 1) watched.memory = watched.start!(step.before) as never;
      watched.swept = height;
      if (!isDueAfter(watched, step.kinds)) continue;
      step.met = 0;
      const form = tested ?? (isFromUser ? writeCanonical(state).slice() : undefined);
      let answer: Answer;
      try {
        answer = watched.sweep!(state, step, watched.memory);
        this.#forks.release();
      } catch (error) {
        this.#forks.drop();
        answer = describeThrown(error, isFromUser);
      }
      note(watched, step, height);
      if (answer !== undefined) this.#violations.add(invariant, height, answer);
      if (form !== undefined && Buffer.compare(form, writeCanonical(state)) !== 0) {
        this.#violations.add(invariant, height, CHANGED);
        // A check that writes is broken itself: its venue is of no use for the others.
        if (tested !== undefined) return;
      }
    }
  }
}
