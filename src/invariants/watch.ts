import { NONE } from "../collections/table.ts";
import { applyBlock, type BlockResult } from "../engine/applyBlock.ts";
import { writeCanonical } from "../engine/commitment/canonical.ts";
import { EVENT_WIDTHS } from "../engine/events/readEvents.ts";
import type { BlockStep, Probe } from "../engine/probe.ts";
import type { AccountRow, PositionRow } from "../engine/state/schema.ts";
import { forkState, type State } from "../engine/state/state.ts";
import { EngineError } from "../protocol/engineError.ts";
import { EVENT_CODES, EVENT_KINDS } from "../protocol/events.ts";
import type { Block } from "../protocol/transaction.ts";
import { type Answer, createStep, type Finding, type Invariant, type Step, type Term } from "./defineInvariant.ts";

import { compareAll } from "./ledger/compare.ts";
import { KindSet } from "./ledger/fieldsOf.ts";
import { postEvent } from "./ledger/post.ts";
import { invariants } from "./list.ts";
import { Look } from "./look.ts";
import { Novelty } from "./novelty.ts";
import type { Tally } from "./tally.ts";
import { findWhoActed } from "./whoActed.ts";

export type { Term } from "./defineInvariant.ts";

/** An invariant that did not hold. */
export interface Violation {
  readonly invariant: string;
  readonly height: number;
  /** Place of the transaction after which it did not hold. */
  readonly index?: number;
  /** The step of the block after which it did not hold. */
  readonly step?: BlockStep;
  readonly observed: string;
  /** What it happened to: `account 3`, `order 64`. */
  readonly entity?: string;
  /** What was compared, where the invariant says so: sums and what they should have been. */
  readonly terms?: readonly Term[];
  /** For an invariant of a user's: it is the check that is broken, not the venue. */
  readonly broken?: "threw" | "changedVenue";
}

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

/** Doubles that batches write behind the events and take back: more than all but the largest do. */
const UNDONE = 1024;

/** Where only some blocks are swept, one counts as another for every so many transactions that it has. */
const COUNTED_AS_ONE = 4;

/** An invariant with what the watch keeps for it. */
interface Watched {
  readonly invariant: Invariant;
  readonly kinds: KindSet | undefined;
  /** Of a user: that it only reads is seen to. */
  readonly guest: boolean;
  memory: never;
  met: number;
  /** The least distance from broken that its checks said, and where. */
  least: number;
  leastHeight: number;
  /** Height of the last block whose sweep it saw. */
  swept: number;
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
 * 1 a watch is much faster and sees less of what no event tells, and later.
 */
export class Watch {
  readonly probe: Probe;
  readonly #look: Look;
  readonly #moments: readonly Watched[];
  /** Those that look at single events, by the place of the kind. */
  readonly #hooks: readonly (readonly Watched[] | undefined)[];
  readonly #sweeps: readonly Watched[];
  readonly #heavy: readonly Watched[];
  readonly #all: readonly Watched[];
  readonly #sweepEvery: number;
  readonly #heavyEvery: number;
  readonly #found: Violation[] = [];
  /** Blocks so far, full ones counted several times: by them it is decided what is swept when. */
  #clock: number;
  /** What they will be, at the least, with the next block. */
  #decided: number;
  /** What is swept after the next block. */
  #due: readonly Watched[] = [];
  /** A fork of the venue before its next block, where that will be swept. */
  #before: State | undefined;
  /** The last such fork: its memory serves the next one, unless guests may have kept it. */
  #older: State | undefined;
  /** Those that are swept after a block with news, what was told so far, and the blocks since the last fork. */
  readonly #forNews: readonly Watched[];
  readonly #novelty: Novelty = new Novelty();
  #news = 0;
  #since: Block[] = [];
  readonly #hasGuests: boolean;
  /** Height of the last block whose moments were seen. */
  #probed = -1;
  #at = 0;
  /** The event data that was blanked last, and how far blocks wrote it since. */
  #blanked: Float64Array | undefined;
  #written = 0;

  constructor(state: State, options: WatchOptions = {}) {
    const { sweepEvery = 1, heavyEvery = 1, moments = true } = options;
    this.#sweepEvery = sweepEvery;
    this.#heavyEvery = heavyEvery;
    this.#all = (options.invariants ?? invariants).map((invariant) => ({
      invariant,
      kinds: invariant.kinds === undefined ? undefined : KindSet.of(invariant.kinds),
      guest: !KNOWN.has(invariant),
      memory: invariant.start?.(state) as never,
      met: 0,
      least: Number.POSITIVE_INFINITY,
      leastHeight: state.height,
      swept: state.height,
    }));
    this.#hasGuests = this.#all.some(({ guest }) => guest);
    this.#moments = this.#all.filter(({ invariant }) => moments && invariant.touched !== undefined);
    this.#hooks = moments ? hookAll(this.#all) : [];
    this.#sweeps = this.#all.filter(({ invariant }) => invariant.sweep !== undefined && invariant.heavy !== true);
    this.#heavy = this.#all.filter(({ invariant }) => invariant.sweep !== undefined && invariant.heavy === true);
    // Where every block is swept there is nothing to add; where none is, that is what was asked for.
    const seeksNews = moments && sweepEvery > 1 && heavyEvery > 0;
    this.#forNews = seeksNews ? this.#all.filter(({ invariant }) => invariant.news !== undefined) : [];
    this.#look = new Look(state);
    this.#look.thorough = options.thorough ?? sweepEvery === 1;
    this.probe = {
      beforeBlock: (venue, block, from) => this.#beforeBlock(venue, block, from),
      afterTransaction: (venue, index) => this.#afterTransaction(venue, index),
      afterStep: (venue, step) => this.#afterStep(venue, step),
    };
    this.#clock = state.height;
    this.#decided = state.height;
    this.#prepare(state);
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
    if (this.#probed !== block.height) this.#applyAgain(block);
    const due = this.#findDue(state, block);
    if (state.events.data === this.#blanked) this.#written = state.events.length;
    if (due.length > 0 && this.#before !== undefined) this.#sweep(due, state, createStep(this.#before, block, result));
    this.#clock += Math.max(1, Math.ceil(block.transactions.length / COUNTED_AS_ONE));
    this.#prepare(state);
    return this.#found.splice(0);
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

  /** Everything that is swept after the next block: heavy ones take turns, so that they do not meet. */
  #listDue(): readonly Watched[] {
    const from = this.#decided;
    const to = this.#clock + 1;
    this.#decided = to;
    const comes = (every: number, turn = 0) =>
      every > 0 && Math.floor((to + turn) / every) > Math.floor((from + turn) / every);
    const due = comes(this.#sweepEvery) ? this.#sweeps : [];
    const heavy = this.#heavy.filter((_watched, turn) => comes(this.#heavyEvery, turn));
    return heavy.length === 0 ? due : due.concat(heavy);
  }

  /** What is swept now: what was due, and where the block tells of something new, those that look at news. */
  #findDue(state: State, block: Block): readonly Watched[] {
    if (this.#forNews.length === 0) return this.#due;
    this.#since.push(block);
    if (!this.#novelty.found || this.#probed !== block.height) return this.#due;
    this.#news++;
    this.#before ??= this.#catchUp(state);
    if (this.#before === undefined) return this.#due;
    const comes = ({ invariant: { news = 1 } }: Watched) => this.#news % news === 0;
    return this.#due.concat(this.#forNews.filter((watched) => comes(watched) && !this.#due.includes(watched)));
  }

  /** The venue before its last block, where no fork was made of it: an older one takes the blocks in between. */
  #catchUp(state: State): State | undefined {
    if (this.#older === undefined || this.#older.height + this.#since.length !== state.height) return undefined;
    if (this.#hasGuests) this.#older = forkState(this.#older);
    for (const block of this.#since.slice(0, -1)) applyBlock(this.#older, block);
    return this.#older;
  }

  /** Keeps the venue as it is before its next block, where that is needed. */
  #prepare(state: State): void {
    this.#due = this.#listDue();
    this.#novelty.forget();
    const needed = this.#due.length > 0 || this.#probed !== state.height;
    // What an older fork caught up with stands a block behind.
    if (this.#before !== undefined) this.#since = this.#since.slice(-1);
    const spare = this.#hasGuests ? undefined : this.#older;
    this.#before = needed ? forkState(state, state.genesis, spare) : undefined;
    if (needed) this.#since = [];
    this.#older = this.#before ?? this.#older;
  }

  #sweep(due: readonly Watched[], state: State, step: Step): void {
    const { height } = step.block;
    for (const watched of due) {
      const { invariant } = watched;
      // What is carried over blocks starts anew where blocks were left out.
      const isBehind = watched.swept !== height - 1 && invariant.lasting !== true;
      if (invariant.start !== undefined && !looksAtMoments(invariant) && isBehind)
        watched.memory = invariant.start(step.before) as never;
      watched.swept = height;
      step.met = 0;
      const form = watched.guest ? writeCanonical(state).slice() : undefined;
      const answer = guard(watched, () => invariant.sweep!(state, step, watched.memory));
      note(watched, step, height);
      if (answer !== undefined) this.#report(invariant, height, answer);
      if (form !== undefined && !equalBytes(form, writeCanonical(state))) this.#report(invariant, height, CHANGED);
    }
  }

  #applyAgain(block: Block): void {
    if (this.#before === undefined) return;
    applyBlock(forkState(this.#before), block, this.probe);
  }

  #beforeBlock(state: State, block: Block, from: number): void {
    this.#probed = block.height;
    this.#at = from;
    this.#look.state = state;
    this.#look.block = block;
    this.#blank(state);
  }

  /** Fills what lies behind the events so far with NaN: a field that nobody writes shows, whatever stood there before. */
  #blank({ events: { data, length } }: State): void {
    const known = this.#blanked === data;
    data.fill(Number.NaN, length, known ? Math.max(length + UNDONE, this.#written) : data.length);
    this.#blanked = data;
    this.#written = length;
  }

  #afterTransaction(state: State, index: number): void {
    const look = this.#look;
    const transaction = look.block.transactions[index]!;
    look.index = index;
    look.transaction = transaction;
    look.step = undefined;
    look.code = state.receipts.codes[index]!;
    this.#post(state);
    look.actor = findWhoActed(state, transaction, look);
    if (look.actor !== NONE) touchActor(look, look.actor);
    this.#runMoments();
  }

  #afterStep(state: State, step: BlockStep): void {
    const look = this.#look;
    look.index = NONE;
    look.transaction = undefined;
    look.step = step;
    look.code = 0;
    look.actor = NONE as AccountRow;
    this.#post(state);
    this.#runMoments();
  }

  /** Posts the events since the last moment to the ledger. */
  #post(state: State): void {
    const look = this.#look;
    const { ledger, kinds } = look;
    const { data, length } = state.events;
    look.forget();
    look.data = data;
    look.from = this.#at;
    look.to = length;
    ledger.begin();
    const seeksNews = this.#forNews.length > 0;
    for (let at = this.#at; at < length; at += EVENT_WIDTHS[data[at]!]!) {
      const code = data[at]!;
      kinds.add(code);
      if (seeksNews) this.#novelty.add(data, at);
      const hooked = this.#hooks[code];
      if (hooked !== undefined) this.#runHooks(hooked, at);
      postEvent(ledger, data, at);
    }
    this.#at = length;
  }

  #runHooks(hooked: readonly Watched[], at: number): void {
    const look = this.#look;
    for (const watched of hooked) {
      look.met = 0;
      let answer: Answer;
      try {
        answer = watched.invariant.event!(look, at, watched.memory);
      } catch (error) {
        answer = describe(error, watched.guest);
      }
      note(watched, look, look.block.height);
      if (answer !== undefined) this.#report(watched.invariant, look.block.height, answer, look);
    }
  }

  #runMoments(): void {
    const look = this.#look;
    for (const watched of this.#moments) {
      const { invariant, kinds } = watched;
      if (kinds !== undefined && !kinds.meets(look.kinds)) continue;
      look.met = 0;
      const { ledger, state } = look;
      const intact = watched.guest && compareAll(ledger, state) === undefined;
      let answer: Answer;
      try {
        answer = invariant.touched!(look, watched.memory);
      } catch (error) {
        answer = describe(error, watched.guest);
      }
      note(watched, look, look.block.height);
      if (answer !== undefined) this.#report(invariant, look.block.height, answer, look);
      if (intact && compareAll(ledger, state) !== undefined) this.#report(invariant, look.block.height, CHANGED, look);
    }
  }

  #report({ id }: Invariant, height: number, answer: string | Broken, look?: Look): void {
    const finding: Broken = typeof answer === "string" ? { observed: answer } : answer;
    const entity = finding.entity ?? ENTITY.exec(finding.observed)?.[0];
    this.#found.push({
      invariant: id,
      height,
      ...(look === undefined || look.index === NONE ? {} : { index: look.index }),
      ...(look?.step === undefined ? {} : { step: look.step }),
      observed: finding.observed,
      ...(entity === undefined ? {} : { entity }),
      ...(finding.terms === undefined ? {} : { terms: finding.terms }),
      ...(finding.broken === undefined ? {} : { broken: finding.broken }),
    });
  }
}

/** Keeps what a check said. */
function note(watched: Watched, tally: Tally, height: number): void {
  watched.met += tally.met;
  // Most checks have no distance to say.
  if (tally.least === Number.POSITIVE_INFINITY) return;
  if (tally.least < watched.least) {
    watched.least = tally.least;
    watched.leastHeight = height;
  }
  tally.least = Number.POSITIVE_INFINITY;
}

/** Who looks at events of a kind, by its code. */
function hookAll(all: readonly Watched[]): (Watched[] | undefined)[] {
  const hooks: (Watched[] | undefined)[] = EVENT_KINDS.map(() => undefined);
  for (const watched of all) {
    const { event, kinds = [] } = watched.invariant;
    if (event === undefined) continue;
    for (const kind of kinds) (hooks[EVENT_CODES[kind]] ??= []).push(watched);
  }
  return hooks;
}

const KNOWN: ReadonlySet<Invariant> = new Set(invariants);

function looksAtMoments({ touched, event }: Invariant): boolean {
  return touched !== undefined || event !== undefined;
}

/** How words of a finding begin that name a thing. */
const ENTITY = /^(account|order|position|market|intent|grant|lane|liquidation|transaction|maker) \d+/;

/** A transaction touches the account that it acts for, with its positions, whatever its events say. */
function touchActor({ ledger }: Look, actor: AccountRow): void {
  ledger.account(actor);
  const { position } = ledger.now.accounts;
  const { next } = ledger.now.positions;
  for (let at = position[actor]; at !== NONE; at = next[at as PositionRow]) ledger.positions.add(at);
}

/** A check that cannot even look, because what it reads is broken, has seen a violation. */
function guard({ guest }: Watched, check: () => Answer): Answer {
  try {
    return check();
  } catch (error) {
    return describe(error, guest);
  }
}

function describe(error: unknown, guest: boolean): Broken {
  const observed = `the check failed: ${(error as Error | undefined)?.stack ?? String(error)}`;
  return guest ? { observed, broken: "threw" } : { observed };
}

/** A finding about a check itself. */
interface Broken extends Finding {
  readonly broken?: "threw" | "changedVenue";
}

const CHANGED: Broken = { observed: "the check changed the venue: invariants only read", broken: "changedVenue" };

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, place) => byte === b[place]);
}
