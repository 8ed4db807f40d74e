import type { BlockPoint, MarketPoint, PassedPoints, Recorder } from "../input.ts";

/** Records the first points one by one: each market, then the block. */
export function recordEachPoint(
  recorder: Pick<Recorder, "recordMarket" | "recordBlock">,
  points: PassedPoints,
  count: number,
): void {
  const { times, equity, maintenance, balance, markets } = points;
  for (let at = 0; at < count; at++) {
    for (let market = 0; market < markets.length; market++) {
      const { size, marks, lasts, unrealizedPnl } = markets[market]!;
      const point = { size, mark: marks[at], last: lasts[at], unrealizedPnl: unrealizedPnl[at] };
      const margin = { marginEquity: equity[at], marginMaintenance: maintenance[at] };
      recorder.recordMarket(market, { ...point, ...margin } as MarketPoint);
    }
    const own = { timeMs: times[at], equity: equity[at], balance, maintenance: maintenance[at], fundingAccrued: 0 };
    recorder.recordBlock(own as BlockPoint);
  }
}

/** The points without the first ones; shares their memory. */
export function dropFirst(
  { count, times, equity, maintenance, balance, markets }: PassedPoints,
  first: number,
): PassedPoints {
  return {
    count: count - first,
    times: times.subarray(first),
    equity: equity.subarray(first),
    maintenance: maintenance.subarray(first),
    balance,
    markets: markets.map(({ size, marks, lasts, unrealizedPnl }) => ({
      size,
      marks: marks.subarray(first),
      lasts: lasts.subarray(first),
      unrealizedPnl: unrealizedPnl.subarray(first),
    })),
  };
}
