import { findAccount } from "../accounts.ts";
import { max, min, sum } from "../arithmetic.ts";
import { findMarket } from "../market/createMarket.ts";
import { match } from "../matching/match.ts";
import { bestOf, crosses, emitAmended, emitOpened, opposite, restOrder, sideOf } from "../orders/book.ts";
import { removeFromBook } from "../orders/removeFromBook.ts";
import { removeOrder } from "../orders/removeOrder.ts";
import { APPLIED, rejected } from "../receipts.ts";
import type { Account, Market, ModelState, Order, Side } from "../state.ts";
import { LIMIT, SIDES, TICKS_MOST } from "../words.ts";
import type { Handler, ModelAction } from "./handler.ts";

const KINDS = ["quote", "rest", "clear", "print", "last"] as const;
const WIDTH = 4;

interface Step {
  readonly kind: (typeof KINDS)[number];
  readonly price: bigint;
  readonly lots: bigint;
  readonly side: Side;
}

/** Most orders that a flow may open. */
const ORDERS_MOST = 64;

/** History of one market, replayed through a house account (decision 0005; `protocol/houseSteps.ts`). */
const apply: Handler<"houseFlow"> = (state, context, payload) => {
  const market = findMarket(state, payload.market);
  if (market === undefined) return rejected("MARKET_NOT_FOUND");
  const house = findAccount(state, payload.account, payload.subaccount);
  if (house === undefined || house.role !== "house") return rejected("NOT_HOUSE");
  const steps = readSteps(payload.steps);
  if (steps === undefined) return rejected("STEPS_MALFORMED");
  const { status, pauseTrade } = market.parameters;
  if (status !== "initializing" && status !== "postOnly" && status !== "active") return rejected("MARKET_CLOSED");
  if (pauseTrade === "on") return rejected("OPERATION_PAUSED");
  for (const side of SIDES) {
    const added = steps.filter((step) => opens(step) && step.side === side);
    const resting = ordersOf(market, house, side).filter(({ reduceOnly }) => !reduceOnly);
    if (sum(added, ({ lots }) => lots) + sum(resting, ({ remaining }) => remaining) > LIMIT / 2n)
      return rejected("NUMERIC_LIMIT");
  }
  const ids = { next: context.firstId };
  for (let at = 0; at < steps.length; ) {
    const step = steps[at]!;
    if (step.kind !== "quote") {
      takeStep(state, market, house, step, ids);
      at++;
      continue;
    }
    let end = at + 1;
    while (steps[end]?.kind === "rest" && steps[end]?.side === step.side) end++;
    quote(state, market, house, step.side, steps.slice(at, end), ids);
    at = end;
  }
  return APPLIED;
};

export const houseFlow: ModelAction<"houseFlow"> = { domain: "system", authority: "operator", apply };

function opens({ kind }: Step): boolean {
  return kind === "quote" || kind === "rest";
}

function readSteps(bytes: Uint8Array): Step[] | undefined {
  if (bytes.length % (8 * WIDTH) !== 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const steps: Step[] = [];
  for (let at = 0; at < bytes.length; at += 8 * WIDTH) {
    const [kind, price, lots, side] = [0, 8, 16, 24].map((place) => view.getFloat64(at + place, true));
    const isWhole = (value: number | undefined, least: number, most: bigint): value is number =>
      Number.isSafeInteger(value) && value! >= least && value! <= Number(most);
    if (!isWhole(kind, 0, 4n) || !isWhole(price, 1, TICKS_MOST) || !isWhole(lots, 0, LIMIT) || !isWhole(side, 0, 1n))
      return undefined;
    steps.push({ kind: KINDS[kind]!, price: BigInt(price), lots: BigInt(lots), side: SIDES[side as 0 | 1] });
  }
  return steps.filter(opens).length <= ORDERS_MOST ? steps : undefined;
}

type Ids = { next: number };

function takeStep(state: ModelState, market: Market, house: Account, step: Step, ids: Ids): void {
  if (step.kind === "last") noteLast(market, step.price);
  else if (step.kind === "clear") clear(state, market, house, step.side);
  else if (step.kind === "print") print(state, market, house, step);
  else place(state, market, house, step, ids);
}

/** A recorded trade sets the last price; triggers by `last` see it. */
function noteLast(market: Market, price: bigint): void {
  market.last = price;
  market.low = market.low === 0n ? price : min(market.low, price);
  market.high = max(market.high, price);
}

/** The house's orders of a side, oldest first. */
function ordersOf(market: Market, house: Account, side: Side): Order[] {
  return sideOf(market, side)
    .filter(({ account }) => account === house)
    .sort((a, b) => a.opened - b.opened);
}

function clear(state: ModelState, market: Market, house: Account, side: Side): void {
  for (const order of ordersOf(market, house, side)) removeOrder(state, order, "replaced");
}

/** An IOC on the taker's side. Fills against the house shrink it, and the last price becomes the print's. */
function print(state: ModelState, market: Market, house: Account, { side, price, lots }: Step): void {
  match(state, { ...takerOf(house, market, side, price), id: 0, lots });
  noteLast(market, price);
}

/**
 * The house's orders of a side become the ladder. An order at one of its prices keeps its place and changes its size.
 * The others move, oldest first, to the remaining prices, as far as both last; the rest is cancelled. Reduce-only
 * orders are no quotes.
 */
function quote(state: ModelState, market: Market, house: Account, side: Side, ladder: readonly Step[], ids: Ids): void {
  const spare = ordersOf(market, house, side).filter(({ reduceOnly }) => !reduceOnly);
  const wanted: Step[] = [];
  for (const step of ladder) {
    if (step.lots === 0n) continue;
    const standing = spare.findIndex(({ price }) => price === step.price);
    if (standing < 0) wanted.push(step);
    else for (const order of spare.splice(standing, 1)) resize(state, order, step.lots);
  }
  for (const step of wanted) {
    const best = bestOf(market, opposite(side));
    const isCrossing = best !== undefined && crosses(side, step.price, best);
    const moved = isCrossing ? undefined : spare.shift();
    if (moved === undefined) {
      place(state, market, house, step, ids);
      continue;
    }
    removeFromBook(state, moved);
    moved.price = step.price;
    moved.remaining = step.lots;
    restOrder(state, moved);
    emitAmended(state, moved, { ...moved, requeued: true, rests: true });
  }
  for (const order of spare) if (state.orders.get(order.id) === order) removeOrder(state, order, "replaced");
}

/** A quote at its price keeps its place; a quote that already has its size does not change (ORD-4). */
function resize(state: ModelState, order: Order, remaining: bigint): void {
  if (order.remaining === remaining) return;
  order.remaining = remaining;
  emitAmended(state, order, { ...order, requeued: false, rests: true });
}

/** Takes crossing orders, then rests. */
function place(state: ModelState, market: Market, house: Account, { side, price, lots }: Step, ids: Ids): void {
  if (lots === 0n) return;
  const id = ids.next++;
  const { filled, decremented, stopped } = match(state, { ...takerOf(house, market, side, price), id, lots });
  const remaining = lots - filled - decremented;
  if (remaining <= 0n || stopped !== undefined) return;
  const order: Order = {
    id,
    account: house,
    market,
    side,
    reduceOnly: false,
    postOnly: false,
    postOnlyMode: "no",
    clientOrderId: "",
    price,
    remaining,
    filled,
    orderCost: 0n,
    goodTilHeight: 0,
    goodTilTime: 0,
    sequence: 0,
    opened: 0,
    grant: undefined,
    selfTrade: "decrement",
    selfTradeScope: "account",
  };
  restOrder(state, order);
  emitOpened(state, order, remaining);
}

function takerOf(account: Account, market: Market, side: Side, limit: bigint) {
  return {
    account,
    market,
    side,
    limit,
    reduceOnly: false,
    selfTrade: "decrement",
    selfTradeScope: "account",
  } as const;
}
