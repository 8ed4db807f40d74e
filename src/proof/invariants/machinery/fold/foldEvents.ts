import type { VenueEvent } from "../../../../protocol/events.ts";
import type { BlockResult } from "../../../../venue/engine/applyBlock.ts";
import { EVENT_WIDTHS, readEvent, readEvents } from "../../../../venue/engine/events/readEvents.ts";
import type { State } from "../../../../venue/engine/state/state.ts";
import { applyEvent } from "./applyEvent.ts";
import { createFolded, type FoldedVenue } from "./folded.ts";
import { readFolded } from "./readFolded.ts";

/** Width of the header before the first event of a block: mark, height and time. */
const HEAD_WIDTH = 3;

/** Events of block 0, from a venue that has no other block yet. */
export function readGenesisEvents(state: State): VenueEvent[] {
  const { data } = state.events;
  const events: VenueEvent[] = [];
  for (let at = HEAD_WIDTH; data[at]! >= 0; at += EVENT_WIDTHS[data[at]!]!) events.push(readEvent(data, at));
  return events;
}

/**
 * A fold to continue from: the events of genesis folded into an empty venue. A venue of a later height, or a restored
 * one, has no texts of its events: its fold starts from its current state.
 */
export function startFold(state: State): FoldedVenue {
  const restored = state.events.texts.length === 0 && state.marketNames.length > 0;
  if (state.height > 0 || restored) return readFolded(state);
  const venue = createFolded(state.genesis);
  for (const event of readGenesisEvents(state)) applyEvent(venue, event, state.events.texts);
  return venue;
}

/**
 * Folds the events of a block into a venue (EVT-3).
 *
 * @throws FoldError if events contradict each other
 */
export function foldEvents(venue: FoldedVenue, result: BlockResult): void {
  venue.height = result.height;
  venue.timeMs = result.timeMs;
  for (const market of venue.markets) Object.assign(market, { tradeHigh: 0, tradeLow: 0 });
  for (const event of readEvents(result.events, result.from, result.to)) applyEvent(venue, event, result.texts);
}
