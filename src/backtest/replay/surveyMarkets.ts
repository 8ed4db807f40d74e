import { type EventChunk, EventKind, type TapeManifest } from "../../market-data/types.ts";
import { BacktestError } from "../errors.ts";

/** What must be known of a market before its first block. */
export interface MarketSurvey {
  /** Length of the bars that drive it; 0 where it has trades, which then drive it. */
  readonly intervalMs: number;
  /** First price of a trade or bar, 1e-8 USD; 0 where the range has none. */
  readonly firstPrice: number;
}

/**
 * Looks at the beginning of a stream, as far as it takes to see every market once.
 *
 * @throws {BacktestError} DATA_UNUSABLE where a market has neither trades nor bars
 */
export async function surveyMarkets(
  manifest: TapeManifest,
  chunks: AsyncIterable<EventChunk>,
): Promise<readonly MarketSurvey[]> {
  const surveys = manifest.markets.map(() => ({ intervalMs: 0, firstPrice: 0 }));
  const missing = new Set(surveys.keys());
  for (const { name, events } of manifest.markets) {
    if (events.trade > 0 || events.bar > 0) continue;
    throw new BacktestError("DATA_UNUSABLE", `market ${name} has neither trades nor bars`, {
      place: name,
      hint: "name its market as that of the trades or bars it belongs to, as in BTC-PERP=funding.csv",
    });
  }
  for await (const chunk of chunks) {
    for (let row = 0; row < chunk.count && missing.size > 0; row++) {
      const market = chunk.market[row]!;
      if (!missing.has(market)) continue;
      const wanted = manifest.markets[market]!.events.trade > 0 ? EventKind.trade : EventKind.bar;
      if (chunk.kind[row] !== wanted) continue;
      missing.delete(market);
      const isBar = wanted === EventKind.bar;
      surveys[market] = {
        intervalMs: isBar ? chunk.intervalMs[row]! : 0,
        firstPrice: isBar ? chunk.open[row]! : chunk.price[row]!,
      };
    }
    if (missing.size === 0) break;
  }
  return surveys;
}
