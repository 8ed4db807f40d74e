import type { MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/** Whether an order price lies in the market's band around oracle and index (ORD-5). */
export function isInBand(state: State, market: MarketRow, price: number): boolean {
  const { markets } = state;
  const priceE8 = price * state.parameters[market]!.tickSize;
  return priceE8 >= markets.bandLow[market] && priceE8 <= markets.bandHigh[market];
}

/** The band in ticks: the lowest and the highest price of an order. */
export function getBandTicks({ markets, parameters }: State, market: MarketRow): { low: number; high: number } {
  const { tickSize } = parameters[market]!;
  return { low: Math.ceil(markets.bandLow[market] / tickSize), high: Math.floor(markets.bandHigh[market] / tickSize) };
}
