/**
 * Binance Vision klines of USD-M futures: trades (`klines`), mark price and index price. The three have the same
 * columns, so a file does not say which it is; its folder on the exchange does, or the user.
 * A kline is stamped with its open and the last millisecond of its interval.
 */
import {
  amountCell,
  type KnownLayout,
  priceCell,
  type Refusal,
  refuseCoinM,
  skipCell,
  timeCell,
  volumeCell,
} from "./known.ts";
import type { CandleSpec, TimeUnit } from "./layout.ts";

const COLUMNS = [
  ["open_time"],
  ["open"],
  ["high"],
  ["low"],
  ["close"],
  ["volume"],
  ["close_time"],
  ["quote_volume", "quote_asset_volume"],
  ["count", "number_of_trades"],
  ["taker_buy_volume", "taker_buy_base_asset_volume"],
  ["taker_buy_quote_volume", "taker_buy_quote_asset_volume"],
  ["ignore"],
] as const;

/** Why klines of the premium are not read as prices, and what to do. */
const PREMIUM: Refusal = {
  reason: "a price is negative: these look like premium index klines, which are signed ratios and not prices",
  hint: "name the layout: MARKET:premiumIndexKlines=PATH makes a series of them",
};

/** A file that does not say that it has premiums has negative ones. */
function refusePremium(row: readonly string[]): Refusal | undefined {
  return row.slice(1, 5).some((cell) => cell.startsWith("-")) ? PREMIUM : undefined;
}

function defineKlines(name: string, kind: CandleSpec["kind"]): KnownLayout {
  return {
    name,
    columns: COLUMNS,
    timeColumn: 0,
    cells: (unit: TimeUnit) => [
      timeCell(unit),
      priceCell,
      priceCell,
      priceCell,
      priceCell,
      kind === "bar" ? volumeCell : amountCell,
      timeCell(unit),
      skipCell,
      skipCell,
      skipCell,
      skipCell,
      skipCell,
    ],
    refuse: (row, path) => refusePremium(row) ?? (kind === "bar" ? refuseCoinM(row, path) : undefined),
    streams: [
      {
        kind,
        shape: "candle",
        time: 0,
        everyMs: 0,
        skipEmpty: [],
        label: "open",
        interval: { from: "closeTime", column: 6 },
        open: 1,
        high: 2,
        low: 3,
        close: 4,
        clampOpen: false,
        ...(kind === "bar" ? { size: { from: "base", column: 5, multiplier: 1 } } : {}),
      },
    ],
  };
}

/** Bars of trades. */
export const klines = defineKlines("klines", "bar");
/** Bars of the mark price; their volume is zero. */
export const markPriceKlines = defineKlines("markPriceKlines", "mark");
/** Bars of the index price; their volume is zero. */
export const indexPriceKlines = defineKlines("indexPriceKlines", "index");
