import { EVENT_KINDS, events, type VenueEvent } from "../../../protocol/events.ts";
import { EVENT_READERS } from "./eventReaders.ts";

/** Doubles of an event by the place of its kind. */
export const EVENT_WIDTHS: readonly number[] = EVENT_KINDS.map((kind) => Object.keys(events[kind].fields).length + 1);

/** Decodes the events of a log between two places, as objects. */
export function readEvents(data: Float64Array, from: number, to: number): VenueEvent[] {
  const list: VenueEvent[] = [];
  for (let at = from; at < to; at += EVENT_WIDTHS[data[at]!]!) list.push(readEvent(data, at));
  return list;
}

/** Decodes the event that starts at `at`. */
export function readEvent(data: Float64Array, at: number): VenueEvent {
  return EVENT_READERS[data[at]!]!(data, at);
}
