/** The table of all actions. A decoded transaction names its action by its place here, so the order is part of the wire. */
import type { Domain, GivenPayloadOf, JsonPayloadOf, PayloadOf } from "../action.ts";
import { adjustIsolatedMargin } from "./adjustIsolatedMargin.ts";
import { amendOrder } from "./amendOrder.ts";
import { cancelAll } from "./cancelAll.ts";
import { cancelIntent } from "./cancelIntent.ts";
import { cancelOrder } from "./cancelOrder.ts";
import { cancelOrders } from "./cancelOrders.ts";
import { closePosition } from "./closePosition.ts";
import { createMarket } from "./createMarket.ts";
import { deposit } from "./deposit.ts";
import { devnetImpersonate } from "./devnetImpersonate.ts";
import { devnetSet } from "./devnetSet.ts";
import { faucetMint } from "./faucetMint.ts";
import { fundInsurance } from "./fundInsurance.ts";
import { grantAuthorization } from "./grantAuthorization.ts";
import { houseFlow } from "./houseFlow.ts";
import { noop } from "./noop.ts";
import { oracleUpdate } from "./oracleUpdate.ts";
import { placeIntent } from "./placeIntent.ts";
import { placeOrder } from "./placeOrder.ts";
import { placeOrders } from "./placeOrders.ts";
import { revokeAuthorization } from "./revokeAuthorization.ts";
import { scheduleCancel } from "./scheduleCancel.ts";
import { setLeverage } from "./setLeverage.ts";
import { setMarginMode } from "./setMarginMode.ts";
import { settleMarket } from "./settleMarket.ts";
import { transfer } from "./transfer.ts";
import { updateMarket } from "./updateMarket.ts";
import { withdraw } from "./withdraw.ts";

export const actions = {
  placeOrder,
  amendOrder,
  cancelOrder,
  cancelOrders,
  cancelAll,
  closePosition,
  setLeverage,
  transfer,
  withdraw,
  noop,
  oracleUpdate,
  deposit,
  faucetMint,
  createMarket,
  updateMarket,
  fundInsurance,
  houseFlow,
  placeOrders,
  placeIntent,
  cancelIntent,
  setMarginMode,
  adjustIsolatedMargin,
  scheduleCancel,
  grantAuthorization,
  revokeAuthorization,
  settleMarket,
  devnetSet,
  devnetImpersonate,
} as const;

export type Actions = typeof actions;
export type ActionName = keyof Actions;
/** Decoded payload by action. */
export type Payloads = { readonly [A in ActionName]: PayloadOf<Actions[A]> };
/** JSON payload by action. */
export type JsonPayloads = { readonly [A in ActionName]: JsonPayloadOf<Actions[A]> };

/** JSON payload by action, as people write it. */
export type GivenPayloads = { readonly [A in ActionName]: GivenPayloadOf<Actions[A]> };

/** Actions that an authority of genesis signs. */
export type SystemAction = {
  [A in ActionName]: Actions[A]["scope"] extends "authority" ? A : never;
}[ActionName];
/** Actions that an account signs, or an agent for it. */
export type UserAction = Exclude<ActionName, SystemAction>;

/** Whether an authority of genesis signs the action. */
export function isSystemAction(name: ActionName): name is SystemAction {
  return actions[name].scope === "authority";
}

export const ACTION_NAMES = Object.keys(actions) as ActionName[];
/** Place of each action in the table. */
export const ACTION_CODES = Object.fromEntries(ACTION_NAMES.map((name, code) => [name, code])) as {
  readonly [A in ActionName]: number;
};

/** The domain in which an action's nonce counts where the header says no other: its own; of one that has any, `trading`. */
export const DOMAIN_OF = Object.fromEntries(
  Object.values(actions).map(({ name, domain }) => [name, domain === "any" ? "trading" : domain]),
) as { readonly [A in ActionName]: Domain };
