/** What happened in a chain, event by event, from its first block on: what the plain twins of lists are read from. */

import type { VenueEvent } from "../../../src/protocol/events.ts";
import { walkEvents } from "../../../src/server/history/walkEvents.ts";
import type { BlockEntry } from "../../../src/server/host/host.ts";
import { readEvent } from "../../../src/venue/engine/events/readEvents.ts";
import type { State } from "../../../src/venue/engine/state/state.ts";

export interface Happened {
  readonly event: VenueEvent;
  /** `<height>-<transaction>-<event>`. */
  readonly name: string;
  readonly height: number;
  readonly timeMs: number;
  readonly txIndex: number;
}

/** What is known of an order by the events that name it. */
export interface OrderTrace {
  readonly firstHeight: number;
  lastHeight: number;
  filled: number;
}

/** A venue and all blocks that led to it. */
export class TwinChain {
  readonly entries = new Map<number, BlockEntry>();
  readonly happened: Happened[] = [];
  readonly orders = new Map<number, OrderTrace>();
  readonly #state: () => State;

  constructor(state: () => State) {
    this.#state = state;
  }

  get state(): State {
    return this.#state();
  }

  add(entry: BlockEntry): void {
    this.entries.set(entry.height, entry);
    walkEvents(entry, (at, { height, timeMs, txIndex, eventIndex }) => {
      const event = readEvent(entry.events, at);
      this.happened.push({ event, name: `${height}-${txIndex}-${eventIndex}`, height, timeMs, txIndex });
      this.#trace(event, height);
    });
  }

  /** The newest first. */
  newest(): Happened[] {
    return this.happened.toReversed();
  }

  #trace(event: VenueEvent, height: number): void {
    const touch = (id: number, filled = 0): void => {
      if (id === 0) return;
      const known = this.orders.get(id) ?? { firstHeight: height, lastHeight: height, filled: 0 };
      known.lastHeight = height;
      known.filled += filled;
      this.orders.set(id, known);
    };
    switch (event.kind) {
      case "fill":
        touch(event.makerOrder, event.size);
        touch(event.takerOrder, event.size);
        break;
      case "orderOpened":
      case "orderAmended":
      case "orderResized":
      case "orderCancelled":
        touch(event.order);
        break;
      default:
    }
  }
}
