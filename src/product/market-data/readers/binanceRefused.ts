/** Files of Binance Vision that are known and have nothing that a market can be built from. */
import { klines, PREMIUM } from "./binanceKlines.ts";
import type { RefusedLayout } from "./known.ts";

/** Klines of the premium: signed ratios in the columns of prices. */
export const premiumIndexKlines: RefusedLayout = {
  name: "premiumIndexKlines",
  columns: klines.columns,
  ...PREMIUM,
};

/** Sums of depth within bands around the price. */
export const bookDepth: RefusedLayout = {
  name: "bookDepth",
  columns: [["timestamp"], ["percentage"], ["depth"], ["notional"]],
  reason: "bookDepth has sums of depth within bands of percent, and no levels of an order book",
  hint: "import an order book from a source that has its levels (depth in data/README.md), or bookTicker for best prices",
};

/** Open interest and ratios of accounts. */
export const metrics: RefusedLayout = {
  name: "metrics",
  columns: [
    ["create_time"],
    ["symbol"],
    ["sum_open_interest"],
    ["sum_open_interest_value"],
    ["count_toptrader_long_short_ratio"],
    ["sum_toptrader_long_short_ratio"],
    ["count_long_short_ratio"],
    ["sum_taker_long_short_vol_ratio"],
  ],
  reason: "metrics has open interest and ratios of accounts, which a tape does not hold",
  hint: "leave the file out; prices come from klines, markPriceKlines or aggTrades",
};
