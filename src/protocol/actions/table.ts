// Generated from the files of src/protocol/actions by `npm run generate`. Do not edit.
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

/** Every action, in the order of their codes. */
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
