import { commonStep } from "../stream/commonStep.ts";
import { MarketStarts } from "../stream/marketStarts.ts";
import {
  EVENT_KINDS,
  type EventChunk,
  type EventKindName,
  GRID_KINDS,
  KIND_NAMES,
  type MarketSummary,
  NO_EVENTS,
  type SourceSummary,
  type TapeManifest,
} from "../types.ts";

interface Seen {
  readonly events: Record<EventKindName, number>;
  priceStep: number;
  sizeStep: number;
  fromMs: number;
  toMs: number;
}

/** Counts the events of a stream that is made of other streams, for its manifest. */
export class Summary {
  readonly #names: readonly string[];
  readonly #markets: readonly Seen[];
  readonly #starts: MarketStarts;

  constructor(names: readonly string[]) {
    this.#names = names;
    this.#starts = new MarketStarts(names.length);
    this.#markets = names.map(() => ({ events: { ...NO_EVENTS }, priceStep: 0, sizeStep: 0, fromMs: 0, toMs: 0 }));
  }

  add(chunk: EventChunk): void {
    this.#starts.add(chunk);
    const { count, kind, market, timeMs } = chunk;
    for (let row = 0; row < count; row++) {
      const seen = this.#markets[market[row]!]!;
      if (seen.fromMs === 0) seen.fromMs = timeMs[row]!;
      seen.toMs = timeMs[row]!;
      seen.events[KIND_NAMES.get(kind[row]!)!]++;
      if (!GRID_KINDS.has(kind[row]!)) continue;
      for (const column of [chunk.price, chunk.open, chunk.high, chunk.low]) {
        seen.priceStep = commonStep(seen.priceStep, column, row, row + 1);
      }
      seen.sizeStep = commonStep(seen.sizeStep, chunk.size, row, row + 1);
    }
  }

  /**
   * @param sources files that the events come from
   * @param quality findings in those files
   */
  finish(sources: readonly SourceSummary[], quality: TapeManifest["quality"]): TapeManifest {
    const markets = this.#markets.map((seen, index): MarketSummary => {
      const start = this.#starts.get(index);
      return { name: this.#names[index]!, ...seen, ...(start === undefined ? {} : { start }) };
    });
    const counts = { ...NO_EVENTS } as Record<EventKindName, number>;
    for (const { events } of markets) for (const kind of EVENT_KINDS) counts[kind] += events[kind];
    const filled = markets.filter(({ events }) => EVENT_KINDS.some((kind) => events[kind] > 0));
    return {
      format: "perplab-tape",
      version: 3,
      markets,
      sources,
      events: EVENT_KINDS.reduce((sum, kind) => sum + counts[kind], 0),
      counts,
      fromMs: filled.length === 0 ? 0 : Math.min(...filled.map(({ fromMs }) => fromMs)),
      toMs: Math.max(0, ...filled.map(({ toMs }) => toMs)),
      quality,
      scales: { price: 8, size: 8, rate: 9, time: "ms" },
    };
  }
}
