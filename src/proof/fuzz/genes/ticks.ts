/** Prices of orders, in ticks. */
import { NONE } from "../../../ground/collections/table.ts";
import { SIDE } from "../../../protocol/words.ts";
import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import type { BlockBuilder } from "./blockBuilder.ts";
import { weigh } from "./choices.ts";
import { type Aim, findEdge, hit } from "./edges.ts";
import { KEPT } from "./lots.ts";
import { findAnyOrder } from "./references.ts";

const TICKS_MOST = 2 ** 31 - 1;

/** Ways to choose a price; the plainest first. */
export const TICK_WAYS = weigh({
  mark: 4,
  near: 12,
  touch: 16,
  through: 10,
  join: 6,
  improve: 3,
  other: 3,
  bandHigh: 2,
  bandLow: 2,
  margin: 2,
  power: 1,
  odd: 1,
});

/**
 * An order price in ticks, at least 0; mostly within the band, unless it aims at an edge.
 *
 * @param tryTicks true if the venue would accept an order at this price
 */
export function drawTicks(
  builder: BlockBuilder,
  aim: Aim,
  market: MarketRow,
  side: number,
  tryTicks: (ticks: number) => boolean,
): number {
  const { state } = builder;
  const { tickSize } = state.parameters[market]!;
  const { mark, bandLow, bandHigh } = state.markets;
  const book = state.books[market]!;
  const { detail } = aim;
  const middle = Math.max(1, Math.round(mark[market]! / tickSize));
  const away = side === SIDE.buy ? -1 : 1;
  const touch = (side === SIDE.buy ? book.bestAsk : book.bestBid) || middle;
  const own = (side === SIDE.buy ? book.bestBid : book.bestAsk) || middle;
  const low = Math.ceil(bandLow[market]! / tickSize);
  const high = Math.floor(bandHigh[market]! / tickSize);
  const keep = (ticks: number) =>
    detail % 8 < KEPT ? Math.max(1, Math.min(Math.max(ticks, low), high)) : Math.max(1, ticks);
  switch (TICK_WAYS[aim.way % TICK_WAYS.length]!) {
    case "mark":
      return keep(middle);
    case "near":
      return keep(middle + away * (detail % (2 + Math.floor(middle / 100))));
    case "touch":
      return keep(touch - away * [0, 0, 1, -1][(detail >> 3) % 4]!);
    case "through":
      return keep(touch - away * (detail % (2 + Math.floor(middle / 100))));
    case "join":
      return keep(own);
    case "improve":
      return keep(own - away);
    case "bandHigh":
      return Math.min(TICKS_MOST, hit(aim, high));
    case "bandLow":
      return Math.min(TICKS_MOST, hit(aim, low));
    case "other": {
      const order = findAnyOrder(state, detail);
      const elsewhere = order === NONE || state.positions.market[state.orders.position[order]!] !== market;
      return elsewhere ? middle : state.orders.price[order]!;
    }
    case "margin":
      // A higher bid costs more margin, a higher ask less.
      return side === SIDE.buy
        ? hit(aim, findEdge(0, 2 * middle, tryTicks))
        : Math.max(
            1,
            2 * middle -
              hit(
                aim,
                findEdge(0, 2 * middle, (down) => tryTicks(2 * middle - down)),
              ),
          );
    case "power":
      return hit(aim, 2 ** (detail % 31));
    case "odd":
      return [1, 2, TICKS_MOST, TICKS_MOST + 1, 0][detail % 5]!;
  }
}
