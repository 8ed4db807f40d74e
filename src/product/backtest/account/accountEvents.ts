import { EVENT_KINDS, events, type VenueEvent } from "../../../protocol/events.ts";
import { EVENT_WIDTHS, readEvent } from "../../../venue/engine/events/readEvents.ts";

/** For each kind of event, by its index: offsets of its fields of unit `account`, from the event's start. */
const ACCOUNT_OFFSETS: readonly (readonly number[])[] = EVENT_KINDS.map((kind) =>
  Object.values(events[kind].fields).flatMap((unit, field) => (unit === "account" ? [field + 1] : [])),
);

/** Kinds that concern every account: payments of funding in a market, and the balance of the insurance fund. */
const IS_COMMON: readonly boolean[] = EVENT_KINDS.map(
  (kind) => kind === "fundingAccrued" || kind === "insuranceChanged",
);

const NONE: VenueEvent[] = [];

/** The events of a range that name an account, and those that concern all, decoded in order. */
export function readAccountEvents(
  data: Float64Array,
  from: number,
  to: number,
  account: number,
): readonly VenueEvent[] {
  let found: VenueEvent[] = NONE;
  for (let at = from; at < to; ) {
    const code = data[at]!;
    if (IS_COMMON[code] || namesAccount(data, at, ACCOUNT_OFFSETS[code]!, account)) {
      // A list that begins with its first event has room for that one; many blocks have no other.
      if (found === NONE) found = [readEvent(data, at)];
      else found.push(readEvent(data, at));
    }
    at += EVENT_WIDTHS[code]!;
  }
  return found;
}

function namesAccount(data: Float64Array, at: number, offsets: readonly number[], account: number): boolean {
  for (const offset of offsets) if (data[at + offset] === account) return true;
  return false;
}
