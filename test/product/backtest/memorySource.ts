import { gcd } from "../../../src/ground/math/fixed.ts";
import { splitExact } from "../../../src/product/market-data/scan/exactDecimal.ts";
import {
  EVENT_KINDS,
  type EventChunk,
  EventKind,
  type EventKindName,
  type EventSource,
  type MarketSummary,
  NO_EVENTS,
  type TapeManifest,
} from "../../../src/product/market-data/types.ts";

/** An event as a test writes it: prices, sizes and rates as plain numbers of few digits. */
export type TestEvent =
  | { kind: "trade"; timeMs: number; price: number; size: number; side?: 1 | -1 | 0; market?: number }
  | {
      kind: "bar";
      timeMs: number;
      ohlc: readonly [number, number, number, number];
      volume: number;
      intervalMs?: number;
      market?: number;
    }
  | {
      kind: "mark" | "index";
      timeMs: number;
      price: number;
      ohlc?: readonly [number, number, number, number];
      intervalMs?: number;
      market?: number;
    }
  | { kind: "funding"; timeMs: number; rate: number; market?: number }
  /**
   * A value of a series, known at its time, `lateMs` after its own. `series` is its place among those of the source.
   */
  | { kind: "series"; timeMs: number; series: number; value: string; lateMs?: number; market?: number }
  /** A row of an order book, or one side of a quote, which has two rows. */
  | {
      kind: "depth" | "quote";
      timeMs: number;
      side: 1 | -1;
      price: number;
      size: number;
      flags?: number;
      id?: number;
      market?: number;
    };

export const HOUR = 3_600_000;
export const START = Date.UTC(2024, 0, 1);

const e8 = (value: number) => Math.round(value * 1e8);

/** Events in memory as a stream. They are put into the total order; chunks have `chunkRows` rows. */
export function memorySource(
  events: readonly TestEvent[],
  { markets = ["BTC"], chunkRows = 65_536, series = [] as readonly (readonly [market: string, name: string])[] } = {},
): EventSource {
  const sorted = events
    .map((event, at) => ({ event, at }))
    .sort((a, b) => a.event.timeMs - b.event.timeMs || rankOf(a.event) - rankOf(b.event) || a.at - b.at)
    .map(({ event }) => event);
  const chunks: EventChunk[] = [];
  for (let from = 0; from < sorted.length; from += chunkRows)
    chunks.push(toChunk(sorted.slice(from, from + chunkRows)));
  const manifest = { ...describe(sorted, chunks, markets), ...listSeries(sorted, series) };
  return {
    manifest,
    async *chunks({ fromMs = Number.NEGATIVE_INFINITY, toMs = Number.POSITIVE_INFINITY } = {}) {
      for (const chunk of chunks) {
        const rows = sorted.slice(chunks.indexOf(chunk) * chunkRows, (chunks.indexOf(chunk) + 1) * chunkRows);
        const inside = rows.filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs);
        if (inside.length > 0) yield inside.length === rows.length ? chunk : toChunk(inside);
      }
    },
    close: () => Promise.resolve(),
  };
}

const rankOf = ({ kind }: TestEvent) => EVENT_KINDS.indexOf(kind);

const partsOf = (value: string) => {
  const [, places = ""] = value.split(".");
  const parts = splitExact(BigInt(value.replace(".", "")), places.length);
  if (parts === "range") throw new Error(`${value} is out of range`);
  return parts;
};

function listSeries(
  events: readonly TestEvent[],
  series: readonly (readonly [market: string, name: string])[],
): Pick<TapeManifest, "series"> {
  if (series.length === 0) return {};
  return {
    series: series.map(([market, name], place) => {
      const own = events.filter((event) => event.kind === "series" && event.series === place);
      const [fromMs, toMs] = [own[0]?.timeMs ?? 0, own.at(-1)?.timeMs ?? 0];
      return { market, name, events: own.length, fromMs, toMs };
    }),
  };
}

function toChunk(events: readonly TestEvent[]): EventChunk {
  const column = (value: (event: TestEvent) => number) => Float64Array.from(events, value);
  return {
    count: events.length,
    kind: Uint8Array.from(events, ({ kind }) => EventKind[kind]),
    market: Uint16Array.from(events, ({ market }) => market ?? 0),
    side: Int8Array.from(events, (event) => ("side" in event ? (event.side ?? 0) : 0)),
    timeMs: column(({ timeMs }) => timeMs),
    price: column((event) =>
      event.kind === "funding"
        ? 0
        : event.kind === "series"
          ? partsOf(event.value).whole
          : event.kind === "bar"
            ? e8(event.ohlc[3])
            : e8(event.price),
    ),
    size: column((event) =>
      event.kind === "series"
        ? partsOf(event.value).fraction
        : "size" in event
          ? e8(event.size)
          : event.kind === "bar"
            ? e8(event.volume)
            : 0,
    ),
    open: column((event) => ("ohlc" in event && event.ohlc !== undefined ? e8(event.ohlc[0]) : 0)),
    high: column((event) => ("ohlc" in event && event.ohlc !== undefined ? e8(event.ohlc[1]) : 0)),
    low: column((event) => ("ohlc" in event && event.ohlc !== undefined ? e8(event.ohlc[2]) : 0)),
    rate: column((event) => (event.kind === "funding" ? Math.round(event.rate * 1e9) : 0)),
    intervalMs: column((event) =>
      event.kind === "bar"
        ? (event.intervalMs ?? HOUR)
        : event.kind === "funding"
          ? 8 * HOUR
          : event.kind === "series"
            ? (event.lateMs ?? 0)
            : event.kind === "mark" || event.kind === "index"
              ? (event.intervalMs ?? 0)
              : 0,
    ),
    id: column((event) => (event.kind === "series" ? event.series : "id" in event ? (event.id ?? 0) : 0)),
    flags: Uint8Array.from(events, (event) => ("flags" in event ? (event.flags ?? 0) : 0)),
  };
}

function describe(events: readonly TestEvent[], chunks: readonly EventChunk[], names: readonly string[]): TapeManifest {
  const markets = names.map((name, market): MarketSummary => {
    let priceStep = 0;
    let sizeStep = 0;
    const counts: Record<EventKindName, number> = { ...NO_EVENTS };
    for (const event of events) {
      if ((event.market ?? 0) !== market) continue;
      counts[event.kind]++;
      if (event.kind === "bar") {
        for (const price of event.ohlc) priceStep = gcd(e8(price), priceStep);
        sizeStep = gcd(e8(event.volume), sizeStep);
      } else if ("size" in event) {
        priceStep = gcd(e8(event.price), priceStep);
        sizeStep = gcd(e8(event.size), sizeStep);
      }
    }
    return {
      name,
      priceStep,
      sizeStep,
      events: counts,
      fromMs: events[0]?.timeMs ?? 0,
      toMs: events.at(-1)?.timeMs ?? 0,
    };
  });
  const counts = { ...NO_EVENTS };
  for (const { kind } of events) counts[kind]++;
  return {
    format: "perplab-tape",
    version: 1,
    markets,
    sources: [
      {
        file: "memory.csv",
        market: names[0]!,
        layout: "memory",
        dialect: "scanner",
        bytes: 0,
        sha256: "00".repeat(32),
        rows: events.length,
        events: events.length,
        fromMs: events[0]?.timeMs ?? 0,
        toMs: events.at(-1)?.timeMs ?? 0,
        notes: [],
      },
    ],
    events: chunks.reduce((sum, { count }) => sum + count, 0),
    counts,
    fromMs: events[0]?.timeMs ?? 0,
    toMs: events.at(-1)?.timeMs ?? 0,
    quality: { allow: [], deny: [], findings: [] },
    scales: { price: 8, size: 8, rate: 9, time: "ms" },
  };
}

/** Hourly bars from the start, one after the other: `[open, high, low, close]`, and volume. */
export function hourlyBars(bars: readonly (readonly [number, number, number, number])[], volume = 1_000): TestEvent[] {
  return bars.map((ohlc, at) => ({ kind: "bar", timeMs: START + (at + 1) * HOUR, ohlc, volume }));
}
