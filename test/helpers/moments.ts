/** Faults planted in the middle of a block, between a transaction or step and the look of a watch at it. */
import { NONE } from "../../src/ground/collections/table.ts";
import { Flow } from "../../src/proof/generators/flow.ts";
import type { Invariant } from "../../src/proof/invariants/machinery/defineInvariant.ts";
import { type Violation, Watch } from "../../src/proof/invariants/machinery/watching/watch.ts";
import { type EventKind, events, type VenueEvent } from "../../src/protocol/events.ts";
import type { Block, Transaction } from "../../src/protocol/transaction.ts";
import { findActor } from "../../src/venue/engine/admission.ts";
import { applyBlock } from "../../src/venue/engine/applyBlock.ts";
import { EVENT_WIDTHS, readEvent } from "../../src/venue/engine/events/readEvents.ts";
import { createVenue } from "../../src/venue/engine/genesis.ts";
import type { BlockStep } from "../../src/venue/engine/probe.ts";
import type { AccountRow } from "../../src/venue/engine/state/schema.ts";
import { forkState, type State } from "../../src/venue/engine/state/state.ts";

/** What a transaction or step has just done. */
export interface Instant {
  readonly state: State;
  /** The venue as it was before the block. */
  readonly before: State;
  readonly block: Block;
  readonly transaction: Transaction | undefined;
  readonly step: BlockStep | undefined;
  readonly actor: AccountRow;
  readonly status: "applied" | "rejected" | "invalid";
  readonly events: readonly VenueEvent[];
  /** Places of the events in the venue's event data. */
  readonly places: readonly number[];
}

/** Sets a field of an event in place. */
export function setField(state: State, place: number, kind: EventKind, field: string, value: number): void {
  state.events.data[place + 1 + Object.keys(events[kind].fields).indexOf(field)] = value;
}

/** Adds to a field of the first event of a kind. */
export function bend({ state, events: list, places }: Instant, kind: EventKind, field: string, by: number): void {
  const at = list.findIndex((event) => event.kind === kind);
  setField(state, places[at]!, kind, field, (list[at] as unknown as Record<string, number>)[field]! + by);
}

export interface PlantedFault {
  isWanted(instant: Instant): boolean;
  plant(instant: Instant): void;
  /** The fault shows in later blocks only: the flow continues with it. */
  readonly later?: boolean;
}

/**
 * Plants at the first wanted instant of the first flow that has one, and lets a watch continue to the end of the block.
 *
 * @returns what it found; without a fault, every moment up to there held
 */
export function findPlanted(fault: PlantedFault, list: readonly Invariant[], thorough = false): readonly Violation[] {
  for (let seed = 1; seed < 140; seed++) {
    const flow = new Flow(seed);
    const state = createVenue(flow.genesis);
    const watch = new Watch(state, { invariants: list, sweepEvery: 0, heavyEvery: 0, thorough });
    for (let count = 0; count < 150; count++) {
      const block = flow.next(state);
      const planted = new Planter(fault, block, watch, state);
      const twin = forkState(state);
      const result = applyBlock(twin, block, planted);
      if (planted.done && fault.later !== true) return watch.check(twin, block, result);
      if (planted.done) {
        const later = watchLaterBlocks(twin, flow, watch, watch.check(twin, block, result), 60);
        if (later.length > 0) return later;
        break;
      }
      const found = watch.check(state, block, applyBlock(state, block));
      if (found.length > 0) throw new Error(`without a fault: ${JSON.stringify(found[0])}`);
    }
  }
  throw new Error("no flow comes to such an instant");
}

/** Checks further blocks of a flow until something is found. */
function watchLaterBlocks(
  state: State,
  flow: Flow,
  watch: Watch,
  found: readonly Violation[],
  blocks: number,
): readonly Violation[] {
  for (let count = 0; count < blocks && found.length === 0; count++) {
    const block = flow.next(state);
    found = watch.check(state, block, applyBlock(state, block, watch.probe));
  }
  return found;
}

/** A probe that plants once, in front of that of a watch. */
class Planter {
  done = false;
  readonly #fault: PlantedFault;
  readonly #block: Block;
  readonly #watch: Watch;
  readonly #before: State;
  #at = 0;

  constructor(fault: PlantedFault, block: Block, watch: Watch, before: State) {
    this.#before = before;
    this.#fault = fault;
    this.#block = block;
    this.#watch = watch;
  }

  beforeBlock(state: State, block: Block, from: number): void {
    this.#at = from;
    this.#watch.probe.beforeBlock!(state, block, from);
  }

  afterTransaction(state: State, index: number): void {
    this.#look(state, this.#block.transactions[index], undefined);
    this.#watch.probe.afterTransaction(state, index);
  }

  afterStep(state: State, step: BlockStep): void {
    this.#look(state, undefined, step);
    this.#watch.probe.afterStep!(state, step);
  }

  #look(state: State, transaction: Transaction | undefined, step: BlockStep | undefined): void {
    const list: VenueEvent[] = [];
    const places: number[] = [];
    const { data, length } = state.events;
    for (; this.#at < length; this.#at += EVENT_WIDTHS[data[this.#at]!]!) {
      list.push(readEvent(data, this.#at));
      places.push(this.#at);
    }
    if (this.done) return;
    const instant: Instant = {
      state,
      before: this.#before,
      block: this.#block,
      transaction,
      step,
      actor: transaction === undefined ? (NONE as AccountRow) : findActor(state, transaction),
      status: transaction === undefined ? "applied" : state.receipts.status(state.receipts.count - 1),
      events: list,
      places,
    };
    if (!this.#fault.isWanted(instant)) return;
    this.done = true;
    this.#fault.plant(instant);
  }
}
