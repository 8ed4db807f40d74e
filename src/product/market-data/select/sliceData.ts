/** A part of recorded data: a range of time, some markets, some kinds. */
import { RecordedBook } from "../book/recordedBook.ts";
import { DataError } from "../errors.ts";
import { CHUNK_ROWS, ChunkBuilder } from "../stream/chunkBuilder.ts";
import { createEventBatch, type EventBatch } from "../stream/eventBatch.ts";
import { SeriesList } from "../stream/seriesList.ts";
import { BookFlag, EVENT_KINDS, type EventChunk, EventKind, type EventKindName, type EventSource } from "../types.ts";
import { carrySeries } from "./carrySeries.ts";
import type { Derived } from "./derived.ts";
import { pickRows, selectByOpen } from "./selectByOpen.ts";
import { Summary } from "./summary.ts";

export interface Slice {
  /** From this time on; a bar counts by its open. */
  readonly fromMs?: number | undefined;
  /** Before this time. */
  readonly toMs?: number | undefined;
  /** By name; default: all. */
  readonly markets?: readonly string[] | undefined;
  /** Default: all. */
  readonly kinds?: readonly EventKindName[] | undefined;
}

/**
 * The events of a part. An order book that has begun before the part is given whole at its start, as a snapshot. So is
 * the last value of each series that was known before it.
 *
 * @throws {DataError} SOURCE_INVALID for a market that the data does not have; DATA_EMPTY, when the chunks are taken,
 *   for a part without events
 */
export function sliceData(source: EventSource, slice: Slice): Derived {
  const { manifest } = source;
  const kept = keptMarkets(source, slice);
  const codes = new Set((slice.kinds ?? EVENT_KINDS).map((kind): number => EventKind[kind]));
  const names = kept.map((market) => manifest.markets[market]!.name);
  const series = new SeriesList();
  const summary = new Summary(names, series);
  /** New index by old. */
  const places = new Map(kept.map((market, place) => [market, place]));
  const isOfPart = ({ kind, market }: EventChunk, row: number) => codes.has(kind[row]!) && places.has(market[row]!);

  const move = createMover(manifest, places, series);
  const pass = (chunk: EventChunk): EventChunk => {
    const moved = move(chunk);
    summary.add(moved);
    return moved;
  };

  async function* chunks(): AsyncGenerator<EventChunk> {
    const hasBook = codes.has(EventKind.depth) && manifest.counts.depth > 0;
    if (hasBook && slice.fromMs !== undefined) {
      for await (const first of snapshotBooks(source, slice.fromMs, places)) {
        summary.add(first);
        yield first;
      }
    }
    const hasSeries = codes.has(EventKind.series) && manifest.counts.series > 0;
    if (hasSeries && slice.fromMs !== undefined) {
      const isWanted = (market: number) => places.has(market);
      for await (const first of carrySeries(source, slice.fromMs, { isWanted })) yield pass(first);
    }
    for await (const chunk of selectByOpen(source, { ...rangeOf(slice) })) {
      const picked = pickRows(chunk, isOfPart);
      if (picked === undefined) continue;
      yield pass(picked);
    }
  }

  return {
    markets: names,
    chunks,
    nameSeries: (id) => series.nameOf(id),
    manifest() {
      const sources = manifest.sources.filter(({ market }) => names.includes(market));
      const result = summary.finish(sources, keepFindings(manifest.quality, manifest.sources, sources));
      if (result.events > 0) return result;
      throw new DataError("DATA_EMPTY", "there is no event in this part of the data", {
        file: manifest.sources.map(({ file }) => file).join(", "),
        hint: `the data goes from ${new Date(manifest.fromMs).toISOString()} to ${new Date(manifest.toMs).toISOString()}`,
      });
    },
  };
}

/** Gives rows the places that their markets and series have in a part. */
function createMover(
  { series = [] }: EventSource["manifest"],
  places: ReadonlyMap<number, number>,
  list: SeriesList,
): (chunk: EventChunk) => EventChunk {
  const ids = new Map<number, number>();
  const idOf = (id: number): number => {
    const known = ids.get(id);
    if (known !== undefined) return known;
    const { market, name } = series[id]!;
    const place = list.placeOf(market, name);
    ids.set(id, place);
    return place;
  };
  return (chunk) => {
    const market = chunk.market.map((place) => places.get(place)!);
    if (series.length === 0 || !chunk.kind.subarray(0, chunk.count).includes(EventKind.series)) {
      return { ...chunk, market };
    }
    const isSeries = (row: number) => chunk.kind[row] === EventKind.series;
    return { ...chunk, market, id: chunk.id.map((id, row) => (isSeries(row) ? idOf(id) : id)) };
  };
}

function rangeOf({ fromMs, toMs }: Slice) {
  return { ...(fromMs === undefined ? {} : { fromMs }), ...(toMs === undefined ? {} : { toMs }) };
}

function keptMarkets({ manifest }: EventSource, { markets }: Slice): number[] {
  const names = manifest.markets.map(({ name }) => name);
  for (const name of markets ?? []) {
    if (names.includes(name)) continue;
    throw new DataError("SOURCE_INVALID", `the data has no market ${name}`, { hint: `it has ${names.join(", ")}` });
  }
  return [...names.keys()].filter((market) => markets === undefined || markets.includes(names[market]!));
}

/** Findings name their source by its place, which changes. */
function keepFindings(
  quality: EventSource["manifest"]["quality"],
  before: EventSource["manifest"]["sources"],
  after: EventSource["manifest"]["sources"],
) {
  const findings = quality.findings.flatMap((finding) => {
    const source = after.indexOf(before[finding.source]!);
    return source < 0 ? [] : [{ ...finding, source }];
  });
  return { ...quality, findings };
}

/** The books as they are before a time, as snapshots at that time. */
export async function* snapshotBooks(
  source: EventSource,
  fromMs: number,
  places: ReadonlyMap<number, number>,
): AsyncGenerator<EventChunk> {
  const books = await readBooks(source, fromMs, places);
  const builder = new ChunkBuilder();
  for (const [market, { book, id, isBroken }] of [...books].sort(([a], [b]) => a - b)) {
    const levels = [...book.listLevels()];
    for (let begin = 0; begin < levels.length; begin += CHUNK_ROWS) {
      const batch = toSnapshot(levels.slice(begin, begin + CHUNK_ROWS), places.get(market)!, fromMs, id);
      if (begin === 0) batch.flags[0]! |= BookFlag.first | (isBroken ? BookFlag.gap : 0);
      if (batch.count > builder.room) yield builder.flush()!;
      builder.append(batch, 0, batch.count);
    }
  }
  const rest = builder.flush();
  if (rest !== undefined) yield rest;
}

type Level = ReturnType<RecordedBook["listLevels"]> extends Generator<infer L> ? L : never;

function toSnapshot(levels: readonly Level[], market: number, timeMs: number, id: number): EventBatch {
  const column = (value: (level: Level) => number) => Float64Array.from(levels, value);
  return createEventBatch({
    count: levels.length,
    kind: EventKind.depth,
    market,
    source: 0,
    line: column(() => 0),
    timeMs: column(() => timeMs),
    price: column(({ price }) => price),
    size: column(({ size }) => size),
    side: Int8Array.from(levels, ({ side }) => side),
    id: column(() => id),
    flags: new Uint8Array(levels.length).fill(BookFlag.snapshot),
  });
}

interface BookBefore {
  readonly book: RecordedBook;
  /** Of its last update. */
  id: number;
  /** Updates are missing since its last snapshot. */
  isBroken: boolean;
}

async function readBooks(
  source: EventSource,
  fromMs: number,
  places: ReadonlyMap<number, number>,
): Promise<Map<number, BookBefore>> {
  const books = new Map<number, BookBefore>();
  for await (const { count, kind, market, side, price, size, flags, id } of source.chunks({ toMs: fromMs })) {
    for (let row = 0; row < count; row++) {
      if (kind[row] !== EventKind.depth || !places.has(market[row]!)) continue;
      const entry = books.get(market[row]!) ?? { book: new RecordedBook(), id: 0, isBroken: false };
      books.set(market[row]!, entry);
      entry.book.apply(side[row]!, price[row]!, size[row]!, flags[row]!);
      entry.id = id[row]!;
      if ((flags[row]! & BookFlag.first) !== 0) entry.isBroken = false;
      if ((flags[row]! & BookFlag.gap) !== 0) entry.isBroken = true;
    }
  }
  return books;
}
