/** Levels of a recorded book as genes draw them: at prices in use, with sizes around those that the house has there. */

import { NONE } from "../../../ground/collections/table.ts";
import { LIMIT, type Ticks } from "../../../ground/math/fixed.ts";
import { HOUSE_STEP } from "../../../protocol/houseSteps.ts";
import { ROLE, SIDE } from "../../../protocol/words.ts";
import { TICKS_MOST } from "../../../venue/engine/handler/grid.ts";
import { FLAG_SELL, type MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { BlockBuilder } from "./blockBuilder.ts";
import { weigh } from "./choices.ts";
import type { Step } from "./house.ts";

const KINDS = ["level", "level", "level", "ahead", "level", "ahead", "level", "print", "ahead", "clear"] as const;
/** Prices: with lots of the house and of others, with lots of the house, any in use, near the best, across the book. */
const PLACES = weigh({ shared: 5, own: 3, best: 2, next: 1, near: 2, other: 1, end: 1 });
/** Sizes, most of them around what the house has at the price. */
const SIZES = weigh({ more: 3, half: 2, few: 1, none: 1, same: 1, one: 1, less: 1, large: 1, edge: 1 });
/** Levels from the best in which a price is looked for. */
const DEPTH = 24;
const NEAR = 8;

/** Steps of one flow: levels, lots ahead, and sometimes a print or a clear between them. */
export function drawLevels(builder: BlockBuilder, market: MarketRow, middle: number): Step[] {
  const { choices } = builder;
  const count = 2 + choices.below(6);
  return Array.from({ length: count }, (): Step => {
    const kind = choices.pick(KINDS);
    const side = choices.below(2);
    const price = drawPrice(builder, market, side, middle);
    return [HOUSE_STEP[kind], price, drawLots(builder, market, kind, side, price), side];
  });
}

function drawPrice({ choices, state }: BlockBuilder, market: MarketRow, side: number, middle: number): number {
  const book = state.books[market]!;
  const buys = side === SIDE.buy;
  const away = buys ? -1 : 1;
  const best = (buys ? book.bestBid : book.bestAsk) || middle + away;
  const opposite = (buys ? book.bestAsk : book.bestBid) || best;
  const place = choices.pick(PLACES);
  const more = choices.below(NEAR);
  const drawn = {
    shared: () => findLevel(state, market, side, more, ({ house, others }) => house > 0 && others > 0),
    own: () => findLevel(state, market, side, more, ({ house }) => house > 0),
    best: () => best,
    next: () => findLevel(state, market, side, more, () => true),
    near: () => best + away * (more - 2),
    // At the other side's best price, or some ticks into it.
    other: () => opposite - away * (more >> 1),
    end: () => choices.pick([buys ? 1 : TICKS_MOST, TICKS_MOST - more, 1 + more]),
  }[place]();
  return Math.min(Math.max(1, drawn || best), TICKS_MOST);
}

/** Lots at a price, of houses and of other accounts. */
interface Level {
  readonly house: number;
  readonly others: number;
}

function readLevel(state: State, market: MarketRow, side: number, price: Ticks): Level {
  const { books, orders, positions, accounts } = state;
  const flag = side === SIDE.sell ? FLAG_SELL : 0;
  let [house, others] = [0, 0];
  for (let row = books[market]!.head(price); row !== NONE; row = orders.levelNext[row]!) {
    if ((orders.flags[row]! & FLAG_SELL) !== flag) break;
    if (accounts.role[positions.account[orders.position[row]!]!] === ROLE.house) house += orders.remaining[row]!;
    else others += orders.remaining[row]!;
  }
  return { house, others };
}

/** Price of one of the first levels of a side that fit, 0 if there is none. */
function findLevel(
  state: State,
  market: MarketRow,
  side: number,
  place: number,
  fits: (level: Level) => boolean,
): number {
  const book = state.books[market]!;
  const prices: number[] = [];
  let price = side === SIDE.buy ? book.bestBid : book.bestAsk;
  for (let count = 0; count < DEPTH && price !== 0; count++) {
    if (fits(readLevel(state, market, side, price))) prices.push(price);
    price = side === SIDE.buy ? book.below(price) : book.above(price);
  }
  return prices[place % Math.max(1, prices.length)] ?? 0;
}

function drawLots(
  { choices, state }: BlockBuilder,
  market: MarketRow,
  kind: (typeof KINDS)[number],
  side: number,
  price: number,
): number {
  const { minLots, maxLots } = state.parameters[market]!;
  const there = readLevel(state, market, side, price as Ticks).house;
  const few = choices.pick([minLots, 1, Math.ceil(maxLots / 20), Math.ceil(maxLots / 4)]);
  switch (choices.pick(SIZES)) {
    case "more":
      return kind === "level" ? there + few : Math.ceil(there / 2);
    case "half":
      return Math.floor(there / 2);
    case "few":
      return few;
    case "none":
      return 0;
    case "same":
      return there;
    case "one":
      return there + 1;
    case "less":
      return Math.max(0, there - 1);
    case "large":
      return Math.ceil(maxLots / 2);
    case "edge":
      return choices.pick([LIMIT, LIMIT / 2, LIMIT / 2 + 1, LIMIT / 2 - there]);
  }
}
