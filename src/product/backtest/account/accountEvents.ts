import { EVENT_KINDS, events, type VenueEvent } from "../../../protocol/events.ts";
import { EVENT_WIDTHS, readEvent } from "../../../venue/engine/events/readEvents.ts";

/** By place of a kind: offsets of its fields of unit `account`, counted from the event's start. */
const ACCOUNT_OFFSETS: readonly (readonly number[])[] = EVENT_KINDS.map((kind) =>
  Object.values(events[kind].fields).flatMap((unit, field) => (unit === "account" ? [field + 1] : [])),
);

const FUNDING_ACCRUED = EVENT_KINDS.indexOf("fundingAccrued");

/** The events of a range that name an account, and the funding payments of markets, decoded in order. */
export function readAccountEvents(data: Float64Array, from: number, to: number, account: number): VenueEvent[] {
  const found: VenueEvent[] = [];
  for (let at = from; at < to; ) {
    const code = data[at]!;
    if (code === FUNDING_ACCRUED) found.push(readEvent(data, at));
    for (const offset of ACCOUNT_OFFSETS[code]!) {
      if (data[at + offset] !== account) continue;
      found.push(readEvent(data, at));
      break;
    }
    at += EVENT_WIDTHS[code]!;
  }
  return found;
}
