import { type EventChunk, EventKind, type EventSource } from "../../market-data/types.ts";
import type { FutureMarket } from "./future.ts";
import { type FutureSeries, SeriesSurvey } from "./seriesFuture.ts";

/** A step of a path where a market has trades, ms. */
const TRADE_STEP_MS = 10_000;
/** Prices of trades are sampled once in this time, ms. */
const SAMPLE_MS = 60_000;

/** Recorded prices of a market, about one a bar or minute, each known at its time. */
export interface PriceSeries {
  readonly timeMs: readonly number[];
  readonly price: readonly number[];
}

/** Facts about its data that a check needs. */
export interface PriceSurvey {
  /** For each cut, the markets as a future takes them. */
  readonly marketsAt: readonly (readonly FutureMarket[])[];
  /** As a future takes them that changes everything. */
  readonly marketsAtStart: readonly FutureMarket[];
  /** For each cut, the recorded series as a future takes them; and as one that changes everything does. */
  readonly valuesAt: readonly (readonly FutureSeries[])[];
  readonly valuesAtStart: readonly FutureSeries[];
  /** By market. */
  readonly series: readonly PriceSeries[];
}

/** Reads the data once: the last prices at each cut, and a series of prices of each market. */
export async function surveyPrices(data: EventSource, cuts: readonly number[]): Promise<PriceSurvey> {
  const { markets } = data.manifest;
  const barred = markets.map(({ events }) => events.bar > 0);
  const stepMs = markets.map(() => TRADE_STEP_MS);
  const first = markets.map(() => 0);
  const last = markets.map(() => 0);
  const times = markets.map((): number[] => []);
  const prices = markets.map((): number[] => []);
  const order = [...cuts.keys()].sort((a, b) => cuts[a]! - cuts[b]!);
  const atCut: number[][] = cuts.map(() => []);
  const values = new SeriesSurvey(data.manifest.series);
  const valuesAtCut: (readonly (number | undefined)[])[] = cuts.map(() => []);
  let passed = 0;
  const pass = (untilMs: number) => {
    while (passed < order.length && cuts[order[passed]!]! < untilMs) {
      const cut = order[passed++]!;
      atCut[cut] = [...last];
      valuesAtCut[cut] = values.mark();
    }
  };
  const see = ({ kind, market, timeMs, intervalMs, price, open }: EventChunk, row: number) => {
    const place = market[row]!;
    const isBar = kind[row] === EventKind.bar;
    if (isBar && first[place] === 0) stepMs[place] = intervalMs[row]!;
    if (!isBar && (kind[row] !== EventKind.trade || barred[place])) return;
    const at = timeMs[row]!;
    if (first[place] === 0) first[place] = isBar ? open[row]! : price[row]!;
    last[place] = price[row]!;
    const own = times[place]!;
    if (isBar || own.length === 0 || at - own.at(-1)! >= SAMPLE_MS) {
      own.push(at);
      prices[place]!.push(price[row]!);
    }
  };
  for await (const chunk of data.chunks()) {
    for (let row = 0; row < chunk.count; row++) {
      pass(chunk.timeMs[row]!);
      see(chunk, row);
      values.see(chunk, row);
    }
  }
  pass(Number.POSITIVE_INFINITY);
  const describe = (bases: readonly number[]): FutureMarket[] =>
    markets.map(({ name, priceStep, sizeStep }, place) => ({
      name,
      basePrice: bases[place] || first[place]! || 1,
      stepMs: stepMs[place]!,
      priceStep,
      sizeStep,
    }));
  return {
    marketsAt: atCut.map(describe),
    marketsAtStart: describe(first),
    valuesAt: valuesAtCut.map((last) => values.describe(last)),
    valuesAtStart: values.describe([]),
    series: markets.map((_, place) => ({ timeMs: times[place]!, price: prices[place]! })),
  };
}
