/** Faults that are planted in a venue at the end of a block, or in the step that led there. */
import { NONE } from "../../../../src/ground/collections/table.ts";
import type { Answer, Step } from "../../../../src/proof/invariants/machinery/defineInvariant.ts";
import type { VenueEvent } from "../../../../src/protocol/events.ts";
import {
  FLAG_REDUCE_ONLY,
  FLAG_SELL,
  type OrderRow,
  type PositionRow,
} from "../../../../src/venue/engine/state/schema.ts";
import type { State } from "../../../../src/venue/engine/state/state.ts";
import { listOrders, listPositions } from "../../../../src/venue/engine/state/walk.ts";
import type { Moment } from "../../../helpers/flows.ts";

export interface Plant {
  readonly fault: string;
  /** A moment to plant in, if the rich one does not fit. */
  readonly at?: () => Moment;
  /** Plants in a fork of the moment's state, or in its step: returns the step to check if it is another. */
  plant(state: State, step: Step): Step | void;
  /** Checks with a faulty part of the engine instead. */
  readonly check?: (state: State, step: Step) => Answer;
}

/** Faults by the id of the invariant that finds them. */
export type Plants = Readonly<Record<string, readonly Plant[]>>;

/** An order on the closing side of a position, which can be planted as reduce-only. */
export function findClosing(state: State, at: PositionRow): OrderRow | undefined {
  const size = state.positions.signedLots[at]!;
  return listOrders(state).find((row) => {
    const flags = state.orders.flags[row]!;
    const sells = (flags & FLAG_SELL) !== 0;
    return state.orders.position[row] === at && (flags & FLAG_REDUCE_ONLY) === 0 && sells === size > 0;
  });
}

export const firstOpen = (state: State) => listPositions(state).find((at) => state.positions.signedLots[at] !== 0)!;

export const firstOrder = (state: State) => listOrders(state)[0]!;

/** A step with other events. */
export const eventStep = (step: Step, events: readonly unknown[]): Step => ({
  ...step,
  events: events as VenueEvent[],
});

/** Whether an order rested before a step. */
export function wasOpen({ before }: Step, order: number): boolean {
  return before.orderIndex.find(before.orders, order) !== NONE;
}

/** Events with one field of the first (resting, for cancellations) of a kind changed. */
export function change(step: Step, kind: VenueEvent["kind"], field: string, by: number): VenueEvent[] {
  let done = false;
  return step.events.map((event) => {
    if (done || event.kind !== kind || (event.kind === "orderCancelled" && !wasOpen(step, event.order))) return event;
    done = true;
    const value = (event as unknown as Record<string, number>)[field]!;
    return { ...event, [field]: value + by } as VenueEvent;
  });
}
