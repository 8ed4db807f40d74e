/** Orders of genes: sizes and prices near what matters, to the lot and the tick. */
import { NONE } from "../../collections/table.ts";
import type { AccountRow, MarketRow } from "../../engine/state/schema.ts";
import { LIMIT } from "../../math/fixed.ts";
import type { Payloads } from "../../protocol/actions/index.ts";
import { BATCH_MODE, ORDER_TYPE, SIDE, TIME_IN_FORCE } from "../../protocol/words.ts";
import { type Choices, weigh } from "./choices.ts";
import type { Desk } from "./desk.ts";
import { type Aim, accepts, beside, findEdge, hit, keepStorable, readAim } from "./edges.ts";
import { findAnyOrder, getMarketName, NAMES, nameOrder, UNKNOWN_MARKET } from "./references.ts";
import { drawTime } from "./times.ts";

type Order = Payloads["placeOrder"];

const TICKS_MOST = 2 ** 31 - 1;
/** Shares of what an account can carry, percent. */
export const SHARES = [10, 2, 5, 30, 60, 97, 100, 103] as const;
const LIVES = [0, 0, 0, 0, 0, TIME_IN_FORCE.GTT, TIME_IN_FORCE.IOC, TIME_IN_FORCE.FOK] as const;
const POSTS = [0, 0, 0, 0, 0, 0, 1, 2] as const;
const SLIPPAGES = [
  ...[50_000_000, 5_000_000, 10_000_000, 100_000_000, 100_000_001],
  ...[999_999_999, 1_000_000_000, 2_000_000_000, 0, -1],
] as const;
const FAULTS = weigh({ "": 73, offLot: 1, offTick: 1, noMarket: 1, noExpiry: 1, expiry: 1, noPrice: 1, slippage: 1 });

/** How many lots; the plainest first. */
export const LOT_WAYS = weigh({
  least: 4,
  few: 12,
  share: 16,
  position: 8,
  touch: 8,
  margin: 4,
  cap: 2,
  tier: 2,
  notional: 1,
  power: 1,
  odd: 1,
  worth: 2,
});
/** Values in quote units that limits of grants have, and tiers. */
const WORTHS = [500e6, 5_000e6, 100_000e6, 20_000e6, 10e6] as const;

/** How often a size or a price stays within what the market takes, in eighths. */
const KEPT = 7;

/** Lots of an order at a price. `tryLots` tells whether the venue would take an order of so many. */
function drawLots(
  desk: Desk,
  aim: Aim,
  account: AccountRow,
  market: MarketRow,
  side: number,
  ticks: number,
  tryLots: (lots: number) => boolean,
): number {
  const { state, scene } = desk;
  const rules = state.parameters[market]!;
  const { detail } = aim;
  const { minLots, maxLots, positionLimitLots, openInterestLimitLots } = rules;
  const perLot = (state.markets.mark[market]! * rules.lotSize) / 1e10;
  if (perLot === 0) return minLots;
  const least = Math.max(minLots, Math.ceil(rules.minNotional / perLot));
  switch (LOT_WAYS[aim.way % LOT_WAYS.length]!) {
    case "least":
      return least;
    case "few":
      return least * (1 + (detail % 20));
    case "share": {
      const most = (Math.max(scene.equityOf(account), 0) * rules.leverageMax) / perLot;
      const lots = Math.max(least, Math.floor((most * SHARES[detail % SHARES.length]!) / 100));
      return detail % 8 < KEPT ? Math.min(lots, maxLots) : lots;
    }
    case "position": {
      const size = Math.abs(scene.sizeOf(account, market));
      if (size === 0) return least;
      const part = [size, Math.ceil(size / 2), 2 * size, Math.ceil(size / 3)][detail % 4]!;
      return hit(aim, part);
    }
    case "touch":
      return hit(aim, getTouchLots(desk, market, side, detail % 4) || 2 * least);
    case "margin":
      return hit(aim, findEdge(0, Math.min(2 * maxLots, LIMIT / 4), tryLots));
    case "cap": {
      const size = Math.abs(scene.sizeOf(account, market));
      const interest: number = state.markets.openInterest[market]!;
      const caps = [maxLots, minLots, positionLimitLots - size, openInterestLimitLots - interest];
      return hit(aim, Math.max(1, caps[detail % 4]!));
    }
    case "tier": {
      const { from } = rules.tiers[detail % rules.tiers.length]!;
      return hit(aim, Math.max(least, Math.floor(from / perLot)));
    }
    case "notional":
      return hit(aim, Math.ceil(rules.minNotional / perLot));
    case "power":
      return hit(aim, 2 ** (detail % 50));
    case "odd":
      return [0, 1, Math.floor(LIMIT / rules.lotSize)][detail % 3]!;
    case "worth":
      return hit(aim, Math.floor(WORTHS[detail % WORTHS.length]! / (Math.max(1, ticks) * rules.tickLotValue)));
  }
}

/** Lots of the first orders that an order of a side would meet; 0 where it meets none. */
function getTouchLots({ state }: Desk, market: MarketRow, side: number, more: number): number {
  const book = state.books[market]!;
  const touch = side === SIDE.buy ? book.bestAsk : book.bestBid;
  if (touch === 0) return 0;
  const { remaining, levelNext } = state.orders;
  let lots = 0;
  let left = more;
  for (let order = book.head(touch); order !== NONE && left >= 0; order = levelNext[order]!, left--) {
    lots += remaining[order]!;
  }
  return lots;
}

/** Where an order is priced; the plainest first. */
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

/** An order price in ticks, at least 0; mostly within the band, but where it looks for an edge. `tryTicks` tells whether the venue would take an order at so many. */
function drawTicks(
  desk: Desk,
  aim: Aim,
  market: MarketRow,
  side: number,
  tryTicks: (ticks: number) => boolean,
): number {
  const { state } = desk;
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
      // A bid costs more the higher it is, an ask the lower.
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

/** An order of an account. Zeros buy the least size at the mark, good till cancelled. */
export function drawOrder(desk: Desk, choices: Choices, account: AccountRow, market: MarketRow, name: string): Order {
  const { state, scene } = desk;
  const rules = state.parameters[market]!;
  const size = scene.sizeOf(account, market);
  const turn = choices.next();
  const reduceOnly = size === 0 ? turn % 64 === 63 : turn % 4 === 3;
  // Mostly the closing side where it may only reduce, else either.
  const side = reduceOnly && turn % 32 < 30 ? (size > 0 ? SIDE.sell : SIDE.buy) : (turn >> 8) & 1;
  const type = choices.below(8) === 7 ? ORDER_TYPE.market : ORDER_TYPE.limit;
  const timeInForce = choices.pick(LIVES);
  const postOnly = choices.pick(POSTS);
  const fault = choices.pick(FAULTS);
  const trade = choices.next();
  const orderType = fault === "slippage" ? ORDER_TYPE.market : type;
  const isMarket = orderType === ORDER_TYPE.market;
  const noPrice = fault === "noPrice" || (isMarket && trade % 4 !== 3);
  const takes = isMarket || timeInForce === TIME_IN_FORCE.IOC || timeInForce === TIME_IN_FORCE.FOK;
  const gtt = timeInForce === TIME_IN_FORCE.GTT && !isMarket;
  const expires = fault === "expiry" ? !gtt : gtt && fault !== "noExpiry";
  const base = {
    market: fault === "noMarket" ? UNKNOWN_MARKET : name,
    side,
    orderType,
    slippage: noPrice ? SLIPPAGES[(trade >> 2) % (fault === "" ? 2 : SLIPPAGES.length)]! : 0,
    timeInForce,
    goodTilHeight: 0,
    goodTilTime: 0,
    postOnly: takes && trade % 64 !== 63 ? 0 : postOnly,
    reduceOnly,
    selfTrade: (trade >> 4) & 3,
    selfTradeScope: (trade >> 6) & 1,
    clientOrderId: NAMES[(trade >> 7) % NAMES.length]!,
  };
  const plain = { clientOrderId: "", timeInForce: gtt ? TIME_IN_FORCE.GTC : timeInForce };
  const offer = (lots: number, ticks: number) => {
    const payload = { ...base, ...plain, size: lots * rules.lotSize, price: ticks * rules.tickSize };
    return accepts(state, account, "placeOrder", payload);
  };
  const middle = noPrice ? 0 : Math.max(1, Math.round(state.markets.mark[market]! / rules.tickSize));
  const [price, amount] = [readAim(choices), readAim(choices)];
  const ticks = noPrice ? 0 : drawTicks(desk, price, market, side, (at) => offer(rules.minLots, at));
  const lots = drawLots(desk, amount, account, market, side, ticks || middle, (count) => offer(count, ticks || middle));
  return {
    ...base,
    ...(expires ? drawExpiry(desk, choices, account) : {}),
    size: keepStorable(lots * rules.lotSize + (fault === "offLot" ? 1 : 0)),
    price: keepStorable(ticks * rules.tickSize + (fault === "offTick" ? 1 : 0)),
  } as unknown as Order;
}

/** A last height, a last time or both, some of them over already. */
function drawExpiry(desk: Desk, choices: Choices, account: AccountRow): { goodTilHeight: number; goodTilTime: number } {
  const way = choices.below(3);
  const height = desk.state.height + choices.below(8);
  return {
    goodTilHeight: way === 2 ? 0 : height + (way === 0 ? 1 : 0),
    goodTilTime: way === 0 ? 0 : drawTime(desk, choices, account),
  };
}

/** A batch of orders in and around a market; zeros make one order that has to pass. */
export function drawBatch(
  desk: Desk,
  choices: Choices,
  account: AccountRow,
  market: MarketRow,
): Payloads["placeOrders"] {
  const mode = choices.below(2) === 0 ? BATCH_MODE.all : BATCH_MODE.each;
  const size = choices.next();
  const count = size >= 0xfe00 ? 50 : size >= 0xfc00 ? 0 : 1 + (size % 5);
  const { marketNames, parameters } = desk.state;
  const orders = Array.from({ length: count }, () => {
    const turn = choices.next();
    const at = turn % 4 === 3 ? (((turn >> 2) % marketNames.length) as MarketRow) : market;
    const order = drawOrder(desk, choices, account, at, getMarketName(desk, at)) as unknown as { size: number };
    const { minLots, lotSize } = parameters[at]!;
    // So small mostly that several pass.
    return turn % 3 === 2 ? order : { ...order, size: minLots * (1 + ((turn >> 4) % 8)) * lotSize };
  });
  return { mode, orders } as unknown as Payloads["placeOrders"];
}

/** A change of an order: its size, its price, both or neither. */
export function drawAmend(desk: Desk, choices: Choices, account: AccountRow): Payloads["amendOrder"] {
  const { state } = desk;
  const { row, id, text } = nameOrder(desk, account, choices);
  const named = { orderId: id, clientOrderId: text };
  if (row === NONE) return { ...named, size: 1e8, price: 1e8, ...NEVER } as unknown as Payloads["amendOrder"];
  const position = state.orders.position[row]!;
  const market = state.positions.market[position]!;
  const rules = state.parameters[market]!;
  const remaining: number = state.orders.remaining[row]!;
  const side = state.orders.flags[row]! & 1;
  const what = choices.next();
  const off = (what >> 4) % 16;
  const keepsPrice = what % 2 === 0;
  const amend = (lots: number, ticks: number) => ({
    ...named,
    size: keepStorable(lots * rules.lotSize + (off === 15 ? 1 : 0)),
    price: keepStorable(ticks * rules.tickSize + (off === 14 ? 1 : 0)),
    ...NEVER,
  });
  const tries = (lots: number, ticks: number) => accepts(state, account, "amendOrder", amend(lots, ticks));
  const aim = readAim(choices);
  const ticks = keepsPrice ? 0 : drawTicks(desk, aim, market, side, (at) => tries(0, at));
  const lots = choices.pick([
    Math.max(1, remaining - 1),
    0,
    remaining,
    remaining + 1,
    Math.ceil(remaining / 2),
    2 * remaining,
    -1,
  ]);
  const size =
    lots >= 0
      ? lots
      : beside(
          choices,
          findEdge(1, 2 * rules.maxLots, (count) => tries(count, ticks)),
        );
  const expires = (what >> 1) % 8 === 7 ? drawExpiry(desk, choices, account) : NEVER;
  return { ...amend(size, ticks), ...expires } as unknown as Payloads["amendOrder"];
}

const NEVER = { goodTilHeight: 0, goodTilTime: 0 } as const;

/** A close of a position: all of it at the market with zeros. */
export function drawClose(
  desk: Desk,
  choices: Choices,
  account: AccountRow,
  market: MarketRow,
  name: string,
): Payloads["closePosition"] {
  const rules = desk.state.parameters[market]!;
  const size = desk.scene.sizeOf(account, market);
  const open = Math.abs(size);
  const lots = choices.pick([0, 0, open, 1, Math.ceil(open / 3), open + 1, Math.max(0, open - 1)]);
  const detail = choices.next();
  const side = size > 0 ? SIDE.sell : SIDE.buy;
  const offer = (ticks: number) =>
    accepts(desk.state, account, "closePosition", {
      market: name,
      size: 0,
      price: ticks * rules.tickSize,
      slippage: 0,
      clientOrderId: "",
    });
  const ticks = detail % 2 === 0 ? 0 : drawTicks(desk, readAim(choices), market, side, offer);
  return {
    market: name,
    size: keepStorable(lots * rules.lotSize + (detail >> 8 === 255 ? 1 : 0)),
    price: keepStorable(ticks * rules.tickSize + (detail >> 8 === 254 ? 1 : 0)),
    slippage: SLIPPAGES[(detail >> 1) % (detail < 0xf000 ? 2 : SLIPPAGES.length)]!,
    clientOrderId: NAMES[(detail >> 4) % NAMES.length]!,
  } as unknown as Payloads["closePosition"];
}
