import type { BacktestReport } from "../model.ts";

/** Digits after the point that some of the prices have, at most eight. */
export function getPriceDigits(prices: readonly (string | null)[]): number {
  let digits = 0;
  for (const text of prices) digits = Math.max(digits, text?.split(".")[1]?.length ?? 0);
  return Math.min(digits, 8);
}

/**
 * How a column shows prices: with the digits of the last prices, which are on ticks. If the markets of the rows differ,
 * each price keeps its own digits.
 */
export function alignPrices(
  { markets }: Pick<BacktestReport, "markets">,
  rows: readonly { readonly market: string }[],
): { readonly digits?: number } {
  const names = new Set(rows.map(({ market }) => market));
  const digits = new Set(markets.filter(({ market }) => names.has(market)).map(({ last }) => getPriceDigits(last)));
  const [first, ...others] = digits;
  return first === undefined || others.length > 0 ? {} : { digits: first };
}
