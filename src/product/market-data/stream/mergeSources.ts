/**
 * All sources as one stream in total order, with the manifest that results. One pass, bounded memory: every lane holds
 * the batch it is read from, and a lane is read on only when it has run empty.
 */

import { gcd } from "../../../ground/math/fixed.ts";
import { DataError } from "../errors.ts";
import { QualityLog } from "../quality.ts";
import type { StreamSpec } from "../readers/layout.ts";
import {
  EVENT_KINDS,
  type EventChunk,
  type EventKindName,
  type MarketSummary,
  NO_EVENTS,
  type ReadOptions,
  type SourceSummary,
  type TapeManifest,
} from "../types.ts";
import { ChunkBuilder } from "./chunkBuilder.ts";
import { type Lane, LaneReader, rankOf } from "./lanes.ts";
import { scalesOf, span, spanOfMarkets, versionOf } from "./manifestParts.ts";
import { marketOf } from "./marketName.ts";
import { MarketStarts } from "./marketStarts.ts";
import { openSource } from "./openSource.ts";
import { type Follower, Sequence } from "./sequence.ts";
import { SeriesList } from "./seriesList.ts";
import { SeriesSequence } from "./seriesSequence.ts";

const MARKETS_MAX = 65_535;
const PROGRESS_BYTES = 1 << 20;

/** A merge under way: take the chunks to the end, then the manifest. */
export interface Merge {
  chunks(): AsyncGenerator<EventChunk>;
  /** What was read; complete once the chunks are. */
  manifest(): TapeManifest;
}

/** @throws {DataError} from opening the sources; the chunks throw what reading them finds */
export async function mergeSources(options: ReadOptions): Promise<Merge> {
  const { sources, onProgress } = options;
  if (sources.length === 0) throw new DataError("SOURCE_INVALID", "there is no file to read");
  const log = new QualityLog(options);
  const progress = { bytesDone: 0, bytesTotal: 0, rows: 0 };
  let reported = 0;
  const onBytes = (count: number): void => {
    progress.bytesDone += count;
    if (onProgress === undefined || progress.bytesDone - reported < PROGRESS_BYTES) return;
    reported = progress.bytesDone;
    onProgress({ ...progress });
  };
  const markets: string[] = [];
  const readers: LaneReader[] = [];
  const series = new SeriesList();
  try {
    for (const [index, source] of sources.entries()) {
      const opened = await openSource(source, { onBytes });
      log.addSource(index, opened.file, opened.layout.allow);
      progress.bytesTotal += opened.bytes;
      // Only after the file is opened: a folder is reported as one, not as a name that fits no market.
      const market = marketOf(source);
      if (!markets.includes(market)) markets.push(market);
      if (markets.length > MARKETS_MAX) throw new DataError("SOURCE_INVALID", `more than ${MARKETS_MAX} markets`);
      const seriesIds = opened.layout.streams.map((spec) =>
        spec.shape === "series" ? spec.names.map((name) => series.placeOf(market, name)) : [],
      );
      const place = { source: index, market: markets.indexOf(market), seriesIds };
      readers.push(new LaneReader(opened, place, log, (rows) => (progress.rows += rows)));
    }
  } catch (error) {
    await closeAll(readers);
    throw error;
  }
  const sequences = new SequenceTable(markets, series, log);
  const lanes = orderLanes(readers, sequences);
  const starts = new MarketStarts(markets.length);
  const seen = (chunk: EventChunk): EventChunk => {
    starts.add(chunk);
    return chunk;
  };

  async function* chunks(): AsyncGenerator<EventChunk> {
    const builder = new ChunkBuilder();
    try {
      for (;;) {
        for (const { lane } of lanes) if (lane.waiting.length === 0 && !lane.reader.isDone) await refill(lane);
        const moved = moveRun(lanes, builder);
        if (moved === 0) break;
        if (builder.isFull) yield seen(builder.flushFull());
      }
      const rest = builder.flush();
      if (rest !== undefined) yield seen(rest);
      onProgress?.({ ...progress });
    } finally {
      await closeAll(readers);
    }
  }

  return {
    chunks,
    manifest() {
      for (const reader of readers) refuseDisguisedKlines(reader, sequences);
      sequences.finish();
      return buildManifest(options, readers, sequences, log, starts, series);
    },
  };
}

async function closeAll(readers: readonly LaneReader[]): Promise<void> {
  for (const reader of readers) await reader.close();
}

/** A lane with its place among all: at equal times the lower place comes first. */
interface PlacedLane {
  readonly lane: Lane;
  readonly sequence: Follower;
}

/** Lanes by rank of their kind, then by the order in which the sources were given. */
function orderLanes(readers: readonly LaneReader[], sequences: SequenceTable): PlacedLane[] {
  return readers
    .flatMap((reader, source) =>
      reader.lanes.map((lane, index) => ({
        lane,
        source,
        sequence: sequences.get(reader, lane.kind, reader.source.layout.streams[index]!),
      })),
    )
    .sort((a, b) => rankOf(a.lane.kind) - rankOf(b.lane.kind) || a.source - b.source);
}

async function refill(lane: Lane): Promise<void> {
  while (lane.waiting.length === 0 && !lane.reader.isDone) await lane.reader.pull();
}

/**
 * Moves the longest run that is certain: rows of the first lane up to the first row of the second.
 *
 * @returns rows taken from the lane, duplicates included; 0 at the end
 */
function moveRun(lanes: readonly PlacedLane[], builder: ChunkBuilder): number {
  let first = -1;
  let firstTime = Number.POSITIVE_INFINITY;
  let second = -1;
  let secondTime = Number.POSITIVE_INFINITY;
  for (let place = 0; place < lanes.length; place++) {
    const { lane } = lanes[place]!;
    const batch = lane.waiting[0];
    if (batch === undefined) continue;
    const time = batch.timeMs[lane.at]!;
    if (time < firstTime) {
      second = first;
      secondTime = firstTime;
      first = place;
      firstTime = time;
    } else if (time < secondTime) {
      second = place;
      secondTime = time;
    }
  }
  if (first < 0) return 0;
  const { lane, sequence } = lanes[first]!;
  const batch = lane.waiting[0]!;
  const begin = lane.at;
  const most = Math.min(batch.count, begin + builder.room);
  let end = begin + 1;
  if (second < 0) {
    end = most;
  } else {
    const wins = first < second;
    const times = batch.timeMs;
    while (end < most && (times[end]! < secondTime || (wins && times[end]! === secondTime))) end++;
  }
  const stop = sequence.follow(batch, begin, end);
  builder.append(batch, begin, stop);
  if (sequence.replaces) builder.replace(batch, stop);
  lane.events += stop - begin;
  lane.at = stop < end ? stop + 1 : end;
  if (lane.at === batch.count) {
    lane.waiting.shift();
    lane.at = 0;
  }
  return lane.at === 0 ? batch.count - begin : lane.at - begin;
}

/** One sequence for each market and kind, whatever number of files feeds it. */
class SequenceTable {
  readonly markets: readonly string[];
  private readonly series: SeriesList;
  private readonly log: QualityLog;
  private readonly table = new Map<string, Follower>();
  private isFinished = false;

  constructor(markets: readonly string[], series: SeriesList, log: QualityLog) {
    this.markets = markets;
    this.series = series;
    this.log = log;
  }

  get(reader: LaneReader, kind: EventKindName, spec: StreamSpec): Follower {
    const market = this.markets[reader.market]!;
    const key = `${kind} ${market}`;
    let sequence = this.table.get(key);
    if (sequence === undefined) {
      sequence =
        spec.shape === "series" ? new SeriesSequence(this.series, this.log) : new Sequence(market, spec, this.log);
      this.table.set(key, sequence);
    }
    if (spec.shape === "series" && sequence instanceof SeriesSequence) {
      sequence.expect(
        spec,
        spec.names.map((name) => this.series.placeOf(market, name)),
      );
    }
    return sequence;
  }

  /** Once, when all rows were followed. */
  finish(): void {
    if (this.isFinished) return;
    this.isFinished = true;
    for (const sequence of this.table.values()) sequence.finish();
  }

  find(kind: EventKindName, market: string): Follower | undefined {
    return this.table.get(`${kind} ${market}`);
  }
}

/** Klines without any volume are those of a mark or an index price, which a file does not say of itself. */
function refuseDisguisedKlines({ source, market }: LaneReader, sequences: SequenceTable): void {
  if (!source.isSniffed || source.layout.name !== "klines") return;
  const bars = sequences.find("bar", sequences.markets[market]!);
  if (bars === undefined || bars.count === 0 || bars.sizeStep !== 0) return;
  throw new DataError("DATA_LAYOUT", "no bar has a volume: these look like klines of a mark, an index or a premium", {
    file: source.file,
    hint: "name the layout: MARKET:markPriceKlines=PATH, MARKET:indexPriceKlines=PATH, MARKET:premiumIndexKlines=PATH, or MARKET:klines=PATH",
  });
}

type KindCounts = Record<EventKindName, number>;

const noCounts = (): KindCounts => ({ ...NO_EVENTS });

function buildManifest(
  options: ReadOptions,
  readers: readonly LaneReader[],
  sequences: SequenceTable,
  log: QualityLog,
  starts: MarketStarts,
  series: SeriesList,
): TapeManifest {
  const counts = noCounts();
  const markets = sequences.markets.map((name, market): MarketSummary => {
    const events = noCounts();
    const found = EVENT_KINDS.flatMap((kind) => {
      const sequence = sequences.find(kind, name);
      if (sequence === undefined || sequence.count === 0) return [];
      events[kind] = sequence.count;
      counts[kind] += sequence.count;
      return [sequence];
    });
    const start = starts.get(market);
    // A series that is longer than the rest of a market does not make the market longer.
    const spanned = found.filter((sequence) => !(sequence instanceof SeriesSequence));
    return {
      name,
      priceStep: found.reduce((step, sequence) => gcd(step, sequence.priceStep), 0),
      sizeStep: found.reduce((step, sequence) => gcd(step, sequence.sizeStep), 0),
      events,
      ...span(spanned.length === 0 ? found : spanned),
      ...(start === undefined ? {} : { start }),
    };
  });
  const sources = readers.map((reader, index): SourceSummary => {
    const { source } = reader;
    const { layout } = source;
    return {
      file: source.file,
      market: marketOf(options.sources[index]!),
      layout: layout.name,
      ...(layout.mappingSha256 === undefined ? {} : { mappingSha256: layout.mappingSha256 }),
      dialect: source.dialect,
      bytes: source.bytes,
      sha256: source.sha256(),
      rows: source.rowCount(),
      events: reader.lanes.reduce((sum, lane) => sum + lane.events, 0),
      fromMs: reader.fromMs,
      toMs: reader.toMs,
      notes: layout.notes,
    };
  });
  const events = EVENT_KINDS.reduce((sum, kind) => sum + counts[kind], 0);
  if (events === 0) {
    const stale = log.findings().find(({ kind }) => kind === "stale");
    throw new DataError("DATA_EMPTY", "the files have no events", {
      file: readers.map((r) => r.source.file).join(", "),
      hint:
        stale === undefined
          ? "check what the mapping chooses (where), and whether its columns are empty"
          : `all ${stale.count} changes of the order book come before a snapshot: name the file of the snapshot as well`,
    });
  }
  return {
    format: "perplab-tape",
    version: versionOf(counts),
    markets,
    ...series.listed(),
    sources,
    events,
    counts,
    ...spanOfMarkets(markets),
    quality: { allow: log.allow, deny: log.deny, findings: log.findings() },
    scales: scalesOf(counts),
  };
}
