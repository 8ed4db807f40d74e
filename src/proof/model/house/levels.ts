import { min, sum } from "../arithmetic.ts";
import { sideOf } from "../orders/book.ts";
import type { Account, Market, ModelState, Order } from "../state.ts";
import { isQuote, resizeQuote, takeBack } from "./quotes.ts";
import { type Ids, sendOrder } from "./sendOrder.ts";
import type { Step } from "./steps.ts";

/** `level`: the house lots at a price become the size of the step, by a change at the back of the queue (ACC-2). */
export function setLevel(state: ModelState, market: Market, house: Account, step: Step, ids: Ids): void {
  const queue = queueAt(market, step);
  const quotes = queue.filter((order) => isQuote(order, house));
  const missing = step.lots - sum(quotes, ({ remaining }) => remaining);
  if (missing < 0n) takeLots(state, quotes.toReversed(), -missing);
  if (missing <= 0n) return;
  const last = queue.at(-1);
  if (last !== undefined && isQuote(last, house)) resizeQuote(state, last, last.remaining + missing);
  else sendOrder(state, market, house, { ...step, lots: missing }, ids);
}

/** `ahead`: takes lots of the house from the front of the queue at a price, at most all of them (ACC-2). */
export function takeAhead(state: ModelState, market: Market, house: Account, step: Step): void {
  const quotes = queueAt(market, step).filter((order) => isQuote(order, house));
  takeLots(state, quotes, step.lots);
}

/** All orders at the price and side of a step, front of the queue first. */
function queueAt(market: Market, { side, price }: Step): Order[] {
  return sideOf(market, side).filter((order) => order.price === price);
}

/** Takes lots from quotes in the given order; a quote without lots is cancelled, the others keep their places. */
function takeLots(state: ModelState, quotes: readonly Order[], lots: bigint): void {
  let left = lots;
  for (const order of quotes) {
    const taken = min(left, order.remaining);
    left -= taken;
    if (taken === order.remaining) takeBack(state, order);
    else resizeQuote(state, order, order.remaining - taken);
  }
}
