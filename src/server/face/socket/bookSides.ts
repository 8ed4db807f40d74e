import { computeBookChecksum } from "../../../client/api/bookChecksum.ts";
import type { BookLevel } from "../../../client/api/schemas/markets.ts";
import type { BookDepth } from "../../../client/api/socket/channels.ts";
import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { viewSide } from "../views/book.ts";

/** Both sides of a book to a depth. */
export interface BookSides {
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
}

/** Levels that a book's checksum covers. */
const CHECKED = 10;

export function readSides(state: State, market: MarketRow, depth: BookDepth): BookSides {
  const levels = depth === "full" ? Number.POSITIVE_INFINITY : depth;
  return { bids: viewSide(state, market, "bids", levels), asks: viewSide(state, market, "asks", levels) };
}

export function checksumOf({ bids, asks }: BookSides): number {
  return computeBookChecksum(bids.slice(0, CHECKED), asks.slice(0, CHECKED));
}

/** The changes from one view of a book to the next; undefined if they are equal. */
export function diffSides(before: BookSides, after: BookSides): BookSides | undefined {
  const bids = diffSide(before.bids, after.bids);
  const asks = diffSide(before.asks, after.asks);
  return bids.length + asks.length === 0 ? undefined : { bids, asks };
}

/** Levels that are new or changed, in order of the side, then the removed ones. */
function diffSide(before: readonly BookLevel[], after: readonly BookLevel[]): BookLevel[] {
  const known = new Map(before.map((level) => [level[0], level]));
  const changed: BookLevel[] = [];
  for (const level of after) {
    const old = known.get(level[0]);
    known.delete(level[0]);
    if (old === undefined || old[1] !== level[1] || old[2] !== level[2]) changed.push(level);
  }
  for (const price of known.keys()) changed.push([price, "0", 0]);
  return changed;
}
