import { countBelow } from "../../../ground/math/sorted.ts";
import type { EventKind, VenueEvent } from "../../../protocol/events.ts";
import type { Block } from "../../../protocol/transaction.ts";
import type { BlockResult } from "../../../venue/engine/applyBlock.ts";
import { EVENT_WIDTHS, readEvents } from "../../../venue/engine/events/readEvents.ts";
import type { BlockStep } from "../../../venue/engine/probe.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { Forks } from "./forks.ts";
import { KindSet } from "./ledger/fieldsOf.ts";
import type { Moment } from "./moment.ts";
import type { Tally } from "./tally.ts";

/** The block that led to the state under check. */
export interface Step extends Tally {
  /** The venue before the block, for reading and forking only. */
  readonly before: State;
  readonly block: Block;
  readonly result: BlockResult;
  /** Events of the block, decoded. */
  readonly events: readonly VenueEvent[];
  /** Where each event starts in the event data. */
  readonly places: readonly number[];
  /** Kinds of the block's events. */
  readonly kinds: KindSet;
  /**
   * Selects the cases of checks that see only a part of them: another part at the next turn. The height of the block;
   * a count if many venues of one height are checked.
   */
  turn: number;
  /** Forks a venue for this check alone: afterwards the memory of the fork is used again. */
  fork(state: State): State;
}

/**
 * @param before a fork made before the block, of the venue that the result belongs to
 * @param forks  memory for the forks of checks
 */
export function createStep(before: State, block: Block, result: BlockResult, forks: Forks = new Forks()): Step {
  const places: number[] = [];
  const kinds = new KindSet();
  for (let at = result.from; at < result.to; at += EVENT_WIDTHS[result.events[at]!]!) {
    places.push(at);
    kinds.add(result.events[at]!);
  }
  const events = readEvents(result.events, result.from, result.to);
  const fork = (state: State) => forks.make(state);
  const turn = block.height;
  return { before, block, result, events, places, kinds, turn, fork, met: 0, least: Number.POSITIVE_INFINITY };
}

/** Events of one transaction of a step. */
export function eventsOf({ result, events, places }: Step, index: number): VenueEvent[] {
  const { eventsFrom, eventsTo } = result.receipts;
  return events.slice(countBelow(places, eventsFrom[index]!), countBelow(places, eventsTo[index]!));
}

/** A value that decides a violation, for reports. */
export interface Term {
  readonly name: string;
  readonly value: string;
}

/** What a check observed when its invariant does not hold. */
export interface Finding {
  readonly observed: string;
  /** The object of the violation: `account 3`, `order 64`. Default: the words with which `observed` begins. */
  readonly entity?: string;
  readonly terms?: readonly Term[];
}

/** What the check observed, in words and numbers; undefined if the invariant holds. */
export type Answer = string | Finding | undefined;

/**
 * When an invariant is checked.
 *
 * - `transaction`: after every transaction and step, at the rows that it touched
 * - `block`: after a block, at the whole venue
 * - `events`: at the events of a chain, in their order
 * - `sequence`: on pairs of whole sequences of blocks
 */
export type When = "transaction" | "block" | "events" | "sequence";

/** Where a moment is in a block: after a transaction, or after a step. */
export type MomentName = "transaction" | BlockStep;

/**
 * A property that always holds. `touched` checks the rows that one transaction or step touched; `sweep` checks the
 * whole venue after a block. If both exist, they check the same. They return what they observed and change nothing.
 */
export interface Invariant {
  readonly id: string;
  /** The property, as a sentence. */
  readonly sentence: string;
  /** Sections of the protocol that require it. */
  readonly rules: readonly string[];
  /** Rows of the catalogue of invariants that it covers. */
  readonly catalogue: readonly string[];
  readonly when: When;
  /** `event` gets only these events; `touched` gets only moments with one of them. Default: all moments. */
  readonly kinds?: readonly EventKind[];
  /** `touched` gets only these moments. Default: all. */
  readonly moments?: readonly MomentName[];
  /** `touched` has nothing to check at a step without events. */
  readonly skipsEmptySteps?: boolean;
  /** `sweep` has nothing to check after a block without one of these events. Default: it runs after every block. */
  readonly sweepKinds?: readonly EventKind[];
  /**
   * Unit of the distances that its checks report with `near`: `lots`, `quote units`. A search seeks the least distance.
   * Absent if there is nothing between held and broken.
   */
  readonly slack?: string;
  /** The sweep costs more than the block: a campaign runs it less often. */
  readonly heavy?: boolean;
  /**
   * Also sweep after every n-th block with news: an event kind, a cause or a stage that no earlier block emitted.
   */
  readonly news?: number;
  /**
   * Creates the memory that is carried from moment to moment and from block to block, for invariants over a chain.
   *
   * @param spare memory of another venue that is no longer used: it may become the new one
   */
  start?(state: State, spare?: never): unknown;
  /** The memory stays true if blocks are left out: a later sweep does not start from scratch. */
  readonly lasting?: boolean;
  /**
   * Checks one event of `kinds` as it is emitted: `moment.ledger.now` is the venue just before it.
   *
   * @param at where the event starts in `moment.data`
   */
  event?(moment: Moment, at: number, memory: never): Answer;
  touched?(moment: Moment, memory: never): Answer;
  /** @param memory the value of `start`, as updated by earlier moments and blocks */
  sweep?(state: State, step: Step, memory: never): Answer;
}

interface Definition<Memory> extends Omit<Invariant, "start" | "event" | "touched" | "sweep" | "catalogue"> {
  readonly catalogue?: readonly string[];
  start?(state: State, spare?: Memory): Memory;
  event?(moment: Moment, at: number, memory: Memory): Answer;
  touched?(moment: Moment, memory: Memory): Answer;
  sweep?(state: State, step: Step, memory: Memory): Answer;
}

/**
 * Defines an invariant.
 *
 *     defineInvariant({
 *       id: "noBigFish",
 *       sentence: "No account holds more than a million.",
 *       rules: [],
 *       when: "block",
 *       sweep(state, step) {
 *         for (let row = 0; row < state.accounts.rows.high; row++) {
 *           step.met++;
 *           if (state.accounts.collateral[row] > 1e12) return `account ${row} holds ${state.accounts.collateral[row]}`;
 *         }
 *       },
 *     });
 */
export function defineInvariant<Memory = undefined>(definition: Definition<Memory>): Invariant {
  return { catalogue: [], ...definition };
}
