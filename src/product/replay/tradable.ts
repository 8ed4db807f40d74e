import { selectByOpen } from "../market-data/select/selectByOpen.ts";
import { CHUNK_ROWS, sliceChunk } from "../market-data/stream/chunkBuilder.ts";
import {
  EVENT_KINDS,
  type EventChunk,
  EventKind,
  type EventKindName,
  type EventSource,
  type TapeManifest,
  type TimeRange,
} from "../market-data/types.ts";
import { ReplayError } from "./errors.ts";
import { isTraded, type MarketSurvey, readSurveys, type SurveyOptions, surveyMarkets } from "./surveyMarkets.ts";

/** A mark or index that was known no longer than this before the start holds at the start. */
const CARRIED_MS = 3_600_000;

/** Events that were left out because no market can be traded at their time. */
export interface LeftOut {
  readonly count: number;
  /** In the order of their rank. */
  readonly kinds: readonly EventKindName[];
  /** Of the first and the last of them; 0 where there are none. */
  readonly fromMs: number;
  readonly toMs: number;
}

export interface TradableOptions extends SurveyOptions {
  /**
   * Takes the values of series, which make no instant of a market: each before any later event is in `chunks`, and the
   * last known values before a range first. Default: data with series is refused.
   */
  readonly onSeries?: (chunk: EventChunk) => void;
  /** Series are given from this time on, which is before the range, for the warm-up of a strategy. */
  readonly seriesFromMs?: number | undefined;
}

/** @throws {ReplayError} DATA_UNUSABLE for data with series, which nothing would read */
function refuseSeries({ series = [] }: TapeManifest): void {
  const [first] = series;
  if (first === undefined) return;
  throw new ReplayError(
    "DATA_UNUSABLE",
    `market ${first.market} has the series ${first.name}, and nothing reads it here`,
    {
      place: first.market,
      hint: "leave the files with series out; of a tape, perplab tape slice --kind takes the other kinds",
    },
  );
}

/** The part of a stream in which markets can be traded. */
export interface TradableStream {
  readonly surveys: readonly MarketSurvey[];
  /** The first trade, or the first point of the first bar, of any market; Infinity where the range has none. */
  readonly fromMs: number;
  /** `fromMs`, or the open of the bars, 1 ms before it. Only events before this count as left out. */
  readonly openMs: number;
  /** The events from `fromMs` to the last trade or bar, in their order. */
  chunks(): AsyncGenerator<EventChunk>;
  /** Events before and after the part; complete once `chunks` was read to its end. */
  readonly before: LeftOut;
  readonly after: LeftOut;
}

/**
 * Opens the part of a stream in which its markets can be traded. A funding or mark file that is longer than the trades
 * or bars neither begins a run nor ends it. The last mark and index before the start hold at the start.
 *
 * A range selects bars by their open, everything else by its time: fromMs <= time < toMs.
 *
 * @throws {ReplayError} DATA_UNUSABLE as `surveyMarkets`, and for series that the caller does not take
 */
export async function openTradable(
  source: EventSource,
  range: TimeRange = {},
  options: TradableOptions = {},
): Promise<TradableStream> {
  if (options.onSeries === undefined) refuseSeries(source.manifest);
  const isWhole = range.fromMs === undefined && range.toMs === undefined;
  const stored = isWhole ? readSurveys(source.manifest, options) : undefined;
  const begun = stored === undefined ? new BegunStream(readRange(source, range)) : undefined;
  const surveys = stored ?? (await surveyMarkets(source.manifest, begun!.read(), options));
  const { markets } = source.manifest;
  // Where reference prices alone move a market, every one of them does.
  const firsts = surveys.map((survey, place) =>
    isTraded(survey) ? survey.fromMs : Math.min(survey.fromMs, markets[place]!.fromMs),
  );
  const fromMs = Math.min(...firsts);
  // A bar's path begins 1 ms after its open. Records at the open are not reported and make no block of their own. In
  // the first block every strategy sees a price.
  const openMs = surveys.some(({ intervalMs }) => intervalMs > 0) ? fromMs - 1 : fromMs;
  const before = new LeftOutCount();
  const after = new LeftOutCount();
  return {
    surveys,
    fromMs,
    openMs,
    before,
    after,
    async *chunks() {
      before.clear();
      after.clear();
      const carried = new CarriedPrices(surveys);
      let held: EventChunk[] = [];
      let hasBegun = false;
      for await (const series of readSeriesBefore(source, range, options)) options.onSeries?.(series);
      for await (let chunk of splitOff(begun?.takeAll() ?? readRange(source, range), source.manifest, options)) {
        if (!hasBegun) {
          const begin = findRow(chunk, (row) => chunk.timeMs[row]! >= fromMs);
          for (let row = 0; row < begin; row++) carried.see(chunk, row);
          before.add(
            chunk,
            0,
            findRow(chunk, (row) => chunk.timeMs[row]! >= openMs),
          );
          if (begin === chunk.count) continue;
          hasBegun = true;
          const first = carried.at(fromMs);
          if (first !== undefined) yield first;
          chunk = sliceChunk(chunk, begin, chunk.count);
        }
        const end = endOfTrading(chunk, surveys);
        if (end > 0) {
          yield* held;
          held = [];
          yield sliceChunk(chunk, 0, end);
        }
        if (end < chunk.count) held.push(sliceChunk(chunk, end, chunk.count));
      }
      for (const chunk of held) after.add(chunk, 0, chunk.count);
    },
  };
}

/** The values of series that were known before a range, as far as the run needs them. */
async function* readSeriesBefore(
  source: EventSource,
  { fromMs }: TimeRange,
  { seriesFromMs = fromMs }: TradableOptions,
): AsyncGenerator<EventChunk> {
  if (source.manifest.series === undefined || fromMs === undefined) return;
  const { carrySeries, splitSeries } = await import("../market-data/select/carrySeries.ts");
  yield* carrySeries(source, seriesFromMs!, { keepsTimes: true });
  for await (const chunk of source.chunks({ fromMs: seriesFromMs!, toMs: fromMs })) {
    const { series } = splitSeries(chunk);
    if (series !== undefined) yield series;
  }
}

/** The events of a stream without its series, which are given away. */
async function* splitOff(
  chunks: AsyncGenerator<EventChunk>,
  { series: named }: TapeManifest,
  { onSeries }: TradableOptions,
): AsyncGenerator<EventChunk> {
  if (named === undefined) {
    yield* chunks;
    return;
  }
  const { splitSeries } = await import("../market-data/select/carrySeries.ts");
  for await (const chunk of chunks) {
    const { series, others } = splitSeries(chunk);
    if (series !== undefined) onSeries?.(series);
    if (others !== undefined) yield others;
  }
}

/** Events of a range. A book that has begun before it comes first, whole. */
async function* readRange(source: EventSource, range: TimeRange): AsyncGenerator<EventChunk> {
  const { markets, counts } = source.manifest;
  if (range.fromMs !== undefined && counts.depth > 0) {
    // Most runs have no book.
    const { snapshotBooks } = await import("../market-data/select/sliceData.ts");
    yield* snapshotBooks(source, range.fromMs, new Map([...markets.keys()].map((market) => [market, market])));
  }
  yield* selectByOpen(source, range);
}

/** Most chunks of the beginning that are kept: memory must not grow with the time until the last market appears. */
const KEPT_MOST = 4;

/** A stream whose beginning is read before the whole: once, and kept until then. */
class BegunStream {
  readonly #chunks: AsyncGenerator<EventChunk>;
  #kept: EventChunk[] = [];
  #isTaken = false;

  constructor(chunks: AsyncGenerator<EventChunk>) {
    this.#chunks = chunks;
  }

  /** Reads on after the kept chunks, as far as the caller goes. */
  async *read(): AsyncGenerator<EventChunk> {
    for (;;) {
      const { value, done } = await this.#chunks.next();
      if (done === true) return;
      if (this.#kept.length === KEPT_MOST) {
        this.#isTaken = true;
        this.#kept = [];
      }
      if (!this.#isTaken) this.#kept.push(value);
      yield value;
    }
  }

  /** All chunks, once; undefined after that, and where the beginning was too long to keep. */
  takeAll(): AsyncGenerator<EventChunk> | undefined {
    if (this.#isTaken) return undefined;
    this.#isTaken = true;
    return this.#readAll();
  }

  async *#readAll(): AsyncGenerator<EventChunk> {
    for (let chunk = this.#kept.shift(); chunk !== undefined; chunk = this.#kept.shift()) yield chunk;
    yield* this.#chunks;
  }
}

/** One more than the last row that moves a market; 0 where none does. */
function endOfTrading({ count, kind, market }: EventChunk, surveys: readonly MarketSurvey[]): number {
  for (let row = count - 1; row >= 0; row--) {
    const survey = surveys[market[row]!]!;
    const code = kind[row];
    if (code === EventKind[survey.driver]) return row + 1;
    if (code === EventKind.trade && isTraded(survey) && survey.driver !== "bar") return row + 1;
    if (!isTraded(survey) && code !== EventKind.funding) return row + 1;
  }
  return 0;
}

/** The first row for which a condition, once true, stays true; the count where it never is. */
function findRow({ count }: EventChunk, isAt: (row: number) => boolean): number {
  let row = 0;
  while (row < count && !isAt(row)) row++;
  return row;
}

class LeftOutCount implements LeftOut {
  count = 0;
  fromMs = 0;
  toMs = 0;
  readonly #codes = new Set<number>();

  get kinds(): readonly EventKindName[] {
    return EVENT_KINDS.filter((kind) => this.#codes.has(EventKind[kind]));
  }

  clear(): void {
    this.count = 0;
    this.fromMs = 0;
    this.toMs = 0;
    this.#codes.clear();
  }

  add({ kind, timeMs }: EventChunk, begin: number, end: number): void {
    if (begin === end) return;
    if (this.count === 0) this.fromMs = timeMs[begin]!;
    this.toMs = timeMs[end - 1]!;
    this.count += end - begin;
    for (let row = begin; row < end; row++) this.#codes.add(kind[row]!);
  }
}

/** The last mark and index of each market before the start. */
class CarriedPrices {
  readonly #surveys: readonly MarketSurvey[];
  /** By kind and market: price and time. */
  readonly #last = new Map<string, { kind: number; market: number; price: number; timeMs: number }>();

  constructor(surveys: readonly MarketSurvey[]) {
    this.#surveys = surveys;
  }

  see({ kind, market, price, timeMs }: EventChunk, row: number): void {
    const code = kind[row]!;
    if (code !== EventKind.mark && code !== EventKind.index) return;
    const place = market[row]!;
    // Where reference prices alone move a market, they are its bars.
    if (!isTraded(this.#surveys[place]!)) return;
    const key = `${code} ${place}`;
    this.#last.set(key, { kind: code, market: place, price: price[row]!, timeMs: timeMs[row]! });
  }

  /** Those that still hold at the start, as events of that moment; undefined without any. */
  at(startMs: number): EventChunk | undefined {
    const rows = [...this.#last.values()]
      .filter(({ timeMs }) => startMs - timeMs <= CARRIED_MS)
      .sort((a, b) => a.kind - b.kind || a.market - b.market)
      .slice(0, CHUNK_ROWS);
    if (rows.length === 0) return undefined;
    const zeros = new Float64Array(rows.length);
    return {
      count: rows.length,
      kind: Uint8Array.from(rows, ({ kind }) => kind),
      market: Uint16Array.from(rows, ({ market }) => market),
      side: new Int8Array(rows.length),
      timeMs: Float64Array.from(rows, () => startMs),
      price: Float64Array.from(rows, ({ price }) => price),
      size: zeros,
      open: zeros,
      high: zeros,
      low: zeros,
      rate: zeros,
      intervalMs: zeros,
      id: zeros,
      flags: new Uint8Array(rows.length),
    };
  }
}
