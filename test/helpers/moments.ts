/** Faults planted in the middle of a block, between a transaction or step and the look of a watch at it. */
import { NONE } from "../../src/ground/collections/table.ts";
import { Flow } from "../../src/proof/fuzz/flow/flow.ts";
import type { Invariant } from "../../src/proof/invariants/machinery/defineInvariant.ts";
import { type Violation, Watch } from "../../src/proof/invariants/machinery/watching/watch.ts";
import { type EventKind, events, type VenueEvent } from "../../src/protocol/events.ts";
import type { Block, Transaction } from "../../src/protocol/transaction.ts";
import { applyBlock } from "../../src/venue/engine/applyBlock.ts";
import { findActor } from "../../src/venue/engine/authorization/admission.ts";
import { EVENT_WIDTHS, readEvent } from "../../src/venue/engine/events/readEvents.ts";
import { createVenue } from "../../src/venue/engine/genesis.ts";
import type { BlockStep, Probe } from "../../src/venue/engine/probe.ts";
import { forkState } from "../../src/venue/engine/state/forkState.ts";
import type { AccountRow } from "../../src/venue/engine/state/schema.ts";
import type { State } from "../../src/venue/engine/state/state.ts";

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

/** A block of a flow, counted from its genesis. */
export interface Place {
  readonly seed: number;
  readonly block: number;
}

const SEEDS = 140;
const BLOCKS = 150;

/**
 * Runs flows once for all faults.
 *
 * @returns for each fault the first block that has a wanted instant; none for a fault that no flow wants
 */
export function findPlaces(faults: readonly PlantedFault[]): Map<PlantedFault, Place> {
  const places = new Map<PlantedFault, Place>();
  for (let seed = 1; seed < SEEDS && places.size < faults.length; seed++) {
    const flow = new Flow(seed);
    const state = createVenue(flow.genesis);
    let before: State | undefined;
    for (let count = 0; count < BLOCKS && places.size < faults.length; count++) {
      const block = flow.next(state);
      before = forkState(state, state.genesis, before);
      const instants = new Instants(block, before, (instant) => {
        for (const fault of faults) {
          if (!places.has(fault) && fault.isWanted(instant)) places.set(fault, { seed, block: count });
        }
      });
      applyBlock(state, block, instants);
    }
  }
  return places;
}

/**
 * Plants at the first wanted instant of a block, and lets a watch that follows the flow from its genesis continue to
 * the end of the block. A fault that shows later is planted in further flows until one shows it.
 *
 * @returns what it found; without a fault, every moment up to there held
 */
export function findPlanted(fault: PlantedFault, list: readonly Invariant[], place: Place): readonly Violation[] {
  for (let { seed, block: from } = place; seed < SEEDS; seed++, from = 0) {
    const flow = new Flow(seed);
    const state = createVenue(flow.genesis);
    const watch = new Watch(state, { invariants: list, sweepEvery: 0, heavyEvery: 0, thorough: false });
    for (let count = 0; count < BLOCKS; count++) {
      const block = flow.next(state);
      if (count >= from) {
        const planted = new Planter(fault, block, watch, state);
        const twin = forkState(state);
        const result = applyBlock(twin, block, planted.probe);
        if (planted.done && fault.later !== true) return watch.check(twin, block, result);
        if (planted.done) {
          const later = watchLaterBlocks(twin, flow, watch, watch.check(twin, block, result), 60);
          if (later.length > 0) return later;
          break;
        }
        if (fault.later !== true) break;
      }
      const found = watch.check(state, block, applyBlock(state, block, watch.probe));
      if (found.length > 0) throw new Error(`without a fault: ${JSON.stringify(found[0])}`);
    }
    if (fault.later !== true) break;
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

/** A probe that shows each instant of a block. */
class Instants implements Probe {
  readonly #block: Block;
  readonly #before: State;
  readonly #onInstant: (instant: Instant) => void;
  #at = 0;

  constructor(block: Block, before: State, onInstant: (instant: Instant) => void) {
    this.#block = block;
    this.#before = before;
    this.#onInstant = onInstant;
  }

  beforeBlock(_state: State, _block: Block, from: number): void {
    this.#at = from;
  }

  afterTransaction(state: State, index: number): void {
    this.#show(state, this.#block.transactions[index], undefined);
  }

  afterStep(state: State, step: BlockStep): void {
    this.#show(state, undefined, step);
  }

  #show(state: State, transaction: Transaction | undefined, step: BlockStep | undefined): void {
    const list: VenueEvent[] = [];
    const places: number[] = [];
    const { data, length } = state.events;
    for (; this.#at < length; this.#at += EVENT_WIDTHS[data[this.#at]!]!) {
      list.push(readEvent(data, this.#at));
      places.push(this.#at);
    }
    this.#onInstant({
      state,
      before: this.#before,
      block: this.#block,
      transaction,
      step,
      actor: transaction === undefined ? (NONE as AccountRow) : findActor(state, transaction),
      status: transaction === undefined ? "applied" : state.receipts.status(state.receipts.count - 1),
      events: list,
      places,
    });
  }
}

/** Plants once, before the probe of a watch sees the instant. */
class Planter {
  done = false;
  readonly probe: Probe;

  constructor(fault: PlantedFault, block: Block, watch: Watch, before: State) {
    const instants = new Instants(block, before, (instant) => {
      if (this.done || !fault.isWanted(instant)) return;
      this.done = true;
      fault.plant(instant);
    });
    this.probe = {
      beforeBlock(state, next, from) {
        instants.beforeBlock(state, next, from);
        watch.probe.beforeBlock!(state, next, from);
      },
      afterTransaction(state, index) {
        instants.afterTransaction(state, index);
        watch.probe.afterTransaction(state, index);
      },
      afterStep(state, step) {
        instants.afterStep(state, step);
        watch.probe.afterStep!(state, step);
      },
    };
  }
}
