import { NONE } from "../../collections/table.ts";
import { type Amount, LIMIT, type Lots, type Ticks } from "../../math/fixed.ts";
import { AccountKey } from "../../protocol/accountKey.ts";
import { CANCEL_CAUSE } from "../../protocol/events.ts";
import type { OrderId } from "../../protocol/fields.ts";
import { HOUSE_STEP, HOUSE_STEP_WIDTH } from "../../protocol/houseSteps.ts";
import { MARKET_STATUS, ROLE, SELF_TRADE, SELF_TRADE_SCOPE, SIDE } from "../../protocol/words.ts";
import { addReserve, cancelRow, openOrder } from "../book/orders.ts";
import { match } from "../matching/match.ts";
import { NOT_STOPPED, type Taker } from "../matching/taker.ts";
import { findAccount } from "../state/accounts.ts";
import { ensurePosition, releaseIfEmpty } from "../state/positions.ts";
import { type AccountRow, FLAG_SELL, type MarketRow, type OrderRow, type PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { defineHandler, type Plan, reject } from "./defineHandler.ts";
import { TICKS_MOST } from "./grid.ts";

interface HouseFlowPlan extends Plan {
  readonly market: MarketRow;
  readonly account: AccountRow;
  readonly steps: Float64Array;
}

/** Prints never rest, so they need no id of the book. */
const NO_ORDER = 0 as OrderId;

/** Quotes of one flow; each may open an order, and ids are set aside per transaction. */
const ORDERS_MOST = 64;

/** Replays history of one market through a house account, step by step (see `protocol/houseSteps.ts`). */
export const handleHouseFlow = defineHandler<"houseFlow">("houseFlow")<HouseFlowPlan>({
  check(state, _context, { market: name, account: address, subaccount, steps }) {
    const market = state.marketRows.get(name);
    if (market === undefined) return reject("MARKET_NOT_FOUND");
    const account = findAccount(state, keyOf(state, address, subaccount));
    if (account === NONE || state.accounts.role[account] !== ROLE.house) return reject("NOT_HOUSE");
    const doubles = readSteps(steps);
    if (doubles === undefined) return reject("STEPS_MALFORMED");
    if (state.parameters[market]!.status > MARKET_STATUS.active) return reject("MARKET_CLOSED");
    return { rejected: false, market, account, steps: doubles };
  },

  apply(state, context, { market, account, steps }) {
    const position = ensurePosition(state, account, market);
    const flow = { market, account, position, nextOrderId: context.firstOrderId };
    for (let at = 0; at < steps.length; at += HOUSE_STEP_WIDTH) {
      const kind = steps[at]!;
      const price = steps[at + 1]! as Ticks;
      const size = steps[at + 2]! as Lots;
      const side = steps[at + 3]!;
      if (kind === HOUSE_STEP.print) print(state, flow, side, price, size);
      else if (kind === HOUSE_STEP.quote) quote(state, flow, side, price, size);
      else if (kind === HOUSE_STEP.rest) rest(state, flow, side, price, size);
      else if (kind === HOUSE_STEP.clear) clear(state, position, side, NONE as OrderRow);
      else setLast(state, market, side, price);
    }
    releaseIfEmpty(state, position);
  },
});

interface Flow {
  readonly market: MarketRow;
  readonly account: AccountRow;
  readonly position: PositionRow;
  nextOrderId: number;
}

/** The steps as doubles, or undefined if any of them is not one. */
function readSteps(bytes: Uint8Array): Float64Array | undefined {
  if (bytes.length % (HOUSE_STEP_WIDTH * 8) !== 0) return undefined;
  const steps =
    bytes.byteOffset % 8 === 0
      ? new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8)
      : new Float64Array(bytes.slice().buffer);
  let orders = 0;
  for (let at = 0; at < steps.length; at += HOUSE_STEP_WIDTH) {
    const kind = steps[at]!;
    const price = steps[at + 1]!;
    const size = steps[at + 2]!;
    const side = steps[at + 3]!;
    if (!(kind === 0 || kind === 1 || kind === 2 || kind === 3 || kind === 4)) return undefined;
    if (!(price >= 1 && price <= TICKS_MOST && Math.floor(price) === price)) return undefined;
    if (!(size >= 0 && size <= LIMIT && Math.floor(size) === size)) return undefined;
    if (side !== SIDE.buy && side !== SIDE.sell) return undefined;
    if (kind === HOUSE_STEP.quote || kind === HOUSE_STEP.rest) orders++;
  }
  return orders <= ORDERS_MOST ? steps : undefined;
}

/** A recorded trade: an IOC of the house that meets its own depth by shrinking it. */
function print(state: State, flow: Flow, side: number, price: Ticks, size: Lots): void {
  const book = state.books[flow.market]!;
  const best = side === SIDE.buy ? book.bestAsk : book.bestBid;
  if (best !== 0 && (side === SIDE.buy ? best <= price : best >= price)) {
    match(state, createTaker(flow, side, price, size, NO_ORDER));
  }
  setLast(state, flow.market, side, price, size);
}

function setLast(state: State, market: MarketRow, side: number, price: Ticks, size = 0): void {
  state.markets.last[market] = price;
  state.events.printed({ market, side, price, size });
}

/** Makes the house's resting order on a side one order of this size at this price; size 0 takes it back. */
function quote(state: State, flow: Flow, side: number, price: Ticks, size: Lots): void {
  const { orders } = state;
  const standing = findStanding(state, flow.position, side, price);
  clear(state, flow.position, side, size === 0 ? (NONE as OrderRow) : standing);
  if (size === 0) return;
  if (standing === NONE) {
    rest(state, flow, side, price, size);
    return;
  }
  if (orders.remaining[standing] === size) return;
  addReserve(state, standing, (size - orders.remaining[standing]) as Lots, 0 as Amount);
  orders.remaining[standing] = size;
  state.events.orderAmended({ order: orders.id[standing], price, remaining: size, charge: 0, requeued: 0 });
}

/** An order of the house that stands at a price on a side already, oldest if there are several. */
function findStanding(state: State, position: PositionRow, side: number, price: Ticks): OrderRow {
  const { positions, orders } = state;
  let found = NONE as OrderRow;
  for (let at = positions.orders[position]; at !== NONE; at = orders.older[at]) {
    if (orders.price[at] === price && isSide(orders.flags[at], side)) found = at;
  }
  return found;
}

/** Rests a further order of the house; what crosses somebody's order trades first. */
function rest(state: State, flow: Flow, side: number, price: Ticks, size: Lots): void {
  if (size === 0) return;
  const taker = createTaker(flow, side, price, size, flow.nextOrderId++ as OrderId);
  const book = state.books[flow.market]!;
  const best = side === SIDE.buy ? book.bestAsk : book.bestBid;
  if (best !== 0 && (side === SIDE.buy ? best <= price : best >= price)) match(state, taker);
  if (taker.remaining === 0 || taker.stopped !== NOT_STOPPED) return;
  openOrder(state, {
    id: taker.orderId,
    position: flow.position,
    side,
    reduceOnly: false,
    price,
    remaining: taker.remaining,
    filled: taker.filled,
    charge: 0 as Amount,
    clientOrderId: "",
  });
}

/** Takes the house's orders of a side back, but one. */
function clear(state: State, position: PositionRow, side: number, keep: OrderRow): void {
  const { positions, orders } = state;
  let at = positions.orders[position];
  while (at !== NONE) {
    const older = orders.older[at];
    if (at !== keep && isSide(orders.flags[at], side)) cancelRow(state, at, CANCEL_CAUSE.replaced);
    at = older;
  }
}

function isSide(flags: number, side: number): boolean {
  return ((flags & FLAG_SELL) !== 0) === (side === SIDE.sell);
}

function createTaker(flow: Flow, side: number, price: Ticks, size: Lots, orderId: OrderId): Taker {
  return {
    market: flow.market,
    account: flow.account,
    position: flow.position,
    side,
    orderId,
    limit: price,
    reduceOnly: false,
    selfTrade: SELF_TRADE.decrement,
    selfTradeScope: SELF_TRADE_SCOPE.account,
    house: true,
    liquidation: undefined,
    remaining: size,
    filled: 0 as Lots,
    stopped: NOT_STOPPED,
  };
}

/** Keys of house accounts by name: a replay names the same one in every block. */
function keyOf(state: State, address: AccountKey["address"], subaccount: number): AccountKey {
  const last = state.houseKey;
  if (last !== undefined && last.address === address && last.subaccount === subaccount) return last;
  state.houseKey = new AccountKey(address, subaccount);
  return state.houseKey;
}
