import { formatDecimal } from "../../../ground/math/decimal.ts";
import { type EventChunk, EventKind, type EventSource, type TapeManifest } from "../../../product/market-data/types.ts";
import { BAR_MS, type ScriptBar, START_MS } from "./marketScript.ts";

/** Name of a script's market. */
export const SCRIPT_MARKET = "TEST-PERP";

const TICK_E8 = 10_000_000;
const LOT_E8 = 100_000;

interface Row {
  readonly kind: number;
  readonly timeMs: number;
  readonly bar: ScriptBar;
}

/** Bars of a script as the stream that a backtest reads. */
export function sourceOf(bars: readonly ScriptBar[]): EventSource {
  const rows = rowsOf(bars);
  const chunk = chunkOf(rows);
  return {
    manifest: manifestOf(rows),
    async *chunks({ fromMs = Number.NEGATIVE_INFINITY, toMs = Number.POSITIVE_INFINITY } = {}) {
      const inside = rows.filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs);
      if (inside.length > 0) yield inside.length === rows.length ? chunk : chunkOf(inside);
    },
    close: () => Promise.resolve(),
  };
}

/** In the order of a stream: at one instant mark, funding, bar. */
function rowsOf(bars: readonly ScriptBar[]): Row[] {
  return bars.flatMap((bar, at) => {
    const timeMs = START_MS + (at + 1) * BAR_MS;
    const row = (kind: number): Row => ({ kind, timeMs, bar });
    return [
      ...(bar.mark === undefined ? [] : [row(EventKind.mark)]),
      ...(bar.fundingPpb === undefined ? [] : [row(EventKind.funding)]),
      row(EventKind.bar),
    ];
  });
}

function chunkOf(rows: readonly Row[]): EventChunk {
  const column = (value: (row: Row) => number) => Float64Array.from(rows, value);
  const ofBar = (value: (bar: ScriptBar) => number) =>
    column(({ kind, bar }) => (kind === EventKind.bar ? value(bar) : 0));
  /** A mark stands for its whole bar. */
  const priced = (ticks: (bar: ScriptBar) => number) =>
    column(({ kind, bar }) =>
      kind === EventKind.bar ? ticks(bar) * TICK_E8 : kind === EventKind.mark ? bar.mark! : 0,
    );
  return {
    count: rows.length,
    kind: Uint8Array.from(rows, ({ kind }) => kind),
    market: new Uint16Array(rows.length),
    side: new Int8Array(rows.length),
    timeMs: column(({ timeMs }) => timeMs),
    price: column(({ kind, bar }) =>
      kind === EventKind.bar ? bar.close * TICK_E8 : kind === EventKind.mark ? bar.mark! : 0,
    ),
    size: ofBar(({ volume }) => volume * LOT_E8),
    open: priced(({ open }) => open),
    high: priced(({ high }) => high),
    low: priced(({ low }) => low),
    rate: column(({ kind, bar }) => (kind === EventKind.funding ? bar.fundingPpb! : 0)),
    intervalMs: column(({ kind }) => (kind === EventKind.funding ? 32 * BAR_MS : BAR_MS)),
    id: new Float64Array(rows.length),
  };
}

/** What files of the same rows would show. */
function stepsOf(rows: readonly Row[]): { priceStep: number; sizeStep: number } {
  let [price, size] = [0, 0];
  for (const { kind, bar } of rows) {
    if (kind !== EventKind.bar) continue;
    for (const ticks of [bar.open, bar.high, bar.low, bar.close]) price = divisor(ticks, price);
    size = divisor(bar.volume, size);
  }
  return { priceStep: price * TICK_E8, sizeStep: size * LOT_E8 };
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}

function manifestOf(rows: readonly Row[]): TapeManifest {
  const count = (kind: number) => rows.filter((row) => row.kind === kind).length;
  const counts = {
    index: 0,
    mark: count(EventKind.mark),
    funding: count(EventKind.funding),
    trade: 0,
    bar: count(EventKind.bar),
  };
  const [fromMs, toMs] = [rows[0]?.timeMs ?? 0, rows.at(-1)?.timeMs ?? 0];
  return {
    format: "perplab-tape",
    version: 1,
    markets: [{ name: SCRIPT_MARKET, ...stepsOf(rows), events: counts, fromMs, toMs }],
    sources: [
      {
        file: "script",
        market: SCRIPT_MARKET,
        layout: "script",
        dialect: "scanner",
        bytes: 0,
        sha256: "00".repeat(32),
        rows: rows.length,
        events: rows.length,
        fromMs,
        toMs,
        notes: ["made up by a market script"],
      },
    ],
    events: rows.length,
    counts,
    fromMs,
    toMs,
    quality: { allow: [], deny: [], findings: [] },
    scales: { price: 8, size: 8, rate: 9, time: "ms" },
  };
}

/** The same bars as files that `perplab backtest` reads: klines, mark prices and funding rates of Binance's layouts. */
export function filesOf(bars: readonly ScriptBar[]): {
  readonly klines: string;
  readonly marks: string;
  readonly funding: string;
} {
  const header =
    "open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore";
  const price = (ticks: number) => formatDecimal(ticks, 1);
  const klines = [header];
  const marks = [header];
  const funding = ["calc_time,funding_interval_hours,last_funding_rate"];
  bars.forEach(({ open, high, low, close, volume, mark, fundingPpb }, at) => {
    const from = START_MS + at * BAR_MS;
    const to = from + BAR_MS - 1;
    const [o, h, l, c] = [open, high, low, close].map(price);
    klines.push(`${from},${o},${h},${l},${c},${formatDecimal(volume, 3)},${to},0,1,0,0,0`);
    if (mark !== undefined) {
      const at8 = formatDecimal(mark, 8);
      marks.push(`${from},${at8},${at8},${at8},${at8},0,${to},0,1,0,0,0`);
    }
    if (fundingPpb !== undefined) funding.push(`${from + BAR_MS},8,${formatDecimal(fundingPpb, 9)}`);
  });
  const text = (lines: readonly string[]) => `${lines.join("\n")}\n`;
  return { klines: text(klines), marks: text(marks), funding: text(funding) };
}
