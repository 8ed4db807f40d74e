import type { DataHooks } from "../../client/strategy/blockFacts.ts";
import type { Bar } from "../../client/strategy/facts.ts";
import { parseSpan } from "../../client/strategy/spans.ts";
import { readWarmUp, type WarmUp } from "../../client/strategy/warmUp.ts";
import { countOf, formatCount } from "../../ground/math/counts.ts";
import { selectByOpen } from "../market-data/select/selectByOpen.ts";
import { EventKind, type EventSource, type TimeRange } from "../market-data/types.ts";
import { openTradable } from "../replay/tradable.ts";
import { formatTime } from "../report/text/times.ts";
import { BacktestError } from "./errors.ts";
import type { Settings } from "./options.ts";
import { RecordedData } from "./recordedData.ts";
import { TradeBars } from "./tradeBars.ts";

/** Bars from before a run, and what is left of the range for the run. */
export interface WarmedRange {
  readonly range: TimeRange;
  /** By strategy; undefined for one without a warm-up. */
  readonly warmUps: readonly (ReadWarmUp | undefined)[];
  /** Where the longest history begins, for series; undefined without one. */
  readonly seriesFromMs?: number;
}

/** The history that a strategy of a run sees first. */
export interface ReadWarmUp {
  readonly asked: WarmUp;
  /** In the order of their closes, each complete at `startMs`. */
  readonly bars: readonly Bar[];
  readonly startMs: number;
}

/**
 * Splits the range of a run into history and run. A run that names its start has the bars before it; any other begins
 * with the history, the longest of its strategies, and trades after it. No bar of the history closes after the start.
 *
 * @throws {BacktestError} DATA_UNUSABLE where nothing is left to trade
 * @throws {StrategyError} STRATEGY_INVALID
 */
export async function warmRange(source: EventSource, settings: Settings, range: TimeRange): Promise<WarmedRange> {
  const asked = settings.strategies.map(({ strategy, params }) => readWarmUp(strategy, params));
  if (asked.every((one) => one === undefined)) return { range, warmUps: asked.map(() => undefined) };
  const lengths = await findBarLengths(source, settings.barMs);
  const longestMs = Math.max(...lengths);
  const spanOf = (one: WarmUp) => (one.bars === undefined ? parseSpan(one.span)! : one.bars * longestMs);
  const spans = asked.map((one) => (one === undefined ? 0 : spanOf(one)));
  const startMs = range.fromMs ?? (await findStart(source, range, Math.max(...spans), longestMs));
  if (startMs >= (range.toMs ?? Number.POSITIVE_INFINITY) || startMs > source.manifest.toMs) {
    throw new BacktestError("DATA_UNUSABLE", "the warm-up takes all of the data; nothing is left to trade", {
      place: "warmUp",
      hint: `it ends at ${formatTime(startMs)} UTC and the data at ${formatTime(source.manifest.toMs)} UTC; use less`,
    });
  }
  const read = new Map<number, Bar[]>();
  const warmUps: (ReadWarmUp | undefined)[] = [];
  for (const [place, one] of asked.entries()) {
    const spanMs = spans[place]!;
    if (one === undefined) {
      warmUps.push(undefined);
      continue;
    }
    const all =
      read.get(spanMs) ?? (await readBars(source, settings.barMs, { fromMs: startMs - spanMs, toMs: startMs }));
    read.set(spanMs, all);
    warmUps.push({ asked: one, bars: one.bars === undefined ? all : keepLast(all, one.bars), startMs });
  }
  return { range: { ...range, fromMs: startMs }, warmUps, seriesFromMs: startMs - Math.max(...spans) };
}

/** By market: length of its recorded bars, or of those that are made of its trades. */
async function findBarLengths({ manifest, chunks }: EventSource, barMs: number): Promise<number[]> {
  const lengths = manifest.markets.map(() => barMs);
  const missing = new Set([...manifest.markets.keys()].filter((place) => manifest.markets[place]!.events.bar > 0));
  if (missing.size === 0) return lengths;
  for await (const { count, kind, market, intervalMs } of chunks()) {
    for (let row = 0; row < count; row++) {
      if (kind[row] === EventKind.bar && missing.delete(market[row]!)) lengths[market[row]!] = intervalMs[row]!;
    }
    if (missing.size === 0) break;
  }
  return lengths;
}

/** The start of a run that begins with its history: on the clock, as bars are. */
async function findStart(source: EventSource, range: TimeRange, spanMs: number, barMs: number): Promise<number> {
  const { openMs } = await openTradable(source, range, { allowBooks: true, onSeries: () => undefined });
  return Math.ceil((openMs + spanMs) / barMs) * barMs;
}

async function readBars(source: EventSource, barMs: number, range: Required<TimeRange>): Promise<Bar[]> {
  const { markets } = source.manifest;
  const names = markets.map(({ name }) => name);
  const isMade = markets.map(({ events }) => events.bar === 0);
  const data = new RecordedData(names, new TradeBars(names, isMade, barMs));
  const bars: Bar[] = [];
  const hooks: DataHooks = {
    takesTrades: false,
    takesBars: true,
    takeTrade: () => undefined,
    takeBar: (bar) => void (bar.closeTimeMs <= range.toMs && bars.push(bar)),
  };
  for await (const chunk of selectByOpen(source, range)) {
    if (chunk.count === 0) continue;
    data.moveTo([{ chunk, from: 0, to: chunk.count }], Number.NEGATIVE_INFINITY);
    data.show(hooks);
  }
  data.moveTo([], range.toMs);
  data.show(hooks);
  return bars;
}

/** The last bars of each market. */
function keepLast(bars: readonly Bar[], count: number): Bar[] {
  const left = new Map<string, number>();
  const kept = bars.toReversed().filter(({ market }) => {
    const of = left.get(market) ?? count;
    left.set(market, of - 1);
    return of > 0;
  });
  return kept.reverse();
}

/**
 * The warm-up of a strategy, by market, as sentences for the report.
 *
 * @param who the strategy, as a sentence calls it
 */
export function describeWarmUp({ bars, startMs }: ReadWarmUp, names: readonly string[], who: string): string[] {
  return names.map((name) => {
    const own = bars.filter(({ market }) => market === name);
    const before = `before the start at ${formatTime(startMs)} UTC`;
    if (own.length === 0) return `Warm-up of ${name}: ${who} saw no bar ${before}.`;
    return (
      `Warm-up of ${name}: ${who} saw ${countOf(own.length, "bar")} from ${formatTime(own[0]!.openTimeMs)} UTC on, ` +
      `${before}, and could not trade in them.`
    );
  });
}

/** Markets with fewer bars than the strategy asks for, as sentences for the top of the report. */
export function listShortWarmUps({ asked, bars }: ReadWarmUp, names: readonly string[], who: string): string[] {
  if (asked.bars === undefined) return [];
  return names.flatMap((name) => {
    const count = bars.filter(({ market }) => market === name).length;
    if (count >= asked.bars) return [];
    return `${who} asks for ${formatCount(asked.bars)} bars of ${name} before it trades; the data has ${formatCount(count)}.`;
  });
}
