/** Several recordings as one. */
import { DataError } from "../errors.ts";
import { ChunkBuilder } from "../stream/chunkBuilder.ts";
import { SeriesList } from "../stream/seriesList.ts";
import { EVENT_KINDS, type EventChunk, EventKind, type EventSource, KIND_NAMES } from "../types.ts";
import type { Derived } from "./derived.ts";
import { Summary } from "./summary.ts";

/** Rank of a kind at equal times, by its code. */
const RANKS: readonly number[] = EVENT_KINDS.reduce<number[]>((ranks, kind, rank) => {
  ranks[EventKind[kind]] = rank;
  return ranks;
}, []);

/**
 * The events of several recordings in one total order: by time, then kind, then the order in which they are given.
 * Markets of one name are one market.
 *
 * @throws {DataError} SOURCE_INVALID where two recordings have the same kind of events of one market at the same time:
 *   nothing shows which of them are duplicates
 */
export function mergeData(sources: readonly EventSource[]): Derived {
  const names = [...new Set(sources.flatMap(({ manifest }) => manifest.markets.map(({ name }) => name)))];
  refuseOverlaps(sources);
  const series = new SeriesList();
  const summary = new Summary(names, series);

  async function* chunks(): AsyncGenerator<EventChunk> {
    const cursors = sources.map((source) => new Cursor(source, names, series));
    const builder = new ChunkBuilder();
    const seams = new Seams();
    for (const cursor of cursors) await cursor.fill();
    for (;;) {
      const cursor = earliest(cursors);
      if (cursor === undefined) break;
      seams.check(cursor);
      builder.copyRow(cursor.chunk!, cursor.row, cursor.market, cursor.id);
      if (builder.isFull) yield pass(builder.flush()!);
      cursor.row++;
      if (cursor.row === cursor.chunk!.count) await cursor.fill();
    }
    const rest = builder.flush();
    if (rest !== undefined) yield pass(rest);
  }
  const pass = (chunk: EventChunk): EventChunk => {
    summary.add(chunk);
    return chunk;
  };

  return {
    markets: names,
    chunks,
    nameSeries: (id) => series.nameOf(id),
    manifest() {
      const { allow, deny } = sources[0]!.manifest.quality;
      let place = 0;
      const findings = sources.flatMap(({ manifest }) => {
        const first = place;
        place += manifest.sources.length;
        return manifest.quality.findings.map((finding) => ({ ...finding, source: first + finding.source }));
      });
      const files = sources.flatMap(({ manifest }) => manifest.sources);
      return summary.finish(files, { allow, deny, findings });
    },
  };
}

function overlap(what: string, timeMs: number, file: string): DataError {
  return new DataError("SOURCE_INVALID", `two recordings have ${what} at ${new Date(timeMs).toISOString()}`, {
    file,
    hint: "cut one of them before that with perplab tape slice, or leave the kind out of one of them",
  });
}

/** Finds an event that two recordings have, where one ends at the time at which the other begins. */
class Seams {
  /** By market and kind, or by series: time and recording of the last event. */
  readonly #last = new Map<number, { timeMs: number; cursor: Cursor }>();

  /** @throws {DataError} SOURCE_INVALID */
  check(cursor: Cursor): void {
    const { chunk, row, market, id } = cursor;
    const isSeries = chunk!.kind[row] === EventKind.series;
    const place = isSeries ? -1 - id : market * RANKS.length + chunk!.kind[row]!;
    const timeMs = chunk!.timeMs[row]!;
    const last = this.#last.get(place);
    if (last === undefined) this.#last.set(place, { timeMs, cursor });
    else {
      if (last.cursor !== cursor && last.timeMs === timeMs) {
        const what = isSeries ? `series ${cursor.seriesName}` : KIND_NAMES.get(chunk!.kind[row]!)!;
        throw overlap(`${what} of ${cursor.names[market]}`, timeMs, cursor.file);
      }
      last.timeMs = timeMs;
      last.cursor = cursor;
    }
  }
}

/** The next row of one recording. */
class Cursor {
  readonly #chunks: AsyncIterator<EventChunk>;
  /** Index of its markets among all, by their index in it. */
  readonly #markets: readonly number[];
  /** Places of its series among all, by their places in it. */
  readonly #series: readonly number[];
  readonly #list: SeriesList;
  readonly names: readonly string[];
  readonly file: string;
  /** Undefined at the end. */
  chunk: EventChunk | undefined;
  row = 0;

  constructor(source: EventSource, names: readonly string[], list: SeriesList) {
    this.names = names;
    this.#list = list;
    this.#series = (source.manifest.series ?? []).map(({ market, name }) => list.placeOf(market, name));
    this.file = source.manifest.sources[0]?.file ?? "";
    this.#chunks = source.chunks()[Symbol.asyncIterator]();
    this.#markets = source.manifest.markets.map(({ name }) => names.indexOf(name));
  }

  get market(): number {
    return this.#markets[this.chunk!.market[this.row]!]!;
  }

  /** Of a value of a series, its place among all; else the id of the event. */
  get id(): number {
    const { chunk, row } = this;
    const id = chunk!.id[row]!;
    return chunk!.kind[row] === EventKind.series ? this.#series[id]! : id;
  }

  get seriesName(): string {
    return this.#list.nameOf(this.id);
  }

  async fill(): Promise<void> {
    const next = await this.#chunks.next();
    this.chunk = next.done === true ? undefined : next.value;
    this.row = 0;
  }
}

/** The first in total order; undefined if all have ended. */
function earliest(cursors: readonly Cursor[]): Cursor | undefined {
  let best: Cursor | undefined;
  for (const cursor of cursors) {
    if (cursor.chunk === undefined) continue;
    if (best === undefined || compare(cursor, best) < 0) best = cursor;
  }
  return best;
}

function compare(a: Cursor, b: Cursor): number {
  const byTime = a.chunk!.timeMs[a.row]! - b.chunk!.timeMs[b.row]!;
  return byTime === 0 ? RANKS[a.chunk!.kind[a.row]!]! - RANKS[b.chunk!.kind[b.row]!]! : byTime;
}

function refuseOverlaps(sources: readonly EventSource[]): void {
  const spans: { key: string; fromMs: number; toMs: number; file: string }[] = [];
  for (const { manifest } of sources) {
    const file = manifest.sources[0]?.file ?? "";
    for (const { name, events, fromMs, toMs } of manifest.markets) {
      for (const kind of EVENT_KINDS) {
        if (kind === "series" || events[kind] === 0) continue;
        spans.push({ key: `${kind} of ${name}`, fromMs, toMs, file });
      }
    }
    for (const { market, name, events, fromMs, toMs } of manifest.series ?? [])
      if (events > 0) spans.push({ key: `series ${name} of ${market}`, fromMs, toMs, file });
  }
  spans.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.fromMs - b.fromMs));
  for (const [place, span] of spans.entries()) {
    const before = spans[place - 1];
    if (before?.key !== span.key || before.toMs <= span.fromMs) continue;
    throw overlap(span.key, span.fromMs, span.file);
  }
}
