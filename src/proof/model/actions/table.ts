/** Every action: its nonce lane, the key of a system action, and its handler (ACT). */
import type { Authority, Domain } from "../../../protocol/action.ts";
import type { ActionName } from "../../../protocol/actions/index.ts";
import { applyAdjustIsolatedMargin } from "./adjustIsolatedMargin.ts";
import { applyAmendOrder } from "./amendOrder.ts";
import { applyCancelAll } from "./cancelAll.ts";
import { applyCancelIntent } from "./cancelIntent.ts";
import { applyCancelOrder } from "./cancelOrder.ts";
import { applyCancelOrders } from "./cancelOrders.ts";
import { applyClosePosition } from "./closePosition.ts";
import { applyCreateMarket } from "./createMarket.ts";
import { applyDeposit } from "./deposit.ts";
import { applyDevnetImpersonate } from "./devnetImpersonate.ts";
import { applyDevnetSet } from "./devnetSet.ts";
import { applyFaucetMint } from "./faucetMint.ts";
import { applyFundInsurance } from "./fundInsurance.ts";
import { applyGrantAuthorization } from "./grantAuthorization.ts";
import type { Handler } from "./handler.ts";
import { applyHouseFlow } from "./houseFlow.ts";
import { applyNoop } from "./noop.ts";
import { applyOracleUpdate } from "./oracleUpdate.ts";
import { applyPlaceIntent } from "./placeIntent.ts";
import { applyPlaceOrder } from "./placeOrder.ts";
import { applyPlaceOrders } from "./placeOrders.ts";
import { applyRevokeAuthorization } from "./revokeAuthorization.ts";
import { applyScheduleCancel } from "./scheduleCancel.ts";
import { applySetLeverage } from "./setLeverage.ts";
import { applySetMarginMode } from "./setMarginMode.ts";
import { applySettleMarket } from "./settleMarket.ts";
import { applyTransfer } from "./transfer.ts";
import { applyUpdateMarket } from "./updateMarket.ts";
import { applyWithdraw } from "./withdraw.ts";

export const TABLE: {
  readonly [A in ActionName]: {
    readonly domain: Domain | "any";
    readonly authority?: Authority;
    readonly apply: Handler<A>;
  };
} = {
  placeOrder: { domain: "trading", apply: applyPlaceOrder },
  amendOrder: { domain: "trading", apply: applyAmendOrder },
  cancelOrder: { domain: "trading", apply: applyCancelOrder },
  cancelOrders: { domain: "trading", apply: applyCancelOrders },
  cancelAll: { domain: "risk", apply: applyCancelAll },
  closePosition: { domain: "risk", apply: applyClosePosition },
  setLeverage: { domain: "risk", apply: applySetLeverage },
  transfer: { domain: "funds", apply: applyTransfer },
  withdraw: { domain: "funds", apply: applyWithdraw },
  noop: { domain: "any", apply: applyNoop },
  oracleUpdate: { domain: "system", authority: "oracle", apply: applyOracleUpdate },
  deposit: { domain: "system", authority: "operator", apply: applyDeposit },
  faucetMint: { domain: "system", authority: "faucet", apply: applyFaucetMint },
  createMarket: { domain: "system", authority: "operator", apply: applyCreateMarket },
  updateMarket: { domain: "system", authority: "operator", apply: applyUpdateMarket },
  fundInsurance: { domain: "system", authority: "operator", apply: applyFundInsurance },
  houseFlow: { domain: "system", authority: "operator", apply: applyHouseFlow },
  placeOrders: { domain: "trading", apply: applyPlaceOrders },
  placeIntent: { domain: "trading", apply: applyPlaceIntent },
  cancelIntent: { domain: "trading", apply: applyCancelIntent },
  setMarginMode: { domain: "risk", apply: applySetMarginMode },
  adjustIsolatedMargin: { domain: "risk", apply: applyAdjustIsolatedMargin },
  scheduleCancel: { domain: "risk", apply: applyScheduleCancel },
  grantAuthorization: { domain: "admin", apply: applyGrantAuthorization },
  revokeAuthorization: { domain: "admin", apply: applyRevokeAuthorization },
  settleMarket: { domain: "system", authority: "operator", apply: applySettleMarket },
  devnetSet: { domain: "system", authority: "operator", apply: applyDevnetSet },
  devnetImpersonate: { domain: "system", authority: "operator", apply: applyDevnetImpersonate },
};
