/** Payloads of users' actions: usually valid, sized by the account's equity, occasionally at an edge. */

import { NONE } from "../../ground/collections/table.ts";
import type { Draw } from "../../ground/math/draw.ts";
import { actions, type Payloads, type UserAction } from "../../protocol/actions/index.ts";
import { ZERO_BYTES32 } from "../../protocol/transaction.ts";
import { ORDER_TYPE, SIDE, TIME_IN_FORCE } from "../../protocol/words.ts";
import { idOfGrant } from "../../venue/engine/authorization/addGrant.ts";
import { getClientOrderId } from "../../venue/engine/book/extras.ts";
import type { AccountRow, MarketRow } from "../../venue/engine/state/schema.ts";
import { drawDefaultPayload } from "./defaultPayload.ts";
import { drawIntent, nameIntent } from "./flowIntents.ts";
import { addressOf, type FlowProfile } from "./flowProfile.ts";
import type { FlowScene } from "./flowScene.ts";

const NAMES = ["", "", "", "", "a", "b", "c"];
const TICKS_MOST = 2 ** 31 - 1;
const NO_EXPIRY = { goodTilHeight: 0, goodTilTime: 0 } as const;

export function drawUserPayload(
  random: Draw,
  profile: FlowProfile,
  scene: FlowScene,
  account: AccountRow,
  action: UserAction,
): Payloads[UserAction] {
  const faulty = random.chance(profile.faults, 100);
  const { state } = scene;
  const market = random.below(state.marketNames.length) as MarketRow;
  const name = faulty && random.chance(1, 6) ? "NONE-PERP" : state.marketNames[market]!;
  switch (action) {
    case "placeOrder":
      return drawOrder(random, scene, account, market, name, faulty) as Payloads["placeOrder"];
    case "placeOrders":
      return drawBatch(random, scene, account, market, name, faulty) as Payloads["placeOrders"];
    case "scheduleCancel": {
      const ahead = random.pick(faulty ? [1, 5_000] : [13_000, 20_000, 60_000]);
      return { time: random.chance(1, 5) ? 0 : state.timeMs + ahead };
    }
    case "amendOrder":
      return drawAmend(random, scene, account, faulty) as Payloads["amendOrder"];
    case "cancelOrder":
      return nameOrder(random, scene, account, faulty) as Payloads["cancelOrder"];
    case "cancelOrders": {
      const named = Array.from({ length: random.below(5) }, () =>
        nameOrder(random, scene, account, random.chance(1, 4)),
      );
      return {
        orderIds: named.flatMap(({ orderId }) => (orderId === 0 ? [] : [orderId])),
        clientOrderIds: named.flatMap(({ clientOrderId }) => (clientOrderId === "" ? [] : [clientOrderId])),
      } as unknown as Payloads["cancelOrders"];
    }
    case "cancelAll":
      return { market: faulty ? "NONE-PERP" : random.chance(1, 2) ? "" : name, intents: random.chance(1, 2) };
    case "closePosition":
      return drawClose(random, scene, account, market, name, faulty) as Payloads["closePosition"];
    case "setLeverage":
      return { market: name, leverage: random.below(faulty ? 60 : state.parameters[market]!.leverageMax + 1) };
    case "setMarginMode":
      return { market: name, mode: random.pick([0, 1, 1]) };
    case "adjustIsolatedMargin":
      return drawAdjust(random, scene, account, faulty ? market : scene.pickIsolated(random, account, market), faulty);
    case "transfer": {
      const known = random.chance(3, 4);
      const to = known ? scene.keyOf(random.pick(scene.accounts)) : random.pick(profile.strangers);
      const amount = drawAmount(random, scene, account, faulty);
      return { to: to.address, toSubaccount: to.subaccount, amount } as Payloads["transfer"];
    }
    case "placeIntent":
      return drawIntent(random, scene, account, market, name, faulty);
    case "cancelIntent":
      return nameIntent(random, scene, account, faulty);
    case "grantAuthorization":
      return drawGrant(random, scene, faulty) as unknown as Payloads["grantAuthorization"];
    case "revokeAuthorization": {
      const grant = scene.pickGrant(random, faulty ? random.pick(scene.accounts) : account);
      const authorization = grant === NONE ? ZERO_BYTES32 : idOfGrant(state, grant);
      return { authorization, cancelOrders: random.chance(1, 2) };
    }
    default:
      return drawDefaultPayload(actions[action].fields, {
        random,
        state,
        market,
        marketName: name,
        account: () => scene.keyOf(random.pick(scene.accounts)),
        amount: () => drawAmount(random, scene, account, faulty),
      }) as Payloads[typeof action];
  }
}

/**
 * Collateral to or from an isolated position: usually a part of the free amount, sometimes all of it, or a unit more.
 */
function drawAdjust(
  random: Draw,
  scene: FlowScene,
  account: AccountRow,
  market: MarketRow,
  faulty: boolean,
): Payloads["adjustIsolatedMargin"] {
  const direction = random.below(2);
  const free = direction === 0 ? scene.freeOf(account) : scene.freeOfIsolated(account, market);
  const most = Math.max(free, 0);
  const part = Math.floor((most * random.below(50)) / 100);
  const amount = faulty ? random.pick([0, 1, 9e15]) : random.pick([part, part, part, most, most + 1]);
  return { market: scene.state.marketNames[market]!, direction, amount } as Payloads["adjustIsolatedMargin"];
}

/** An amount around the free collateral: usually a part of it, sometimes all of it to the unit, or a unit more. */
function drawAmount(random: Draw, scene: FlowScene, account: AccountRow, faulty: boolean): number {
  if (faulty) return random.pick([0, 1, 9e15]);
  const free = Math.max(scene.freeOf(account), 0);
  const part = Math.floor((free * random.below(40)) / 100);
  return random.pick([part, part, part, part, free, free + 1]);
}

/** A grant to one of a few agents, usually wide, occasionally at the edge of the value of the flow's orders. */
function drawGrant(random: Draw, scene: FlowScene, faulty: boolean): object {
  const { marketNames, timeMs } = scene.state;
  const value = () => random.pick(["*", "*", "*", "0", "500", "5000", "100000"]);
  const validFrom = random.pick([0, 0, 0, timeMs + 20_000]);
  const lasts = random.pick([1, 15_000, 200_000, 200_000, 100_000_000]);
  return {
    agent: addressOf(9_000 + random.below(3)),
    label: random.pick(["", "bot"]),
    scopes: faulty ? "withdraw" : random.pick(["*", "*", "trade", "trade cancel", "reduce cancel margin", ""]),
    markets: random.pick(["*", "*", random.pick(marketNames), marketNames.slice(0, 2).join(" ")]),
    subaccounts: random.pick(["*", "*", "0", "0 1"]),
    maxOrderNotional: value(),
    maxPositionNotional: value(),
    maxDailyNotional: value(),
    maxOpenOrders: random.pick(["*", "*", "1", "3"]),
    validFrom,
    expiresAt: Math.max(validFrom, timeMs) + lasts,
  };
}

/** Lots for an account: a share of its equity's capacity at full leverage, or an edge of the market's limits. */
function drawLots(random: Draw, scene: FlowScene, account: AccountRow, market: MarketRow, faulty: boolean): number {
  const { state } = scene;
  const rules = state.parameters[market]!;
  if (faulty || random.chance(1, 12)) {
    const { minLots, maxLots } = rules;
    return random.pick([
      0,
      1,
      Math.max(0, minLots - 1),
      minLots,
      maxLots,
      maxLots + 1,
      Number(1n << BigInt(random.below(50))),
    ]);
  }
  const perLot = (state.markets.mark[market]! * rules.lotSize) / 1e10;
  if (perLot === 0) return 1;
  const most = (Math.max(scene.equityOf(account), 0) * rules.leverageMax) / perLot;
  return Math.max(rules.minLots, Math.floor((most * random.pick([2, 5, 10, 30, 60, 97, 100, 103])) / 100));
}

/** An order price in ticks: near the mark, at or through the best price, at the edge of the band, or anywhere. */
function drawTicks(random: Draw, scene: FlowScene, market: MarketRow, side: number, faulty: boolean): number {
  const { state } = scene;
  const { tickSize } = state.parameters[market]!;
  const { mark, bandLow, bandHigh } = state.markets;
  const book = state.books[market]!;
  const middle = Math.max(1, Math.floor(mark[market]! / tickSize));
  const away = side === SIDE.buy ? -1 : 1;
  const touch = (side === SIDE.buy ? book.bestAsk : book.bestBid) || middle;
  const own = (side === SIDE.buy ? book.bestBid : book.bestAsk) || middle;
  const near = 1 + Math.floor(middle / 100);
  if (faulty) return random.pick([0, 1, random.between(1, TICKS_MOST), TICKS_MOST, TICKS_MOST + 1]);
  switch (random.below(20)) {
    case 0:
      return Math.floor(bandHigh[market]! / tickSize) + random.below(2);
    case 1:
      return Math.max(1, Math.ceil(bandLow[market]! / tickSize) - random.below(2));
    case 2:
    case 3:
    case 4:
      return touch;
    case 5:
    case 6:
    case 7:
      return Math.max(1, touch - away * random.below(1 + near));
    case 8:
    case 9:
      return own;
    case 10:
      return Math.max(1, own - away);
    default:
      return Math.max(1, middle + away * random.below(near + 1));
  }
}

function drawOrder(
  random: Draw,
  scene: FlowScene,
  account: AccountRow,
  market: MarketRow,
  name: string,
  faulty: boolean,
): object {
  const rules = scene.state.parameters[market]!;
  const size = scene.sizeOf(account, market);
  const reduceOnly = random.chance(size === 0 ? 1 : 4, 20);
  const closing = size > 0 ? SIDE.sell : SIDE.buy;
  const side = reduceOnly && random.chance(9, 10) ? closing : random.below(2);
  const isMarket = random.chance(3, 20);
  const timeInForce = random.pick([0, 0, 0, TIME_IN_FORCE.GTT, TIME_IN_FORCE.IOC, TIME_IN_FORCE.FOK]);
  const rests = timeInForce === TIME_IN_FORCE.GTC || timeInForce === TIME_IN_FORCE.GTT;
  const lots = drawLots(random, scene, account, market, faulty && random.chance(1, 3));
  const off = (of: number) => (faulty && random.chance(1, of) ? 1 : 0);
  const noPrice = isMarket && random.chance(2, 3);
  const ticks = noPrice ? 0 : drawTicks(random, scene, market, side, faulty && random.chance(1, 4));
  return {
    market: name,
    side,
    orderType: isMarket ? ORDER_TYPE.market : ORDER_TYPE.limit,
    size: Math.min(lots * rules.lotSize + off(4), 9e15),
    price: noPrice ? 0 : Math.min(ticks * rules.tickSize + off(4), 9e15),
    slippage: drawSlippage(random, isMarket, noPrice, faulty),
    timeInForce,
    ...drawExpiry(random, scene, timeInForce === TIME_IN_FORCE.GTT && !isMarket, faulty && random.chance(1, 4)),
    postOnly: random.chance(rests && !isMarket ? 5 : 1, 20) ? random.pick([1, 1, 2]) : 0,
    reduceOnly,
    selfTrade: random.below(4),
    selfTradeScope: random.below(2),
    clientOrderId: random.pick(NAMES),
  };
}

/** Slippage: for a market order, occasionally together with a price; for a limit order only as a fault. */
function drawSlippage(random: Draw, isMarket: boolean, noPrice: boolean, faulty: boolean): number {
  if (noPrice) return random.pick(faulty ? [-1, 0, 500_000_000] : [5_000_000, 50_000_000]);
  if (isMarket) return random.pick(faulty ? [-1, 500_000_000] : [0, 500_000, 5_000_000, 50_000_000]);
  return faulty && random.chance(1, 8) ? random.pick([-1, 5_000_000]) : 0;
}

/** A few orders around one market: small enough that several of a batch are accepted. */
function drawBatch(
  random: Draw,
  scene: FlowScene,
  account: AccountRow,
  market: MarketRow,
  name: string,
  faulty: boolean,
): object {
  const mode = random.below(2);
  const { parameters, marketNames } = scene.state;
  const orders = Array.from({ length: faulty && random.chance(1, 8) ? 0 : random.between(1, 6) }, () => {
    const elsewhere = random.chance(1, 4);
    const at = (elsewhere ? random.below(marketNames.length) : market) as MarketRow;
    const bad = faulty && random.chance(1, 3);
    const order = drawOrder(random, scene, account, at, elsewhere ? marketNames[at]! : name, bad) as { size: number };
    const { minLots, lotSize } = parameters[at]!;
    return bad || random.chance(1, 4)
      ? order
      : { ...order, size: (minLots + random.below(2 * minLots + 20)) * lotSize };
  });
  return { mode, orders };
}

/** A last height, a last time or both for an order with an expiry; a faulty one is missing, superfluous, or past. */
function drawExpiry(
  random: Draw,
  scene: FlowScene,
  wanted: boolean,
  faulty: boolean,
): { goodTilHeight: number; goodTilTime: number } {
  const { height, timeMs } = scene.state;
  if (!wanted) return faulty ? { goodTilHeight: height + 5, goodTilTime: 0 } : NO_EXPIRY;
  if (faulty)
    return random.pick([NO_EXPIRY, { ...NO_EXPIRY, goodTilTime: timeMs }, { ...NO_EXPIRY, goodTilHeight: height }]);
  const way = random.below(3);
  return {
    goodTilHeight: way === 0 ? 0 : height + 1 + random.below(8),
    goodTilTime: way === 1 ? 0 : timeMs + random.between(8_000, 60_000),
  };
}

/** An order by its id or its name; a faulty one belongs to another account, or does not exist. */
function nameOrder(
  random: Draw,
  scene: FlowScene,
  account: AccountRow,
  faulty: boolean,
): { orderId: number; clientOrderId: string } {
  if (faulty && random.chance(1, 3)) return { orderId: 64 * random.below(1000), clientOrderId: "" };
  const order = scene.pickOrder(random, faulty ? NONE : account);
  if (order === undefined) return { orderId: 0, clientOrderId: random.pick(NAMES) };
  const text = getClientOrderId(scene.state, order.row);
  const way = random.below(8);
  if (text !== "" && way < 4) return { orderId: 0, clientOrderId: text };
  // Both id and name, of one order or of two.
  if (way === 7) return { orderId: order.id, clientOrderId: faulty ? random.pick(NAMES) : text };
  return { orderId: order.id, clientOrderId: "" };
}

function drawAmend(random: Draw, scene: FlowScene, account: AccountRow, faulty: boolean): object {
  const { state } = scene;
  const named = nameOrder(random, scene, account, faulty && random.chance(1, 2));
  const row = named.orderId === 0 ? undefined : scene.orders.find(({ id }) => id === named.orderId)?.row;
  if (row === undefined) return { ...named, size: random.pick([0, 1e8]), price: random.pick([0, 1e8]), ...NO_EXPIRY };
  const position = state.orders.position[row]!;
  const market = state.positions.market[position]!;
  const rules = state.parameters[market]!;
  const remaining: number = state.orders.remaining[row]!;
  const side = state.orders.flags[row]! & 1;
  const lots = random.pick([
    0,
    remaining,
    Math.max(1, remaining - 1),
    Math.ceil(remaining / 2),
    remaining + 1,
    remaining * 2,
  ]);
  const ticks = random.chance(1, 2) ? 0 : drawTicks(random, scene, market, side, faulty && random.chance(1, 4));
  const expires = random.chance(1, 6);
  return {
    ...named,
    goodTilHeight: expires ? state.height + random.below(9) : 0,
    goodTilTime: expires && random.chance(1, 2) ? state.timeMs + random.below(60_000) : 0,
    size: Math.min(lots * rules.lotSize + (faulty && random.chance(1, 4) ? 1 : 0), 9e15),
    price: Math.min(ticks * rules.tickSize + (faulty && random.chance(1, 4) ? 1 : 0), 9e15),
  };
}

function drawClose(
  random: Draw,
  scene: FlowScene,
  account: AccountRow,
  market: MarketRow,
  name: string,
  faulty: boolean,
): object {
  const rules = scene.state.parameters[market]!;
  const size = scene.sizeOf(account, market);
  const open = Math.abs(size);
  const lots = random.pick([0, 0, 1, Math.ceil(open / 3), open, open + 1]);
  const ticks = random.chance(1, 2) ? 0 : drawTicks(random, scene, market, size > 0 ? SIDE.sell : SIDE.buy, faulty);
  return {
    market: name,
    size: Math.min(lots * rules.lotSize + (faulty && random.chance(1, 4) ? 1 : 0), 9e15),
    price: Math.min(ticks * rules.tickSize + (faulty && random.chance(1, 4) ? 1 : 0), 9e15),
    slippage: random.pick(faulty ? [0, 900_000_000] : [5_000_000, 50_000_000]),
    clientOrderId: random.pick(NAMES),
  };
}
