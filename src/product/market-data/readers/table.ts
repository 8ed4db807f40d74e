/** The layouts that are known by name. A new one is a file of its own and one line here. */
import { aggTrades } from "./binanceAggTrades.ts";
import { bookDepth } from "./binanceBookDepth.ts";
import { bookTicker } from "./binanceBookTicker.ts";
import { fundingRate } from "./binanceFundingRate.ts";
import { indexPriceKlines, klines, markPriceKlines } from "./binanceKlines.ts";
import { metrics } from "./binanceMetrics.ts";
import { premiumIndexKlines } from "./binancePremium.ts";
import { trades } from "./binanceTrades.ts";
import { bybitTrades } from "./bybitTrades.ts";
import { hyperliquidContexts } from "./hyperliquidContexts.ts";
import type { KnownLayout, RefusedLayout } from "./known.ts";
import { LEAN } from "./leanPath.ts";
import { okxTrades } from "./okxTrades.ts";
import { tardisBookSnapshot5, tardisBookSnapshot25, tardisIncrementalBook, tardisQuotes } from "./tardisBook.ts";
import { tardisTicker } from "./tardisTicker.ts";
import { tardisLiquidations, tardisTrades } from "./tardisTrades.ts";

/** Of layouts with the same columns the first is taken where the path does not name another. */
export const KNOWN_LAYOUTS: readonly KnownLayout[] = [
  klines,
  markPriceKlines,
  indexPriceKlines,
  aggTrades,
  trades,
  fundingRate,
  bookTicker,
  premiumIndexKlines,
  bookDepth,
  metrics,
  tardisTrades,
  tardisIncrementalBook,
  tardisBookSnapshot5,
  tardisBookSnapshot25,
  tardisQuotes,
  tardisTicker,
  bybitTrades,
  okxTrades,
  hyperliquidContexts,
];

/** Layouts that are known and refused with a reason. */
export const REFUSED_LAYOUTS: readonly RefusedLayout[] = [tardisLiquidations];

/** Layouts that the paths of their files define. */
export const PATH_LAYOUTS: readonly string[] = [LEAN];

/** Layouts of JSON, which are in a table of their own: reading CSV needs none of it. */
export const JSON_LAYOUT_NAMES = ["hyperliquidBook", "hyperliquidFills", "bybitBook", "okxBook"] as const;

/** Name, in manifests and in front of a path (`BTC:ohlcv=file.csv`), of bars that are known by their columns. */
export const PLAIN_BARS = "ohlcv";
/** The same of settled funding rates with a time and a rate. */
export const PLAIN_FUNDING = "funding";
/** Names of tables that are known by the meaning of their columns. */
export const PLAIN_TABLES: readonly string[] = [PLAIN_BARS, PLAIN_FUNDING];
