import type { ActionName, Payloads } from "../../../protocol/actions/index.ts";
import type { Account, Grant, ModelState, Order } from "../state.ts";

/** The demands of an action on a grant. */
export interface Demand {
  readonly scope: "trade" | "reduce" | "cancel" | "margin" | "transfer" | "owner" | "any";
  /** Names of the touched markets. */
  readonly markets: readonly string[] | "all";
  /** Another subaccount that receives collateral. */
  readonly subaccount?: number;
}

export const NO_MARKETS: readonly string[] = [];
/** No agent may sign it. */
export const OWNER: Demand = { scope: "owner", markets: NO_MARKETS };

/** Reads the demands of an action from its payload (AUT). */
export type DemandOf<A extends ActionName> = (
  payload: Payloads[A],
  state: ModelState,
  account: Account,
  grant: Grant,
) => Demand;

/** The scope of an order. */
export const tradeOr = (reduces: boolean) => (reduces ? "reduce" : "trade");

/** Index of `oto` among the kinds of intents; `otoco` follows it. */
export const OTO = 5;

/** An order of the account; the action itself rejects orders of other accounts. */
export function findNamed(state: ModelState, account: Account, id: number, clientOrderId: string): Order | undefined {
  return [...state.orders.values()]
    .filter((order) => order.account === account)
    .find((order) => isNamed(order.id, order.clientOrderId, id, clientOrderId));
}

/** Whether an id, a name or both match this id and this name (ACT-3). */
export function isNamed(id: number, name: string, askedId: number, askedName: string): boolean {
  if (askedId === 0) return askedName !== "" && name === askedName;
  return id === askedId && (askedName === "" || name === askedName);
}

export function marketsOf(orders: readonly (Order | undefined)[]): string[] {
  return orders.flatMap((order) => (order === undefined ? [] : [order.market.name]));
}
