import type { Row } from "../recorded.ts";

export type Quote = Row<"transaction_ms" | "bid_px" | "ask_px">;

/** Prices to quote from a time on, in ticks. */
export type Planned = readonly [timeMs: number, bidTicks: number, askTicks: number];

/** The best prices that the venue itself reported last, at every whole multiple of a span. */
export function planQuotes(quotes: Iterable<Quote>, everyMs: number, tick: number): Planned[] {
  const planned: Planned[] = [];
  let last: readonly [bid: number, ask: number] | undefined;
  let next = 0;
  for (const { transaction_ms, bid_px, ask_px } of quotes) {
    const timeMs = Number(transaction_ms);
    if (last === undefined) next = Math.ceil(timeMs / everyMs) * everyMs;
    for (; last !== undefined && timeMs > next; next += everyMs) planned.push([next, ...last]);
    last = [Math.round(Number(bid_px) / tick), Math.round(Number(ask_px) / tick)];
  }
  return planned;
}
