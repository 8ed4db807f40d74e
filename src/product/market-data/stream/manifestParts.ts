/** Parts of a manifest that depend on what a stream has. */
import { EVENT_KINDS, type MarketSummary, type TapeManifest } from "../types.ts";

/** First and last time of something. */
export type Span = Pick<MarketSummary, "fromMs" | "toMs">;

/** The times of all parts; 0 without any. */
export function span(parts: readonly Span[]): Span {
  if (parts.length === 0) return { fromMs: 0, toMs: 0 };
  return { fromMs: Math.min(...parts.map((part) => part.fromMs)), toMs: Math.max(...parts.map((part) => part.toMs)) };
}

/** The times of all markets with events; of those with series alone only where there are no others. */
export function spanOfMarkets(markets: readonly MarketSummary[]): Span {
  const filled = markets.filter(({ events }) => EVENT_KINDS.some((kind) => events[kind] > 0));
  const moved = filled.filter(({ events }) => EVENT_KINDS.some((kind) => kind !== "series" && events[kind] > 0));
  return span(moved.length === 0 ? filled : moved);
}

/** The version of a recording; one without series is as it was before there were any. */
export function versionOf({ series }: TapeManifest["counts"]): TapeManifest["version"] {
  return series === 0 ? 3 : 4;
}

export function scalesOf({ series }: TapeManifest["counts"]): TapeManifest["scales"] {
  const scales = { price: 8, size: 8, rate: 9, time: "ms" } as const;
  return series === 0 ? scales : { ...scales, series: 15 };
}
