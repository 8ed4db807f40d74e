import { EVENT_KINDS, type EventKind, events } from "../../../protocol/events.ts";
import { getOrAdd } from "../../history/getOrAdd.ts";
import { runToEnd, type Slices } from "../../history/slices.ts";
import { EventWalk } from "../../history/walkEvents.ts";
import type { BlockEntry } from "../../host/host.ts";

/** Rows that one or several consecutive blocks touched, according to their events. By ordinals and ids. */
export interface Changes {
  /** The last of the blocks. */
  readonly entry: BlockEntry;
  /** First height of the changes. */
  readonly fromHeight: number;
  readonly entries: readonly BlockEntry[];
  readonly markets: ReadonlySet<number>;
  /** Markets whose definition or status changed. */
  readonly definitions: ReadonlySet<number>;
  /** By account, as are intents: an account's stream must not cost the changes of all others. */
  readonly orders: OwnedIds;
  readonly accounts: ReadonlySet<number>;
  /** Markets in which an account's position changed, by account. */
  readonly positions: ReadonlyMap<number, ReadonlySet<number>>;
  readonly intents: OwnedIds;
  readonly liquidations: ReadonlySet<number>;
  readonly authorizations: ReadonlySet<number>;
}

const DEFINITION_KINDS: ReadonlySet<EventKind> = new Set(["marketCreated", "marketChanged"]);
const POSITION_KINDS: ReadonlySet<EventKind> = new Set(["positionChanged", "fundingSettled", "marginChanged"]);

/** Accounts and markets of orders and intents, for events that name only those. */
export interface Owners {
  readonly orders: { find(id: number): { readonly account: number; readonly market: number } | undefined };
  readonly intents: { find(id: number): { readonly account: number } | undefined };
}

/** Changed rows by the account that they belong to. */
export class OwnedIds {
  readonly #of = new Map<number, { readonly id: number; readonly place: number }[]>();

  /** @param place of the row among all that changed */
  add(account: number, id: number, place: number): void {
    getOrAdd(this.#of, account, () => []).push({ id, place });
  }

  /** Rows of some accounts, in the order in which they changed. */
  of(accounts: readonly number[]): number[] {
    const found = accounts.flatMap((account) => this.#of.get(account) ?? []);
    if (accounts.length > 1) found.sort((a, b) => a.place - b.place);
    return found.map(({ id }) => id);
  }
}

const NOTHING = new Set<number>();
const NONE_OWNED = new OwnedIds();

/** A block whose events are not needed: its changes are read elsewhere. */
export function changesOfBlock(entry: BlockEntry): Changes {
  return {
    entry,
    fromHeight: entry.height,
    entries: [entry],
    markets: NOTHING,
    definitions: NOTHING,
    orders: NONE_OWNED,
    accounts: NOTHING,
    positions: new Map(),
    intents: NONE_OWNED,
    liquidations: NOTHING,
    authorizations: NOTHING,
  };
}

/** Sets of changes that a field's unit is collected in. */
const UNITS = ["account", "market", "order", "intent", "liquidation", "authorization"] as const;
type Unit = (typeof UNITS)[number];

/** For each kind of event, by its index: offsets of the fields that name rows, with the indexes of their units. */
const NAMING_FIELDS: readonly (readonly (readonly [offset: number, unit: number])[])[] = EVENT_KINDS.map((kind) =>
  Object.values(events[kind].fields).flatMap((unit, at): [number, number][] => {
    const place = UNITS.indexOf(unit as Unit);
    return place < 0 ? [] : [[at + 1, place]];
  }),
);

/** Offset of a field in the events of a kind. */
function offsetOf(kind: EventKind, field: string): number {
  return Object.keys(events[kind].fields).indexOf(field) + 1;
}

/** By the index of a kind: offset of `market` if it changes a definition; of `account` and `market` if a position. */
const DEFINITION_MARKET = EVENT_KINDS.map((kind) => (DEFINITION_KINDS.has(kind) ? offsetOf(kind, "market") : 0));
const POSITION_FIELDS = EVENT_KINDS.map((kind) =>
  POSITION_KINDS.has(kind) ? ([offsetOf(kind, "account"), offsetOf(kind, "market")] as const) : undefined,
);

/** Events read before other work may run. */
const SLICE_EVENTS = 10_000;

/**
 * Collects changes by the units of the fields, so that a new kind of event needs no line here. Yields from time to
 * time, because a block may have a million events.
 */
export function* collectInSlices(entries: readonly BlockEntry[], owners: Owners): Slices<Changes> {
  const sets = UNITS.map(() => new Set<number>());
  const [accounts, markets, orderIds, intentIds, liquidations, authorizations] = sets as [
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
  ];
  const definitions = new Set<number>();
  const positions = new Map<number, Set<number>>();
  for (const each of entries) {
    const data = each.events;
    const walk = new EventWalk(each);
    const take = (at: number) => {
      const kind = data[at]!;
      for (const [offset, unit] of NAMING_FIELDS[kind]!) {
        const value = data[at + offset]!;
        if (value >= 0) sets[unit]!.add(value);
      }
      const market = DEFINITION_MARKET[kind]!;
      if (market > 0) definitions.add(data[at + market]!);
      const fields = POSITION_FIELDS[kind];
      if (fields !== undefined) getOrAdd(positions, data[at + fields[0]]!, newSet).add(data[at + fields[1]]!);
    };
    while (!walk.advance(SLICE_EVENTS, take)) yield;
  }

  const orders = new OwnedIds();
  let place = 0;
  for (const id of orderIds) {
    if (++place % SLICE_EVENTS === 0) yield;
    const order = owners.orders.find(id);
    if (order === undefined) continue;
    accounts.add(order.account);
    markets.add(order.market);
    orders.add(order.account, id, place);
  }
  const intents = new OwnedIds();
  for (const id of intentIds) {
    if (++place % SLICE_EVENTS === 0) yield;
    const intent = owners.intents.find(id);
    if (intent !== undefined) intents.add(intent.account, id, place);
  }

  const entry = entries.at(-1)!;
  const fromHeight = entries[0]!.height;
  return {
    entry,
    fromHeight,
    entries,
    markets,
    definitions,
    orders,
    accounts,
    positions,
    intents,
    liquidations,
    authorizations,
  };
}

/** The changes of blocks, all at once. */
export function collectChanges(entries: readonly BlockEntry[], owners: Owners): Changes {
  return runToEnd(collectInSlices(entries, owners));
}

const newSet = () => new Set<number>();
