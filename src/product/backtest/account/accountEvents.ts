import { EVENT_CODES, EVENT_KINDS, events, type VenueEvent } from "../../../protocol/events.ts";
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

/** Whether no event of a range names an account: payments of funding by a market name none. */
export function isUnnamed(data: Float64Array, from: number, to: number, account: number): boolean {
  for (let at = from; at < to; ) {
    const code = data[at]!;
    if (namesAccount(data, at, ACCOUNT_OFFSETS[code]!, account)) return false;
    at += EVENT_WIDTHS[code]!;
  }
  return true;
}

const ACCRUED = Object.keys(events.fundingAccrued.fields);
const ACCRUED_MARKET = 1 + ACCRUED.indexOf("market");
const ACCRUED_RATE = 1 + ACCRUED.indexOf("rate");

/** Doubles of a payment of funding by a market. */
export const PAYMENT_WIDTH = 1 + ACCRUED.length;

/** The place of the next payment of funding by a market, from the start of an event on; `to` for none. */
export function findPayment(data: Float64Array, from: number, to: number): number {
  let at = from;
  while (at < to && data[at] !== EVENT_CODES.fundingAccrued) at += EVENT_WIDTHS[data[at]!]!;
  return at;
}

/** Market of the payment at a place. */
export function paymentMarket(data: Float64Array, at: number): number {
  return data[at + ACCRUED_MARKET]!;
}

/** Rate of the payment at a place, ppb. */
export function paymentRate(data: Float64Array, at: number): number {
  return data[at + ACCRUED_RATE]!;
}

function namesAccount(data: Float64Array, at: number, offsets: readonly number[], account: number): boolean {
  for (const offset of offsets) if (data[at + offset] === account) return true;
  return false;
}
