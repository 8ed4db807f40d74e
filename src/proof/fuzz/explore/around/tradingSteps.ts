/** Steps of one account in one market: orders, positions, margin, intents. */
import { NONE } from "../../../../ground/collections/table.ts";
import {
  BATCH_MODE,
  INTENT_KIND,
  MARGIN_DIRECTION,
  MARGIN_MODE,
  ORDER_TYPE,
  POST_ONLY,
  SELF_TRADE,
  SIDE,
  TIME_IN_FORCE,
} from "../../../../protocol/words.ts";
import type { AccountRow, MarketRow } from "../../../../venue/engine/state/schema.ts";
import type { Scene } from "./scene.ts";
import { draft, makeStep, type Step } from "./step.ts";

const PLAIN_ORDER = {
  orderType: ORDER_TYPE.limit,
  slippage: 0,
  timeInForce: TIME_IN_FORCE.GTC,
  goodTilHeight: 0,
  goodTilTime: 0,
  postOnly: POST_ONLY.no,
  reduceOnly: false,
  selfTrade: SELF_TRADE.cancelTaker,
  selfTradeScope: 0,
  clientOrderId: "",
} as const;

const PLAIN_INTENT = {
  size: 0,
  fraction: 0,
  reduceOnly: false,
  source: 0,
  trigger: 0,
  trail: 0,
  trailRate: 0,
  orderType: ORDER_TYPE.market,
  price: 0,
  slippage: 100_000_000,
  timeInForce: TIME_IN_FORCE.GTC,
  postOnly: POST_ONLY.no,
  selfTrade: SELF_TRADE.cancelTaker,
  selfTradeScope: 0,
  duration: 0,
  interval: 0,
  legs: [],
  goodTilHeight: 0,
  goodTilTime: 0,
  clientIntentId: "",
} as const;

const PLAIN_LEG = {
  source: 0,
  trail: 0,
  trailRate: 0,
  orderType: ORDER_TYPE.market,
  price: 0,
  slippage: 100_000_000,
  timeInForce: TIME_IN_FORCE.GTC,
  postOnly: POST_ONLY.no,
};

/** Ten percent, ppb. */
const TENTH = 100_000_000;

/** Payload of an order of lots at a tick. */
export function orderOf(scene: Scene, market: MarketRow, side: number, lots: number, ticks: number, more = {}): object {
  const { marketNames, parameters } = scene.state;
  const { lotSize, tickSize } = parameters[market]!;
  const where = { market: marketNames[market]!, side, size: lots * lotSize, price: ticks * tickSize };
  return { ...PLAIN_ORDER, ...where, ...more };
}

/** Steps that trade: each side at the book, around the mark, with each time in force, and batches. */
export function listTradingSteps(scene: Scene, account: AccountRow, market: MarketRow): Step[] {
  const { state } = scene;
  const key = scene.keyOf(account);
  const who = scene.nameOf(account);
  const name = state.marketNames[market]!;
  const { maxLots } = state.parameters[market]!;
  const { bestBid, bestAsk } = state.books[market]!;
  const mark = scene.tickAt(market, 1);
  if (mark === undefined) return [];
  const steps: Step[] = [];
  const lots = scene.lotsOf(account, market);
  for (const side of [SIDE.buy, SIDE.sell]) {
    const [word, best, away] = side === SIDE.buy ? ["buy", bestAsk, 0.99] : ["sell", bestBid, 1.01];
    const order = (what: string, size: number, ticks: number, more: object = {}) =>
      steps.push(
        makeStep(
          `${who}: ${word} ${what} in ${name}`,
          draft("placeOrder", key, orderOf(scene, market, side, size, ticks, more)),
        ),
      );
    const taking = best > 0 ? best : mark;
    const minLots = scene.leastLots(market, Math.min(taking, mark));
    const resting = scene.tickAt(market, away) ?? mark;
    order("the smallest size at the best price", minLots, taking);
    order("an odd size at the best price, immediate or cancel", minLots * 3 + 1, taking, {
      timeInForce: TIME_IN_FORCE.IOC,
    });
    order("the largest size, fill or kill", maxLots, taking, { timeInForce: TIME_IN_FORCE.FOK });
    order("a size to rest", minLots * 2, resting);
    order("a post-only size that slides", minLots, taking, { postOnly: POST_ONLY.slide });
    order("a size until the next height", minLots, resting, {
      timeInForce: TIME_IN_FORCE.GTT,
      goodTilHeight: state.height + 2,
    });
    const closes = lots !== 0 && lots > 0 === (side === SIDE.sell);
    if (closes) {
      order("the whole position to rest, reduce-only", Math.abs(lots), resting, { reduceOnly: true });
      order("twice the position", Math.abs(lots) * 2, taking);
    }
    const batch = (what: string, second: object) =>
      steps.push(
        makeStep(
          `${who}: a batch that is undone by ${what} in ${name}`,
          draft("placeOrders", key, {
            mode: BATCH_MODE.all,
            orders: [orderOf(scene, market, side, minLots, taking), second],
          }),
        ),
      );
    const pair = orderOf(scene, market, side, minLots + 1, resting);
    steps.push(
      makeStep(
        `${who}: a batch of two in ${name}`,
        draft("placeOrders", key, { mode: BATCH_MODE.all, orders: [pair, pair] }),
      ),
    );
    batch("a size of zero", orderOf(scene, market, side, 0, taking));
    batch("a fill or kill", orderOf(scene, market, side, maxLots, taking, { timeInForce: TIME_IN_FORCE.FOK }));
  }
  return steps;
}

/** Steps on orders, position, margin and intents that exist. */
export function listPositionSteps(scene: Scene, account: AccountRow, market: MarketRow): Step[] {
  const { state } = scene;
  const key = scene.keyOf(account);
  const who = scene.nameOf(account);
  const name = state.marketNames[market]!;
  const steps: Step[] = [];
  const add = (words: string, ...drafts: Parameters<typeof draft>) =>
    steps.push(makeStep(`${who}: ${words}`, draft(...drafts)));
  const position = scene.positionOf(account, market);
  const lots = scene.lotsOf(account, market);
  const { lotSize, tickSize, leverageMax } = state.parameters[market]!;
  if (lots !== 0) {
    const close = { market: name, price: 0, slippage: TENTH, clientOrderId: "" };
    add(`close ${name}`, "closePosition", key, { ...close, size: 0 });
    add(`close half of ${name}`, "closePosition", key, { ...close, size: Math.ceil(Math.abs(lots) / 2) * lotSize });
  }
  const orders = scene.listOrders(position);
  for (const order of orders.length > 1 ? [orders[0]!, orders.at(-1)!] : orders) {
    const orderId = state.orders.id[order];
    const remaining: number = state.orders.remaining[order]!;
    const amend = { orderId, clientOrderId: "", size: 0, price: 0, goodTilHeight: 0, goodTilTime: 0 };
    add(`cancel order ${orderId}`, "cancelOrder", key, { orderId, clientOrderId: "" });
    add(`halve order ${orderId}`, "amendOrder", key, { ...amend, size: Math.ceil(remaining / 2) * lotSize });
    add(`double order ${orderId}`, "amendOrder", key, { ...amend, size: remaining * 2 * lotSize });
    add(`move order ${orderId} by a tick`, "amendOrder", key, {
      ...amend,
      price: (state.orders.price[order]! + 1) * tickSize,
    });
  }
  if (orders.length > 0) {
    const orderIds = [...orders.map((row) => state.orders.id[row]), 1];
    add(`cancel the orders in ${name} and one that does not rest`, "cancelOrders", key, {
      orderIds,
      clientOrderIds: [],
    });
  }
  for (const leverage of [1, leverageMax]) {
    add(`leverage ${leverage} in ${name}`, "setLeverage", key, { market: name, leverage });
  }
  for (const mode of [MARGIN_MODE.cross, MARGIN_MODE.isolated]) {
    add(`margin mode ${mode} in ${name}`, "setMarginMode", key, { market: name, mode });
  }
  const isIsolated = position !== NONE && state.positions.mode[position] === MARGIN_MODE.isolated;
  const margin: number = isIsolated ? state.positions.isolated[position]! : 0;
  for (const amount of [1, margin, Math.floor(margin / 3)]) {
    if (amount === 0) continue;
    const payload = { market: name, direction: MARGIN_DIRECTION.remove, amount };
    add(`take ${amount} units of margin from ${name}`, "adjustIsolatedMargin", key, payload);
  }
  const free = scene.freeOf(account);
  for (const amount of [1, free]) {
    const payload = { market: name, direction: MARGIN_DIRECTION.add, amount };
    if (amount > 0) add(`add ${amount} units of margin to ${name}`, "adjustIsolatedMargin", key, payload);
  }
  const [low, mark, high] = [0.97, 1, 1.03].map((share) => scene.tickAt(market, share));
  if (low === undefined || mark === undefined || high === undefined) return steps;
  const minLots = scene.leastLots(market, low);
  const side = lots > 0 ? SIDE.sell : SIDE.buy;
  const [below, above] = [low * tickSize, high * tickSize];
  const intent = { ...PLAIN_INTENT, market: name, side };
  const stop = lots > 0 ? below : above;
  const profit = lots > 0 ? above : below;
  const reduce = lots === 0 ? { size: minLots * lotSize } : { fraction: 1_000_000_000, reduceOnly: true };
  add(`a stop in ${name}`, "placeIntent", key, { ...intent, kind: INTENT_KIND.stop, trigger: stop, ...reduce });
  add(`a take-profit in ${name}`, "placeIntent", key, {
    ...intent,
    kind: INTENT_KIND.takeProfit,
    trigger: profit,
    ...reduce,
  });
  add(`a trailing stop in ${name}`, "placeIntent", key, {
    ...intent,
    kind: INTENT_KIND.trailingStop,
    trailRate: TENTH / 10,
    ...reduce,
  });
  add(`a schedule of three slices in ${name}`, "placeIntent", key, {
    ...intent,
    kind: INTENT_KIND.twap,
    size: (minLots * 3 + 1) * lotSize,
    interval: 60_000,
    duration: 180_000,
  });
  add(`an entry with a bracket in ${name}`, "placeIntent", key, {
    ...intent,
    kind: INTENT_KIND.otoco,
    reduceOnly: true,
    side: SIDE.buy,
    size: minLots * lotSize,
    orderType: ORDER_TYPE.limit,
    price: mark * tickSize,
    slippage: 0,
    legs: [
      { ...PLAIN_LEG, kind: INTENT_KIND.stop, trigger: below },
      { ...PLAIN_LEG, kind: INTENT_KIND.takeProfit, trigger: above },
    ],
  });
  return steps;
}
