// Generated from the files of src/venue/engine/actions by `npm run generate`. Do not edit.
import { ACTION_NAMES, type ActionName } from "../../../protocol/actions/index.ts";
import type { AnyHandler } from "../handler/defineHandler.ts";
import { handleAdjustIsolatedMargin } from "./adjustIsolatedMargin.ts";
import { handleAmendOrder } from "./amendOrder.ts";
import { handleCancelAll } from "./cancelAll.ts";
import { handleCancelIntent } from "./cancelIntent.ts";
import { handleCancelOrder } from "./cancelOrder.ts";
import { handleCancelOrders } from "./cancelOrders.ts";
import { handleClosePosition } from "./closePosition.ts";
import { handleCreateMarket } from "./createMarket.ts";
import { handleDeposit } from "./deposit.ts";
import { handleDevnetImpersonate } from "./devnetImpersonate.ts";
import { handleDevnetSet } from "./devnetSet.ts";
import { handleFaucetMint } from "./faucetMint.ts";
import { handleFundInsurance } from "./fundInsurance.ts";
import { handleGrantAuthorization } from "./grantAuthorization.ts";
import { handleHouseFlow } from "./houseFlow.ts";
import { handleNoop } from "./noop.ts";
import { handleOracleUpdate } from "./oracleUpdate.ts";
import { handlePlaceIntent } from "./placeIntent.ts";
import { handlePlaceOrder } from "./placeOrder.ts";
import { handlePlaceOrders } from "./placeOrders.ts";
import { handleRevokeAuthorization } from "./revokeAuthorization.ts";
import { handleScheduleCancel } from "./scheduleCancel.ts";
import { handleSetLeverage } from "./setLeverage.ts";
import { handleSetMarginMode } from "./setMarginMode.ts";
import { handleSettleMarket } from "./settleMarket.ts";
import { handleTransfer } from "./transfer.ts";
import { handleUpdateMarket } from "./updateMarket.ts";
import { handleWithdraw } from "./withdraw.ts";

const handlers: Readonly<Record<ActionName, AnyHandler>> = {
  placeOrder: handlePlaceOrder,
  amendOrder: handleAmendOrder,
  cancelOrder: handleCancelOrder,
  cancelOrders: handleCancelOrders,
  cancelAll: handleCancelAll,
  closePosition: handleClosePosition,
  setLeverage: handleSetLeverage,
  transfer: handleTransfer,
  withdraw: handleWithdraw,
  noop: handleNoop,
  oracleUpdate: handleOracleUpdate,
  deposit: handleDeposit,
  faucetMint: handleFaucetMint,
  createMarket: handleCreateMarket,
  updateMarket: handleUpdateMarket,
  fundInsurance: handleFundInsurance,
  houseFlow: handleHouseFlow,
  placeOrders: handlePlaceOrders,
  placeIntent: handlePlaceIntent,
  cancelIntent: handleCancelIntent,
  setMarginMode: handleSetMarginMode,
  adjustIsolatedMargin: handleAdjustIsolatedMargin,
  scheduleCancel: handleScheduleCancel,
  grantAuthorization: handleGrantAuthorization,
  revokeAuthorization: handleRevokeAuthorization,
  settleMarket: handleSettleMarket,
  devnetSet: handleDevnetSet,
  devnetImpersonate: handleDevnetImpersonate,
};

/** Handlers by the code that a decoded transaction carries. */
export const HANDLERS: readonly AnyHandler[] = ACTION_NAMES.map((name) => handlers[name]);
