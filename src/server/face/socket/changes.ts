import { type EventKind, events, type VenueEvent } from "../../../protocol/events.ts";
import { readEvent } from "../../../venue/engine/events/readEvents.ts";
import { walkEvents } from "../../history/walkEvents.ts";
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
  readonly orders: ReadonlySet<number>;
  readonly accounts: ReadonlySet<number>;
  /** Markets in which an account's position changed, by account. */
  readonly positions: ReadonlyMap<number, ReadonlySet<number>>;
  readonly intents: ReadonlySet<number>;
  readonly liquidations: ReadonlySet<number>;
  readonly authorizations: ReadonlySet<number>;
}

const DEFINITION_KINDS: ReadonlySet<EventKind> = new Set(["marketCreated", "marketChanged"]);
const POSITION_KINDS: ReadonlySet<EventKind> = new Set(["positionChanged", "fundingSettled", "marginChanged"]);

/** Account and market of an order, for events that name only the order. */
export type FindOrder = (id: number) => { readonly account: number; readonly market: number } | undefined;

const NOTHING = new Set<number>();

/** A block whose events are not needed: its changes are read elsewhere. */
export function changesOfBlock(entry: BlockEntry): Changes {
  return {
    entry,
    fromHeight: entry.height,
    entries: [entry],
    markets: NOTHING,
    definitions: NOTHING,
    orders: NOTHING,
    accounts: NOTHING,
    positions: new Map(),
    intents: NOTHING,
    liquidations: NOTHING,
    authorizations: NOTHING,
  };
}

/** Collects changes by the units of the fields, so that a new kind of event needs no line here. */
export function collectChanges(entries: readonly BlockEntry[], findOrder: FindOrder): Changes {
  const markets = new Set<number>();
  const definitions = new Set<number>();
  const orders = new Set<number>();
  const accounts = new Set<number>();
  const positions = new Map<number, Set<number>>();
  const intents = new Set<number>();
  const liquidations = new Set<number>();
  const authorizations = new Set<number>();
  const setOf: Readonly<Record<string, Set<number>>> = {
    account: accounts,
    market: markets,
    order: orders,
    intent: intents,
    liquidation: liquidations,
    authorization: authorizations,
  };

  const take = (event: VenueEvent) => {
    const values = event as unknown as Readonly<Record<string, number>>;
    for (const [name, unit] of Object.entries(events[event.kind].fields)) {
      const value = values[name]!;
      if (value >= 0) setOf[unit]?.add(value);
    }
    if (DEFINITION_KINDS.has(event.kind)) definitions.add(values["market"]!);
    if (POSITION_KINDS.has(event.kind)) {
      const account = values["account"]!;
      const of = positions.get(account) ?? new Set();
      positions.set(account, of.add(values["market"]!));
    }
  };
  for (const entry of entries) walkEvents(entry, (at) => take(readEvent(entry.events, at)));

  for (const id of orders) {
    const order = findOrder(id);
    if (order === undefined) continue;
    accounts.add(order.account);
    markets.add(order.market);
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
