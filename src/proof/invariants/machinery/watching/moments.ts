import { NONE } from "../../../../ground/collections/table.ts";
import { EVENT_CODES, EVENT_KINDS } from "../../../../protocol/events.ts";
import type { Block } from "../../../../protocol/transaction.ts";
import { writeCanonical } from "../../../../venue/engine/commitment/canonical.ts";
import { EVENT_WIDTHS } from "../../../../venue/engine/events/readEvents.ts";
import { BLOCK_STEPS, type BlockStep, type Probe } from "../../../../venue/engine/probe.ts";
import type { AccountRow, PositionRow } from "../../../../venue/engine/state/schema.ts";
import type { State } from "../../../../venue/engine/state/state.ts";
import { findActingAccount } from "../actingAccount.ts";
import type { Answer, MomentName } from "../defineInvariant.ts";
import { compareAll } from "../ledger/compare.ts";
import { postEvent } from "../ledger/post.ts";
import { Moment } from "../moment.ts";
import type { Novelty } from "../novelty.ts";
import { UnwrittenFields } from "./unwrittenFields.ts";
import { CHANGED, describeThrown, type Violations } from "./violation.ts";
import { looksAtMoments, note, type Watched } from "./watched.ts";

/**
 * Of so many moments, the first compares the venue before and after every check, not only those of a user. With more
 * than a hundred checks and a whole venue each time, one moment in 512 took two thirds of all time.
 */
const TESTED_EVERY = 8192;

/** About the moments of a block: the counts of moments at two turns are so far apart. */
const MOMENTS_A_TURN = 8;

export interface MomentOptions {
  /** Compare everything with the ledger after every moment, not only the touched rows. */
  readonly thorough: boolean;
  /** Compare the venue before and after every check. */
  readonly testsAll: boolean;
}

/** Checks every transaction and step of a block: its events, and the rows that it touched. */
export class Moments {
  readonly probe: Probe;
  readonly unwrittenFields: UnwrittenFields = new UnwrittenFields();
  /** Height of the last block whose moments were checked. */
  seen = -1;
  /** Invariants on moments that have a memory. */
  readonly #withMemory: readonly Watched[];
  /** Invariants on transactions; on steps with events, and on steps without, by the name of the step. */
  readonly #ofTransactions: readonly Watched[];
  readonly #ofSteps: Readonly<Record<BlockStep, readonly Watched[]>>;
  readonly #ofEmptySteps: Readonly<Record<BlockStep, readonly Watched[]>>;
  /** Invariants on single events, by the index of the kind. */
  readonly #hooks: readonly (readonly Watched[] | undefined)[];
  readonly #novelty: Novelty | undefined;
  readonly #violations: Violations;
  readonly #testedEvery: number;
  readonly #moment: Moment;
  /** The venue from which the watch started last, and how often it was set to one. */
  #before: State;
  #starts = 0;
  /** Time of the last checked block, ms. */
  #timeMs = 0;
  #at = 0;
  #count = 0;
  /** Whether the checks of this moment are tested. */
  #isTested = false;

  /**
   * @param all invariants; those on moments are used
   */
  constructor(
    all: readonly Watched[],
    novelty: Novelty | undefined,
    violations: Violations,
    { thorough, testsAll }: MomentOptions,
    state: State,
  ) {
    this.#withMemory = all.filter(({ invariant }) => looksAtMoments(invariant) && invariant.start !== undefined);
    this.#before = state;
    const touched = all.filter(({ invariant }) => invariant.touched !== undefined);
    const eager = touched.filter(({ kinds, invariant }) => kinds === undefined && invariant.skipsEmptySteps !== true);
    this.#ofTransactions = listAt(touched, "transaction");
    this.#ofSteps = listBySteps(touched);
    this.#ofEmptySteps = listBySteps(eager);
    this.#hooks = hookAll(all);
    this.#novelty = novelty;
    this.#violations = violations;
    this.#moment = new Moment(state);
    this.#moment.thorough = thorough;
    this.#timeMs = state.timeMs;
    this.#testedEvery = testsAll ? 1 : TESTED_EVERY;
    this.probe = {
      beforeBlock: (venue, block, from) => this.#beforeBlock(venue, block, from),
      afterTransaction: (venue, index) => this.#afterTransaction(venue, index),
      afterStep: (venue, step) => this.#afterStep(venue, step),
    };
  }

  /** Continues from a venue whose earlier moments are not available. */
  startAgain(state: State): void {
    this.#moment.startAgain(state);
    this.#timeMs = state.timeMs;
    for (const watched of this.#withMemory) watched.memory = watched.start!(state) as never;
  }

  /**
   * Continues from a venue whose earlier moments are not available. Memory is made when a check first needs it.
   *
   * @param before stays as it is until the next block was checked
   * @param isSame true if the watch was set to this venue last
   * @param turn   decides which of the next moments are tested: it does not depend on the blocks before
   */
  startFrom(before: State, isSame: boolean, turn: number): void {
    if (isSame) this.#moment.rewind(before);
    else this.#moment.startAgain(before);
    this.#before = before;
    this.#timeMs = before.timeMs;
    this.#count = turn * MOMENTS_A_TURN;
    this.#starts++;
  }

  /** The memory of an invariant, made now if the watch was set to another venue since. */
  memoryOf(watched: Watched): never {
    if (watched.madeAt !== this.#starts && watched.followsMoments) {
      watched.madeAt = this.#starts;
      watched.memory = watched.start!(this.#before, watched.memory) as never;
    }
    return watched.memory;
  }

  #beforeBlock(state: State, block: Block, from: number): void {
    this.seen = block.height;
    this.#at = from;
    this.#moment.state = state;
    this.#moment.block = block;
    this.#moment.lastMs = this.#timeMs;
    this.#timeMs = block.timeMs;
    this.unwrittenFields.fill(state.events);
  }

  #afterTransaction(state: State, index: number): void {
    const moment = this.#moment;
    const transaction = moment.block.transactions[index]!;
    moment.index = index;
    moment.transaction = transaction;
    moment.step = undefined;
    moment.code = state.receipts.codes[index]!;
    this.#post(state);
    if (moment.actor !== NONE) touchActor(moment, moment.actor);
    this.#runTouched(this.#ofTransactions);
  }

  #afterStep(state: State, step: BlockStep): void {
    const moment = this.#moment;
    moment.index = NONE;
    moment.transaction = undefined;
    moment.step = step;
    moment.code = 0;
    this.#post(state);
    this.#runTouched((moment.from === moment.to ? this.#ofEmptySteps : this.#ofSteps)[step]);
  }

  /** Posts the events since the last moment to the ledger. */
  #post(state: State): void {
    const moment = this.#moment;
    const { ledger, kinds } = moment;
    const { data, length } = state.events;
    this.#isTested = this.#count++ % this.#testedEvery === 0;
    moment.forget();
    moment.data = data;
    moment.from = this.#at;
    moment.to = length;
    // Checks of single events read it, so it is known before the first.
    const { transaction } = moment;
    moment.actor = transaction === undefined ? (NONE as AccountRow) : findActingAccount(state, transaction, moment);
    ledger.begin();
    const novelty = this.#novelty;
    const hooks = this.#hooks;
    for (let at = this.#at; at < length; at += EVENT_WIDTHS[data[at]!]!) {
      const code = data[at]!;
      kinds.add(code);
      if (novelty !== undefined) novelty.add(data, at);
      const hooked = hooks[code];
      if (hooked !== undefined) this.#runHooks(hooked, at);
      postEvent(ledger, data, at);
    }
    this.#at = length;
  }

  #runHooks(hooked: readonly Watched[], at: number): void {
    const moment = this.#moment;
    for (const watched of hooked) {
      moment.met = 0;
      const form = this.#isTested ? this.#startTest() : undefined;
      let answer: Answer;
      try {
        answer = watched.event!(moment, at, this.memoryOf(watched));
      } catch (error) {
        answer = describeThrown(error, watched.isFromUser);
      }
      note(watched, moment, moment.block.height);
      if (answer !== undefined) this.#violations.add(watched.invariant, moment.block.height, answer, moment);
      this.#endTest(watched, form);
    }
  }

  #runTouched(due: readonly Watched[]): void {
    const moment = this.#moment;
    const isTested = this.#isTested;
    for (const watched of due) {
      const { kinds } = watched;
      if (kinds !== undefined && !kinds.meets(moment.kinds)) continue;
      if (isTested || watched.isFromUser) this.#testTouched(watched);
      else this.#checkTouched(watched);
    }
  }

  #checkTouched(watched: Watched): void {
    const moment = this.#moment;
    moment.met = 0;
    let answer: Answer;
    try {
      answer = watched.touched!(moment, this.memoryOf(watched));
    } catch (error) {
      answer = describeThrown(error, watched.isFromUser);
    }
    note(watched, moment, moment.block.height);
    if (answer !== undefined) this.#violations.add(watched.invariant, moment.block.height, answer, moment);
  }

  /** Runs a check and compares the venue before and after it. */
  #testTouched(watched: Watched): void {
    const { ledger, state, block } = this.#moment;
    // The ledger is compared faster, and knows most columns.
    const form = this.#testedEvery === 1 ? this.#startTest() : undefined;
    const intact = compareAll(ledger, state) === undefined;
    this.#checkTouched(watched);
    if (intact && compareAll(ledger, state) !== undefined)
      this.#violations.add(watched.invariant, block.height, CHANGED, this.#moment);
    else this.#endTest(watched, form);
  }

  /** The venue before a check. */
  #startTest(): Uint8Array {
    return writeCanonical(this.#moment.state).slice();
  }

  #endTest({ invariant }: Watched, form: Uint8Array | undefined): void {
    const moment = this.#moment;
    if (form !== undefined && Buffer.compare(form, writeCanonical(moment.state)) !== 0)
      this.#violations.add(invariant, moment.block.height, CHANGED, moment);
  }
}

/** The invariants that check moments of a name. */
function listAt(touched: readonly Watched[], name: MomentName): readonly Watched[] {
  return touched.filter(({ invariant: { moments } }) => moments === undefined || moments.includes(name));
}

function listBySteps(touched: readonly Watched[]): Readonly<Record<BlockStep, readonly Watched[]>> {
  const lists = BLOCK_STEPS.map((step) => [step, listAt(touched, step)] as const);
  return Object.fromEntries(lists) as Record<BlockStep, readonly Watched[]>;
}

/** The invariants on events of each kind, by its code. */
function hookAll(all: readonly Watched[]): (Watched[] | undefined)[] {
  const hooks: (Watched[] | undefined)[] = EVENT_KINDS.map(() => undefined);
  for (const watched of all) {
    const { event, kinds = [] } = watched.invariant;
    if (event === undefined) continue;
    for (const kind of kinds) (hooks[EVENT_CODES[kind]] ??= []).push(watched);
  }
  return hooks;
}

/** Marks the account that a transaction acts for, with its positions, as touched, whatever its events are. */
function touchActor({ ledger }: Moment, actor: AccountRow): void {
  ledger.account(actor);
  const { position } = ledger.now.accounts;
  const { next } = ledger.now.positions;
  for (let at = position[actor]; at !== NONE; at = next[at as PositionRow]) ledger.positions.add(at);
}
