import type { EventKind, VenueEvent } from "../../protocol/events.ts";
import type { Block } from "../../protocol/transaction.ts";
import type { BlockResult } from "../../venue/engine/applyBlock.ts";
import { EVENT_WIDTHS, readEvents } from "../../venue/engine/events/readEvents.ts";
import type { State } from "../../venue/engine/state/state.ts";
import type { Moment } from "./moment.ts";
import type { Tally } from "./tally.ts";

/** What led to the state that is looked at: a whole block. */
export interface Step extends Tally {
  /** The venue before it, for reading and forking only. */
  readonly before: State;
  readonly block: Block;
  readonly result: BlockResult;
  /** Events of the block, decoded. */
  readonly events: readonly VenueEvent[];
  /** Where each of them starts in the event data. */
  readonly places: readonly number[];
}

/** @param before a fork made before the block, of the venue that the result belongs to */
export function createStep(before: State, block: Block, result: BlockResult): Step {
  const places: number[] = [];
  for (let at = result.from; at < result.to; at += EVENT_WIDTHS[result.events[at]!]!) places.push(at);
  const events = readEvents(result.events, result.from, result.to);
  return { before, block, result, events, places, met: 0, least: Number.POSITIVE_INFINITY };
}

/** Events of one transaction of a step. */
export function eventsOf({ result, events, places }: Step, index: number): VenueEvent[] {
  const { eventsFrom, eventsTo } = result.receipts;
  return events.slice(findPlace(places, eventsFrom[index]!), findPlace(places, eventsTo[index]!));
}

/** How many of the rising places lie below one. */
function findPlace(places: readonly number[], below: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle]! < below) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A value that a violation turns on, for reports. */
export interface Term {
  readonly name: string;
  readonly value: string;
}

/** What was seen where an invariant does not hold. */
export interface Finding {
  readonly observed: string;
  /** What it happened to: `account 3`, `order 64`. Default: what the words begin with. */
  readonly entity?: string;
  readonly terms?: readonly Term[];
}

/** What was seen, in words and numbers, where it does not hold; nothing where it does. */
export type Answer = string | Finding | undefined;

/**
 * When an invariant is looked at: after every transaction and step at what it touched; after a block at everything; at
 * the events of a chain, in their order; or at pairs of whole sequences of blocks.
 */
export type When = "transaction" | "block" | "events" | "sequence";

/**
 * Something that always holds. `touched` looks at what one transaction or step touched, `sweep` at everything after a
 * block; where there are both they see the same. They answer with what they saw when it does not hold, and change nothing.
 */
export interface Invariant {
  readonly id: string;
  /** What holds, as a sentence. */
  readonly sentence: string;
  /** Sections of the protocol that say so. */
  readonly rules: readonly string[];
  /** Rows of the catalogue of invariants that it stands for. */
  readonly catalogue: readonly string[];
  readonly when: When;
  /** Only these events are looked at by `event`, and only moments with one of them by `touched`. Default: all moments. */
  readonly kinds?: readonly EventKind[];
  /**
   * Unit of the distances that its checks say with `near`: `lots`, `quote units`. A search goes where they are least.
   * Absent where there is nothing between held and broken.
   */
  readonly slack?: string;
  /** The sweep costs more than the block: it is looked at less often in a campaign. */
  readonly heavy?: boolean;
  /**
   * Its sweep comes, too, after every n-th block with news: a kind of event, a cause or a stage that no block before told of.
   */
  readonly news?: number;
  /** What is carried from moment to moment and from block to block, for invariants over a chain. */
  start?(state: State): unknown;
  /** What it remembers stays true where blocks are left out: a sweep does not start anew then. */
  readonly lasting?: boolean;
  /**
   * Looks at one event of `kinds` as it is told: `moment.ledger.now` is the venue just before it.
   *
   * @param at where it stands in `moment.data`
   */
  event?(moment: Moment, at: number, memory: never): Answer;
  touched?(moment: Moment, memory: never): Answer;
  /** @param memory what `start` made, as the moments and blocks before left it */
  sweep?(state: State, step: Step, memory: never): Answer;
}

interface Definition<Memory> extends Omit<Invariant, "start" | "event" | "touched" | "sweep" | "catalogue"> {
  readonly catalogue?: readonly string[];
  start?(state: State): Memory;
  event?(moment: Moment, at: number, memory: Memory): Answer;
  touched?(moment: Moment, memory: Memory): Answer;
  sweep?(state: State, step: Step, memory: Memory): Answer;
}

/**
 * Defines what always holds.
 *
 *     defineInvariant({
 *       id: "noBigFish",
 *       sentence: "Nobody holds more than a million.",
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
