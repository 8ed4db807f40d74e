import { getHead } from "../../../venue/engine/commitment/root.ts";
import { readEvent } from "../../../venue/engine/events/readEvents.ts";
import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { Simulation } from "../../../venue/simulation/simulation.ts";
import {
  BOOK_BLOCKS,
  type BookChange,
  type BookChanges,
  diffLevels,
  type FindResting,
  type Level,
  readLevel,
  TouchedLevels,
} from "../../history/bookChanges.ts";
import { walkEvents } from "../../history/walkEvents.ts";
import type { BlockEntry, VenueHost } from "../../host/host.ts";

/**
 * Most blocks, and transactions in them, that are applied again to rebuild books from before the start of the service.
 */
export const REBUILD_LIMITS = { blocks: 50_000, transactions: 200_000 } as const;

/**
 * Rebuilds the books from before the start of the service, as far back as streams can be resumed. It applies the stored
 * blocks to an earlier state. It runs once per service, when a client first resumes such a book. If that takes too many
 * blocks, or they are pruned, the earlier books stay unknown.
 */
export function rebuildOldBooks(host: VenueHost, books: BookChanges): void {
  if (books.isRebuilt) return;
  books.isRebuilt = true;
  const end = books.fromHeight;
  const start = Math.max(host.state.height - BOOK_BLOCKS, host.oldestHeight - 1, 0);
  const state = start < end ? host.past(start) : undefined;
  if (state === undefined || end - state.height > REBUILD_LIMITS.blocks) return;
  const changes: BookChange[] = [];
  const replay = new Simulation(state);
  while (state.height < end) {
    const entry = host.block(state.height + 1);
    if (entry === undefined || replay.transactions + entry.ids.length > REBUILD_LIMITS.transactions) return;
    if (entry.height <= start) replay.apply(entry);
    else changes.push(...applyWatched(replay, entry));
    if (getHead(state) !== entry.hash) return;
  }
  books.rebuildOldBooks(start, changes);
}

/** Applies a block, and returns its changes of books. */
function applyWatched(replay: Simulation, entry: BlockEntry): BookChange[] {
  const { state } = replay;
  const { height, timeMs, events } = entry;
  const touched = new TouchedLevels();
  const find = findIn(state);
  walkEvents(entry, (at) => touched.add(readEvent(events, at), find));
  const before = new Map<string, Level>();
  for (const [market, ticks] of touched.ofMarket) {
    for (const price of ticks) {
      for (const key of [price, -price]) before.set(`${market} ${key}`, readLevel(state, market as MarketRow, key));
    }
  }
  replay.apply(entry);
  return [...touched.ofMarket].flatMap(([market, ticks]) => {
    const levels = diffLevels(
      ticks,
      (key) => before.get(`${market} ${key}`)!,
      (key) => readLevel(state, market as MarketRow, key),
    );
    return levels.length === 0 ? [] : [{ height, timeMs, market, levels }];
  });
}

function findIn({ orders, orderIndex, positions }: State): FindResting {
  return (id) => {
    const row = orderIndex.find(orders, id);
    if (row < 0) return undefined;
    return { market: positions.market[orders.position[row]!]!, ticks: orders.price[row]! };
  };
}
