import { findAccount } from "../accounts.ts";
import { findMarket } from "../market/createMarket.ts";
import { statusRules } from "../market/lifecycle.ts";
import { match } from "../matching/match.ts";
import { restOrder, sideOf } from "../orders/book.ts";
import { removeOrder } from "../orders/removeOrder.ts";
import { APPLIED, rejected } from "../receipts.ts";
import type { Account, Market, ModelState, Order, Side } from "../state.ts";
import { LIMIT, SIDES } from "../words.ts";
import type { Handler } from "./handler.ts";

const KINDS = ["quote", "rest", "clear", "print", "last"] as const;
const WIDTH = 4;

interface Step {
  readonly kind: (typeof KINDS)[number];
  readonly price: bigint;
  readonly size: bigint;
  readonly side: Side;
}

/** History of one market, traded through a house account (decision 0005; `protocol/houseSteps.ts`). */
export const applyHouseFlow: Handler<"houseFlow"> = (state, context, payload) => {
  const market = findMarket(state, payload.market);
  if (market === undefined) return rejected("MARKET_NOT_FOUND");
  const house = findAccount(state, payload.account, payload.subaccount);
  if (house === undefined || house.role !== "house") return rejected("NOT_HOUSE");
  const steps = readSteps(payload.steps);
  if (steps === undefined) return rejected("STEPS_MALFORMED");
  if (statusRules(market).placing === "none") return rejected("MARKET_CLOSED");
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

function readSteps(bytes: Uint8Array): Step[] | undefined {
  if (bytes.length % (8 * WIDTH) !== 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const steps: Step[] = [];
  for (let at = 0; at < bytes.length; at += 8 * WIDTH) {
    const [kind = -1, price = -1, size = -1, side = -1] = [0, 8, 16, 24].map((place) =>
      view.getFloat64(at + place, true),
    );
    if (KINDS[kind] === undefined || SIDES[side as 0 | 1] === undefined) return undefined;
    if (!Number.isSafeInteger(price) || !Number.isSafeInteger(size) || price < 0 || size < 0) return undefined;
    if (price > Number(LIMIT) || size > Number(LIMIT)) return undefined;
    steps.push({ kind: KINDS[kind], price: BigInt(price), size: BigInt(size), side: SIDES[side as 0 | 1] });
  }
  return steps;
}

type Ids = { next: number };

function takeStep(state: ModelState, market: Market, house: Account, step: Step, ids: Ids): void {
  if (step.kind === "last") market.last = step.price;
  else if (step.kind === "clear") clear(state, market, house, step.side);
  else if (step.kind === "print") print(state, market, house, step);
  else place(state, market, house, step, ids);
}

function ordersOf(market: Market, house: Account, side: Side): Order[] {
  return sideOf(market, side).filter(({ account }) => account === house);
}

function clear(state: ModelState, market: Market, house: Account, side: Side): void {
  for (const order of ordersOf(market, house, side)) removeOrder(state, order);
}

/** An IOC on the taker's side; what it meets of the house shrinks by it, and the last price becomes the print's. */
function print(state: ModelState, market: Market, house: Account, { side, price, size }: Step): void {
  match(state, { ...takerOf(house, market, side, price), id: 0, size });
  market.last = price;
}

/** The house's orders of a side become the ladder; an order at a price of it keeps its place (`protocol/houseSteps.ts`). */
function quote(state: ModelState, market: Market, house: Account, side: Side, ladder: readonly Step[], ids: Ids): void {
  const wanted = ladder.filter(({ size }) => size > 0n);
  const mine = ordersOf(market, house, side);
  for (const order of mine) if (!wanted.some(({ price }) => price === order.price)) removeOrder(state, order);
  for (const step of wanted) {
    const order = mine.find(({ price, id }) => price === step.price && state.orders.has(id));
    if (order === undefined) place(state, market, house, step, ids);
    else order.remaining = step.size;
  }
}

/** Takes what it crosses, and rests. */
function place(state: ModelState, market: Market, house: Account, { side, price, size }: Step, ids: Ids): void {
  if (size === 0n) return;
  const id = ids.next++;
  const { filled, decremented } = match(state, { ...takerOf(house, market, side, price), id, size });
  const remaining = size - filled - decremented;
  if (remaining <= 0n) return;
  restOrder(state, {
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
    charge: 0n,
    goodTilHeight: 0,
    goodTilTime: 0,
    sequence: 0,
    grant: undefined,
  });
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
