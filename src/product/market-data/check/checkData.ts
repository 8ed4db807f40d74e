/** Compares the streams of recorded data with each other: quotes with the order book, bars with trades. */
import { EventKind, type EventSource } from "../types.ts";
import { BarCheck } from "./barCheck.ts";
import { ClockCheck, type ClockResult } from "./clockCheck.ts";
import type { ComparisonResult } from "./comparison.ts";
import { type BookResult, QuoteCheck } from "./quoteCheck.ts";

/** Comparisons of one market's streams; a part is undefined where the market does not have both of its streams. */
export interface MarketCheck {
  readonly market: string;
  readonly book: BookResult | undefined;
  /** Recorded bars against those of the recorded trades. */
  readonly bars: ComparisonResult | undefined;
  /** Bars against mark or index: whether the times of both have one clock. */
  readonly clock: ClockResult | undefined;
}

interface MarketChecks {
  readonly book: QuoteCheck;
  readonly bars: BarCheck | undefined;
  readonly clock: ClockCheck | undefined;
  /** Kind of reference price that the clock check uses: the index where there is one. */
  readonly reference: number;
}

/**
 * Reads the data once, in bounded memory.
 *
 * @throws {DataError} as reading does
 */
export async function checkData(source: EventSource): Promise<MarketCheck[]> {
  const { markets } = source.manifest;
  const intervals = await findIntervals(source);
  const checks = markets.map((_, market): MarketChecks => {
    const intervalMs = intervals.get(market);
    const { events } = markets[market]!;
    return {
      book: new QuoteCheck(),
      bars: intervalMs === undefined || events.trade === 0 ? undefined : new BarCheck(intervalMs),
      clock: intervalMs === undefined || events.index + events.mark === 0 ? undefined : new ClockCheck(intervalMs),
      reference: events.index > 0 ? EventKind.index : EventKind.mark,
    };
  });
  for await (const chunk of source.chunks()) {
    const { count, kind, market, timeMs, price, size, side, id, flags, open, high, low } = chunk;
    for (let row = 0; row < count; row++) {
      const { book, bars, clock, reference } = checks[market[row]!]!;
      const [at, value, amount] = [timeMs[row]!, price[row]!, size[row]!];
      switch (kind[row]) {
        case EventKind.depth:
          book.addDepth(at, side[row]!, value, amount, id[row]!, flags[row]!);
          break;
        case EventKind.quote:
          book.addQuote(at, side[row]!, value, amount, id[row]!);
          break;
        case EventKind.trade:
          bars?.addTrade(at, value, amount);
          break;
        case EventKind.bar:
          clock?.addBar(at, value);
          bars?.addBar(at, { open: open[row]!, high: high[row]!, low: low[row]!, close: value, volume: amount });
          break;
        case reference:
          clock?.addReference(at, value);
          break;
      }
    }
  }
  return checks.map(({ book, bars, clock }, market) => ({
    market: markets[market]!.name,
    book: book.end(),
    bars: bars?.result,
    clock: clock?.result,
  }));
}

/** Length of the bars of each market that has something to compare them with. */
async function findIntervals({ manifest, chunks }: EventSource): Promise<Map<number, number>> {
  const wanted = new Set<number>();
  for (const [market, { events }] of manifest.markets.entries())
    if (events.bar > 0 && events.trade + events.index + events.mark > 0) wanted.add(market);
  const found = new Map<number, number>();
  if (wanted.size === 0) return found;
  for await (const { count, kind, market, intervalMs } of chunks()) {
    for (let row = 0; row < count; row++) {
      if (kind[row] !== EventKind.bar || !wanted.delete(market[row]!)) continue;
      found.set(market[row]!, intervalMs[row]!);
    }
    if (wanted.size === 0) break;
  }
  return found;
}
