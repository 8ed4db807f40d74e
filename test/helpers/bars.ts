/** A small file of hourly bars in the layout of Binance klines, with given closes. */
export function renderBars(closes: readonly number[], startMs = Date.UTC(2024, 0, 1)): string {
  const head =
    "open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore";
  const rows = closes.map((close, at) => {
    const open = closes[at - 1] ?? close;
    const openTime = startMs + at * 3_600_000;
    const cells = [openTime, open, Math.max(open, close) + 1, Math.min(open, close) - 1, close];
    return [...cells, 50, openTime + 3_599_999, 50 * close, 10, 25, 25 * close, 0].join(",");
  });
  return `${[head, ...rows].join("\n")}\n`;
}

/** Closes that rise and fall by turns, so that a trend follower trades. */
export function waves(count: number): number[] {
  return Array.from({ length: count }, (_, at) => 20_000 + 40 * (at % 40 < 20 ? at % 40 : 40 - (at % 40)));
}
