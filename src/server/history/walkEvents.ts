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

/** Visits every event of a block: its offset in the event data, and its position. */
export function walkEvents(
  entry: BlockEntry,
  visit: (at: number, place: EventPlace) => void,
  endSegment?: (segment: Segment) => void,
): void {
  const { height, timeMs, events } = entry;
  let ordinal = 0;
  for (const segment of listSegments(entry)) {
    const { txIndex, from, to } = segment;
    let eventIndex = 0;
    for (let at = from; at < to; at += EVENT_WIDTHS[events[at]!]!) {
      visit(at, { height, timeMs, ordinal: ordinal++, txIndex, eventIndex: eventIndex++ });
    }
    endSegment?.(segment);
  }
}

/** Number of events between two offsets of event data. */
export function countEvents(events: Float64Array, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += EVENT_WIDTHS[events[at]!]!) count++;
  return count;
}
