/** The layouts that are known by name. A new one is a file of its own and one line here. */
import { aggTrades } from "./binanceAggTrades.ts";
import { fundingRate } from "./binanceFundingRate.ts";
import { indexPriceKlines, klines, markPriceKlines } from "./binanceKlines.ts";
import { trades } from "./binanceTrades.ts";
import type { KnownLayout } from "./known.ts";

export const KNOWN_LAYOUTS: readonly KnownLayout[] = [
  klines,
  markPriceKlines,
  indexPriceKlines,
  aggTrades,
  trades,
  fundingRate,
];

/** Name, in manifests and in front of a path (`BTC:ohlcv=file.csv`), of bars that are known by their columns. */
export const PLAIN_BARS = "ohlcv";
