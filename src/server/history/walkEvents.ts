import { EVENT_WIDTHS } from "../../venue/engine/events/readEvents.ts";
import type { BlockEntry } from "../host/host.ts";

/** Position of an event in its block (EVT-2). */
export interface EventPlace {
  readonly height: number;
  readonly timeMs: number;
  /** Index among all events of the block. */
  readonly ordinal: number;
  /** Index of its transaction; n + k for an effect of a step before the k-th transaction of a block of n. */
  readonly txIndex: number;
  /** Index among the events of the same `txIndex`. */
  readonly eventIndex: number;
}

/** The id of an event: a function of the chain alone (EVT-2). */
export function nameEvent({ height, txIndex, eventIndex }: Omit<EventPlace, "ordinal" | "timeMs">): string {
  return `${height}-${txIndex}-${eventIndex}`;
}

/** A run of events of one `txIndex`: offsets in the block's event data. */
export interface Segment {
  readonly txIndex: number;
  readonly from: number;
  readonly to: number;
}

/** Segments of a block that hold events, in the order of the block. */
export function listSegments({ receipts, events }: Pick<BlockEntry, "receipts" | "events">): Segment[] {
  const segments: Segment[] = [];
  const add = (txIndex: number, from: number, to: number) => {
    if (to > from) segments.push({ txIndex, from, to });
  };
  let at = 0;
  receipts.forEach(({ eventsFrom, eventsTo }, index) => {
    add(receipts.length + index, at, eventsFrom);
    add(index, eventsFrom, eventsTo);
    at = eventsTo;
  });
  add(receipts.length * 2, at, events.length);
  return segments;
}

/**
 * A walk over the events of a block, in pieces that the caller chooses, since a block may have a million events. It is
 * the position of the event that is visited.
 */
export class EventWalk implements EventPlace {
  readonly entry: BlockEntry;
  readonly height: number;
  readonly timeMs: number;
  ordinal = -1;
  txIndex = 0;
  eventIndex = -1;
  readonly #segments: readonly Segment[];
  #segment = 0;
  #at: number;

  constructor(entry: BlockEntry) {
    this.entry = entry;
    this.height = entry.height;
    this.timeMs = entry.timeMs;
    this.#segments = listSegments(entry);
    this.#at = this.#segments[0]?.from ?? 0;
  }

  /** Visits up to `most` further events; true if none is left. */
  advance(most: number, visit: (at: number) => void, endSegment?: (segment: Segment) => void): boolean {
    const { events } = this.entry;
    let left = most;
    for (; this.#segment < this.#segments.length; this.#segment++) {
      const segment = this.#segments[this.#segment]!;
      if (this.#at <= segment.from) {
        this.#at = segment.from;
        this.txIndex = segment.txIndex;
        this.eventIndex = -1;
      }
      for (; this.#at < segment.to; this.#at += EVENT_WIDTHS[events[this.#at]!]!) {
        if (left-- === 0) return false;
        this.ordinal++;
        this.eventIndex++;
        visit(this.#at);
      }
      endSegment?.(segment);
    }
    return true;
  }
}

/** Visits every event of a block: its offset in the event data, and its position. */
export function walkEvents(entry: BlockEntry, visit: (at: number, place: EventPlace) => void): void {
  const walk = new EventWalk(entry);
  walk.advance(Number.POSITIVE_INFINITY, (at) => visit(at, placeOf(walk)));
}

/** A copy of a position. */
export function placeOf({ height, timeMs, ordinal, txIndex, eventIndex }: EventPlace): EventPlace {
  return { height, timeMs, ordinal, txIndex, eventIndex };
}

/** Number of events between two offsets of event data. */
export function countEvents(events: Float64Array, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += EVENT_WIDTHS[events[at]!]!) count++;
  return count;
}
