import type { Event } from "../../../client/api/schemas/transactions.ts";
import { actions } from "../../../protocol/actions/index.ts";
import type { EventUnit } from "../../../protocol/event.ts";
import { events } from "../../../protocol/events.ts";
import type { Address } from "../../../protocol/fields.ts";
import { type Transaction, ZERO_ADDRESS } from "../../../protocol/transaction.ts";
import { readEvent } from "../../../venue/engine/events/readEvents.ts";
import type { AccountRow, AuthorizationRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { addressOf } from "../../../venue/reads/rows.ts";
import type { Models } from "../../history/history.ts";
import type { EventPlace } from "../../history/walkEvents.ts";
import type { BlockEntry } from "../../host/host.ts";
import type { Reader } from "../services/access.ts";
import { viewEvent } from "./events.ts";

/** Resolves the accounts that events name by ordinals and ids. */
export interface ParticipantNames extends Pick<Models, "orders" | "intents" | "liquidations"> {
  readonly state: State;
}

/**
 * Addresses whose data a transaction carries: the account and its signer; for a system transaction the accounts that
 * its payload names. A system transaction without accounts (prices, markets) is public, and the list is empty.
 */
export function listParticipants({ action, header, payload }: Transaction): Address[] {
  const { authority, fields } = actions[action] as {
    readonly authority?: string;
    readonly fields: Readonly<Record<string, { readonly kind: string }>>;
  };
  if (authority === undefined) return [header.account.address, header.signer];
  const values = payload as Readonly<Record<string, unknown>>;
  return Object.entries(fields)
    .filter(([name, { kind }]) => kind === "address" && values[name] !== ZERO_ADDRESS)
    .map(([name]) => values[name] as Address);
}

/** Whether a reader may see a transaction: a public one, one of its address, or one that it signed. */
export function isTransactionSeen(reader: Reader, transaction: Transaction): boolean {
  const participants = listParticipants(transaction);
  return participants.length === 0 || reader.sees(...participants);
}

/** Members of a fill that belong to one of its two sides. */
const SIDE_PREFIX = /^(maker|taker)/;

/**
 * Fields of an event that are hidden from a reader; undefined if the whole event is. Both accounts of an event see it,
 * without the fields of the other. Events that name no account (prices, funding rates, markets) are public.
 */
function findHidden(
  reader: Reader,
  names: ParticipantNames,
  entry: BlockEntry,
  at: number,
  place: EventPlace,
): readonly string[] | undefined {
  if (reader.isUnlimited) return [];
  const event = readEvent(entry.events, at);
  const values = event as unknown as Readonly<Record<string, number>>;
  const units = Object.entries(events[event.kind].fields) as [string, EventUnit][];
  const foreign: string[] = [];
  let own = 0;
  for (const [name, unit] of units) {
    const owners = listOwners(names, unit, values[name]!);
    if (owners === undefined) continue;
    if (reader.sees(...owners)) own++;
    else foreign.push(name);
  }
  if (own === 0 && (foreign.length > 0 || !isPublic(reader, entry, place, units))) return undefined;
  const sides = new Set(foreign.map((name) => SIDE_PREFIX.exec(name)?.[0]));
  sides.delete(undefined);
  return units.map(([name]) => name).filter((name) => foreign.includes(name) || sides.has(SIDE_PREFIX.exec(name)?.[0]));
}

/** Whether a reader may see anything of an event. */
export function isEventSeen(...event: Parameters<typeof findHidden>): boolean {
  return findHidden(...event) !== undefined;
}

/** An event as a reader may see it: fields of other accounts are null; undefined if the whole event is hidden. */
export function viewEventFor(...[reader, names, entry, at, place]: Parameters<typeof findHidden>): Event | undefined {
  const hidden = findHidden(reader, names, entry, at, place);
  if (hidden === undefined) return undefined;
  const view = viewEvent(names, entry, at, place);
  if (hidden.length === 0) return view;
  return { ...view, fields: { ...view.fields, ...Object.fromEntries(hidden.map((name) => [name, null])) } };
}

/**
 * An event that names no account: public if it is about a market, or belongs to a transaction that the reader may see.
 */
function isPublic(
  reader: Reader,
  entry: BlockEntry,
  { txIndex }: EventPlace,
  units: readonly (readonly [string, EventUnit])[],
): boolean {
  if (units.some(([, unit]) => unit === "market")) return true;
  const transaction = entry.transactions[txIndex];
  return transaction === undefined || isTransactionSeen(reader, transaction);
}

/** Addresses of an event's field: undefined if it names no account, empty if the account is no longer known. */
function listOwners(names: ParticipantNames, unit: EventUnit, value: number): readonly Address[] | undefined {
  const { state, orders, intents, liquidations } = names;
  const ownerOf = (record: { readonly account: number } | undefined) =>
    record === undefined ? [] : [addressOf(state, record.account as AccountRow)];
  switch (unit) {
    case "account":
      return value < 0 ? undefined : [addressOf(state, value as AccountRow)];
    case "order":
      return value <= 0 ? undefined : ownerOf(orders.find(value) ?? intents.find(value));
    case "intent":
      return value <= 0 ? undefined : ownerOf(intents.find(value));
    case "liquidation":
      return value <= 0 ? undefined : ownerOf(liquidations.find(value));
    case "authorization":
      return value < 0 ? undefined : listGrantParties(state, value as AuthorizationRow);
    default:
      return undefined;
  }
}

/** Owner and agent of a grant. */
export function listGrantParties(state: State, grant: AuthorizationRow): Address[] {
  const { authorizations, grants } = state;
  return [addressOf(state, authorizations.account[grant]!), grants.agents[grant]!.toLowerCase() as Address];
}
