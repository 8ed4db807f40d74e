import type { ActionName, Payloads } from "../../../protocol/actions/index.ts";
import type { Transaction } from "../../../protocol/transaction.ts";
import type { Account, Grant, ModelState, Order } from "../state.ts";

/** The demands of an action on a grant. */
export interface Demand {
  readonly scope: "trade" | "reduce" | "cancel" | "margin" | "transfer" | "owner" | "any";
  /** Names of the touched markets. */
  readonly markets: readonly string[] | "all";
  /** Another subaccount that receives collateral. */
  readonly subaccount?: number;
}

const NO_MARKETS: readonly string[] = [];
const OWNER: Demand = { scope: "owner", markets: NO_MARKETS };

type Demands = {
  readonly [A in ActionName]?: (payload: Payloads[A], state: ModelState, account: Account, grant: Grant) => Demand;
};

const tradeOr = (reduces: boolean) => (reduces ? "reduce" : "trade");

/** By action; an action without an entry is the owner's alone. */
const DEMANDS: Demands = {
  placeOrder: ({ market, reduceOnly }) => ({ scope: tradeOr(reduceOnly), markets: [market] }),
  placeOrders: ({ orders }) => ({
    scope: tradeOr(orders.every(({ reduceOnly }) => reduceOnly)),
    markets: orders.map(({ market }) => market),
  }),
  amendOrder: ({ orderId, clientOrderId }, state, account) => ({
    scope: "trade",
    markets: marketsOf([findNamed(state, account, orderId, clientOrderId)]),
  }),
  cancelOrder: ({ orderId, clientOrderId }, state, account) => ({
    scope: "cancel",
    markets: marketsOf([findNamed(state, account, orderId, clientOrderId)]),
  }),
  cancelOrders: ({ orderIds, clientOrderIds }, state, account) => ({
    scope: "cancel",
    markets: marketsOf([
      ...orderIds.map((id) => findNamed(state, account, id, "")),
      ...clientOrderIds.map((name) => findNamed(state, account, 0, name)),
    ]),
  }),
  cancelAll: ({ market }) => ({ scope: "cancel", markets: market === "" ? "all" : [market] }),
  scheduleCancel: () => ({ scope: "cancel", markets: "all" }),
  closePosition: ({ market }) => ({ scope: "reduce", markets: [market] }),
  setLeverage: ({ market }) => ({ scope: "margin", markets: [market] }),
  setMarginMode: ({ market }) => ({ scope: "margin", markets: [market] }),
  adjustIsolatedMargin: ({ market }) => ({ scope: "margin", markets: [market] }),
  // The entry of a group may open a position, whatever its legs do.
  placeIntent: ({ market, kind, reduceOnly }) => ({
    scope: tradeOr(reduceOnly && kind < OTO),
    markets: [market],
  }),
  cancelIntent: ({ intent, clientIntentId }, state, account) => ({
    scope: "cancel",
    markets: [...state.intents.values()]
      .filter((found) => found.account === account)
      .filter((found) => isNamed(found.id, found.clientIntentId, intent, clientIntentId))
      .map((found) => found.market.name),
  }),
  transfer: ({ to, toSubaccount }, _state, account) =>
    to === account.owner ? { scope: "transfer", markets: NO_MARKETS, subaccount: toSubaccount } : OWNER,
  revokeAuthorization: ({ authorization }, _state, _account, grant) =>
    authorization === grant.id ? { scope: "any", markets: NO_MARKETS } : OWNER,
  noop: () => ({ scope: "any", markets: NO_MARKETS }),
};

/** Index of `oto` among the kinds of intents; `otoco` follows it. */
const OTO = 5;

/** The demands of a transaction on a grant (AUT, ACT). */
export function demandOf(state: ModelState, account: Account, grant: Grant, transaction: Transaction): Demand {
  const demand = DEMANDS[transaction.action] as
    | ((payload: unknown, state: ModelState, account: Account, grant: Grant) => Demand)
    | undefined;
  return demand === undefined ? OWNER : demand(transaction.payload, state, account, grant);
}

/** An order of the account; the action itself rejects orders of other accounts. */
function findNamed(state: ModelState, account: Account, id: number, clientOrderId: string): Order | undefined {
  return [...state.orders.values()]
    .filter((order) => order.account === account)
    .find((order) => isNamed(order.id, order.clientOrderId, id, clientOrderId));
}

/** Whether an id, a name or both match this id and this name (ACT-3). */
function isNamed(id: number, name: string, askedId: number, askedName: string): boolean {
  if (askedId === 0) return askedName !== "" && name === askedName;
  return id === askedId && (askedName === "" || name === askedName);
}

function marketsOf(orders: readonly (Order | undefined)[]): string[] {
  return orders.flatMap((order) => (order === undefined ? [] : [order.market.name]));
}
