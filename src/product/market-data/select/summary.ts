import { commonStep } from "../stream/commonStep.ts";
import { scalesOf, spanOfMarkets, versionOf } from "../stream/manifestParts.ts";
import { MarketStarts } from "../stream/marketStarts.ts";
import type { SeriesList } from "../stream/seriesList.ts";
import {
  EVENT_KINDS,
  type EventChunk,
  EventKind,
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
  /** Of the events that are no series. */
  fromMs: number;
  toMs: number;
  readonly series: { fromMs: number; toMs: number };
}

/** Counts the events of a stream that is made of other streams, for its manifest. */
export class Summary {
  readonly #names: readonly string[];
  readonly #markets: readonly Seen[];
  readonly #starts: MarketStarts;
  readonly #series: SeriesList;

  /** @param series of the stream, by the ids of their events */
  constructor(names: readonly string[], series: SeriesList) {
    this.#names = names;
    this.#series = series;
    this.#starts = new MarketStarts(names.length);
    this.#markets = names.map(() => ({
      ...{ events: { ...NO_EVENTS }, priceStep: 0, sizeStep: 0, fromMs: 0, toMs: 0 },
      series: { fromMs: 0, toMs: 0 },
    }));
  }

  add(chunk: EventChunk): void {
    this.#starts.add(chunk);
    this.#series.addChunk(chunk);
    const { count, kind, market, timeMs } = chunk;
    for (let row = 0; row < count; row++) {
      const seen = this.#markets[market[row]!]!;
      seen.events[KIND_NAMES.get(kind[row]!)!]++;
      const times = kind[row] === EventKind.series ? seen.series : seen;
      if (times.fromMs === 0) times.fromMs = timeMs[row]!;
      times.toMs = timeMs[row]!;
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
    const markets = this.#markets.map(({ series, ...seen }, index): MarketSummary => {
      const start = this.#starts.get(index);
      const times = seen.fromMs === 0 ? series : {};
      return { name: this.#names[index]!, ...seen, ...times, ...(start === undefined ? {} : { start }) };
    });
    const counts = { ...NO_EVENTS } as Record<EventKindName, number>;
    for (const { events } of markets) for (const kind of EVENT_KINDS) counts[kind] += events[kind];
    return {
      format: "perplab-tape",
      version: versionOf(counts),
      markets,
      ...this.#series.listed(),
      sources,
      events: EVENT_KINDS.reduce((sum, kind) => sum + counts[kind], 0),
      counts,
      ...spanOfMarkets(markets),
      quality,
      scales: scalesOf(counts),
    };
  }
}
