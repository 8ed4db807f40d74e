import { bestOf, crosses, emitAmended, opposite, restOrder } from "../orders/book.ts";
import { removeFromBook } from "../orders/removeFromBook.ts";
import type { Account, Market, ModelState, Side } from "../state.ts";
import { isQuote, ordersOf, resizeQuote, takeBack } from "./quotes.ts";
import { type Ids, sendOrder } from "./sendOrder.ts";
import type { Step } from "./steps.ts";

/** The quotes of a side become the ladder (ACC-1): they keep their places, or move, or are cancelled. */
export function setLadder(
  state: ModelState,
  market: Market,
  house: Account,
  side: Side,
  ladder: readonly Step[],
  ids: Ids,
): void {
  const spare = ordersOf(market, house, side).filter((order) => isQuote(order, house));
  const wanted: Step[] = [];
  for (const step of ladder) {
    if (step.lots === 0n) continue;
    const standing = spare.findIndex(({ price }) => price === step.price);
    if (standing < 0) wanted.push(step);
    else for (const order of spare.splice(standing, 1)) resizeQuote(state, order, step.lots);
  }
  for (const step of wanted) {
    const best = bestOf(market, opposite(side));
    const isCrossing = best !== undefined && crosses(side, step.price, best);
    const moved = isCrossing ? undefined : spare.shift();
    if (moved === undefined) {
      sendOrder(state, market, house, step, ids);
      continue;
    }
    removeFromBook(state, moved);
    moved.price = step.price;
    moved.remaining = step.lots;
    restOrder(state, moved);
    emitAmended(state, moved, { ...moved, requeued: true, rests: true });
  }
  for (const order of spare) if (state.orders.get(order.id) === order) takeBack(state, order);
}
