import { EVENT_KINDS, events, type VenueEvent } from "../../../protocol/events.ts";

const FIELD_NAMES: readonly (readonly string[])[] = EVENT_KINDS.map((kind) => Object.keys(events[kind].fields));
/** Doubles of an event by the place of its kind. */
export const EVENT_WIDTHS: readonly number[] = FIELD_NAMES.map((names) => names.length + 1);

/** Decodes the events of a log between two places, as objects. */
export function readEvents(data: Float64Array, from: number, to: number): VenueEvent[] {
  const list: VenueEvent[] = [];
  for (let at = from; at < to; at += EVENT_WIDTHS[data[at]!]!) list.push(readEvent(data, at));
  return list;
}

/** Decodes the event that starts at `at`. */
export function readEvent(data: Float64Array, at: number): VenueEvent {
  const code = data[at]!;
  const event: Record<string, number | string> = { kind: EVENT_KINDS[code]! };
  const names = FIELD_NAMES[code]!;
  for (let field = 0; field < names.length; field++) event[names[field]!] = data[at + 1 + field]!;
  return event as unknown as VenueEvent;
}
