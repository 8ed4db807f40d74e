import { Random } from "../../src/ground/math/random.ts";
import { BookFlag, type EventChunk, EventKind, type EventSource } from "../../src/product/market-data/types.ts";

const LEVELS = 500;
const TICK = 10_000_000;
const LOT = 100_000;
const START = Date.UTC(2024, 0, 1);

/**
 * A recorded book that wanders: a snapshot of 1,000 levels, then an update of seven levels each 5 ms, and a trade with
 * every tenth.
 */
export function drawBook(updates: number): EventSource {
  const random = Random.ofSeed([1, 44]);
  const columns = { kind: [], side: [], timeMs: [], price: [], size: [], id: [], flags: [] } as Record<
    string,
    number[]
  >;
  const add = (row: Readonly<Record<string, number>>) => {
    for (const [name, column] of Object.entries(columns)) column.push(row[name] ?? 0);
  };
  let middle = 300_000;
  let timeMs = START;
  const level = (side: number, ticks: number, lots: number, flags = 0, id = 1) =>
    add({ kind: EventKind.depth, side, timeMs, price: ticks * TICK, size: lots * LOT, flags, id });
  for (const side of [1, -1]) {
    for (let place = 1; place <= LEVELS; place++) {
      const first = side === 1 && place === 1 ? BookFlag.first : 0;
      level(side, middle - side * place, random.between(1, 500), BookFlag.snapshot | first);
    }
  }
  for (let update = 0; update < updates; update++) {
    timeMs += 5;
    if (update % 10 === 0) {
      const side = random.pick([1, -1]);
      add({ kind: EventKind.trade, side, timeMs, price: (middle + side) * TICK, size: random.between(1, 80) * LOT });
    }
    const move = random.chance(1, 4) ? random.pick([1, -1]) : 0;
    middle += move;
    const id = update + 2;
    // The side that the price moves into loses its best level, and the other gains one.
    if (move !== 0) level(-move, middle, 0, 0, id);
    if (move !== 0) level(move, middle - move, random.between(1, 500), 0, id);
    for (let row = 0; row < 5; row++) {
      const side = random.pick([1, -1]);
      const away = random.chance(1, 2) ? random.between(1, 5) : random.between(1, LEVELS);
      level(side, middle - side * away, random.chance(1, 5) && away > 1 ? 0 : random.between(1, 500), 0, id);
    }
  }
  return openColumns(columns);
}

function openColumns(columns: Readonly<Record<string, readonly number[]>>): EventSource {
  const count = columns["timeMs"]!.length;
  const zeros = new Float64Array(count);
  const doubles = (name: string) => Float64Array.from(columns[name]!);
  const chunk: EventChunk = {
    count,
    kind: Uint8Array.from(columns["kind"]!),
    market: new Uint16Array(count),
    side: Int8Array.from(columns["side"]!),
    timeMs: doubles("timeMs"),
    price: doubles("price"),
    size: doubles("size"),
    id: doubles("id"),
    flags: Uint8Array.from(columns["flags"]!),
    ...{ open: zeros, high: zeros, low: zeros, rate: zeros, intervalMs: zeros },
  };
  const events = { index: 0, mark: 0, funding: 0, trade: 0, depth: 0, quote: 0, series: 0, bar: 0 };
  for (const kind of chunk.kind) events[kind === EventKind.trade ? "trade" : "depth"]++;
  const [fromMs, toMs] = [chunk.timeMs[0]!, chunk.timeMs[count - 1]!];
  const start = { driver: "depth", intervalMs: 0, firstPrice: chunk.price[0]!, fromMs } as const;
  const market = { name: "BTC", priceStep: TICK, sizeStep: LOT, events, fromMs, toMs, start };
  return {
    manifest: {
      ...{
        format: "perplab-tape",
        version: 3,
        markets: [market],
        sources: [],
        events: count,
        counts: events,
        fromMs,
        toMs,
      },
      quality: { allow: [], deny: [], findings: [] },
      scales: { price: 8, size: 8, rate: 9, time: "ms" },
    },
    async *chunks() {
      for (let from = 0; from < count; from += 65_536) yield cut(chunk, from, Math.min(count, from + 65_536));
    },
    close: () => Promise.resolve(),
  };
}

function cut(chunk: EventChunk, from: number, to: number): EventChunk {
  const parts = Object.entries(chunk).filter(([name]) => name !== "count");
  const columns = Object.fromEntries(parts.map(([name, column]) => [name, column.subarray(from, to)]));
  return { ...(columns as unknown as EventChunk), count: to - from };
}
