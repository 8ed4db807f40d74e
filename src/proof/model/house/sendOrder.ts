import { type Matched, match } from "../matching/match.ts";
import { emitOpened, restOrder } from "../orders/book.ts";
import type { Account, Market, ModelState, Order } from "../state.ts";
import type { Step } from "./steps.ts";

/** The next order id of the transaction. */
export interface Ids {
  next: number;
}

/** Sends an order of the house: it takes what it crosses, then its rest stays in the book unless a rule stopped it. */
export function sendOrder(
  state: ModelState,
  market: Market,
  house: Account,
  order: Omit<Step, "kind">,
  ids: Ids,
): void {
  const { side, price, lots } = order;
  if (lots === 0n) return;
  const id = ids.next++;
  const { filled, decremented, stopped } = take(state, market, house, order, id);
  const remaining = lots - filled - decremented;
  if (remaining <= 0n || stopped !== undefined) return;
  const rest: Order = {
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
  restOrder(state, rest);
  emitOpened(state, rest, remaining);
}

/** Matches an order of the house; its own orders that it meets shrink with it (ORD-3). */
export function take(
  state: ModelState,
  market: Market,
  account: Account,
  { side, price, lots }: Omit<Step, "kind">,
  id: number,
): Matched {
  const terms = { reduceOnly: false, selfTrade: "decrement", selfTradeScope: "account" } as const;
  return match(state, { id, account, market, side, limit: price, lots, ...terms });
}
