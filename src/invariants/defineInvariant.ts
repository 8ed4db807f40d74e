import type { BlockResult } from "../engine/applyBlock.ts";
import { EVENT_WIDTHS, readEvents } from "../engine/events/readEvents.ts";
import type { State } from "../engine/state/state.ts";
import type { VenueEvent } from "../protocol/events.ts";
import type { Block } from "../protocol/transaction.ts";

/** What led to the state that is looked at: a whole block, or one with only a part of its transactions. */
export interface Step {
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
  return { before, block, result, events: readEvents(result.events, result.from, result.to), places };
}

/** Events of one transaction of a step. */
export function eventsOf({ result, events, places }: Step, index: number): VenueEvent[] {
  const { eventsFrom, eventsTo } = result.receipts.at(index);
  return events.filter((_event, at) => places[at]! >= eventsFrom && places[at]! < eventsTo);
}

/** One user transaction: `before` and the state differ by it alone, at the same prices. */
export interface TransactionStep extends Step {
  /** Its place in the block. */
  readonly index: number;
}

/**
 * Something that always holds. `check` answers with what it saw when it does not hold, in words and numbers, and changes
 * nothing.
 */
export interface Invariant {
  readonly id: string;
  /** What holds, as a sentence. */
  readonly sentence: string;
  /** Sections of the protocol that say so. */
  readonly rules: readonly string[];
  readonly when: "block";
  /** What is carried from block to block, for invariants over a chain. */
  start?(state: State): unknown;
  /** @param memory what `start` made, as the blocks before left it */
  check(state: State, step: Step, memory: never): string | undefined;
}

/** As `Invariant`, for what holds after every single user transaction. */
export interface TransactionInvariant {
  readonly id: string;
  readonly sentence: string;
  readonly rules: readonly string[];
  readonly when: "transaction";
  check(state: State, step: TransactionStep): string | undefined;
}

interface Definition<Memory> extends Omit<Invariant, "start" | "check"> {
  start?(state: State): Memory;
  check(state: State, step: Step, memory: Memory): string | undefined;
}

/** Defines what holds after every block. */
export function defineInvariant<Memory = undefined>(definition: Definition<Memory>): Invariant {
  return definition;
}

/** Defines what holds after every user transaction. */
export function defineTransactionInvariant(definition: TransactionInvariant): TransactionInvariant {
  return definition;
}
