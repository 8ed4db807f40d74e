import type { Payloads } from "../../../protocol/actions/index.ts";
import { addAccount, findAccount } from "../accounts.ts";
import { findMarket } from "../market/createMarket.ts";
import { statusRules } from "../market/lifecycle.ts";
import { APPLIED, refuse, rejected } from "../receipts.ts";
import type { Market, ModelState } from "../state.ts";
import { DEVNET_TARGETS, LIMIT, ZERO_ADDRESS } from "../words.ts";
import type { Handler, ModelAction } from "./handler.ts";

/** Sets an account's cross collateral or a market's prices without any rule, if genesis enables devnet (NET-3). */
const apply: Handler<"devnetSet"> = (state, _context, payload) => {
  if (!state.genesis.features.devnet) return rejected("FEATURE_DISABLED");
  const misplaced = findMisplaced(payload);
  if (misplaced !== undefined) return rejected(refuse(state, "FIELD_REFUSED", { field: misplaced }));
  if (DEVNET_TARGETS[payload.what] === "price") {
    const market = findMarket(state, payload.market);
    const price = BigInt(payload.price);
    if (market === undefined) return rejected("MARKET_NOT_FOUND");
    if (!statusRules(market).prices) return rejected("MARKET_CLOSED");
    if (price === 0n) return rejected("PRICE_REQUIRED");
    if (price > market.parameters.priceMost) return rejected("NUMERIC_LIMIT");
    setPrices(state, market, price);
    return APPLIED;
  }
  const amount = BigInt(payload.amount);
  const found = findAccount(state, payload.account, payload.subaccount);
  const delta = amount - (found?.collateral ?? 0n);
  if (delta === 0n) return rejected("NOTHING_TO_DO");
  if (amount > LIMIT / 4n) return rejected("NUMERIC_LIMIT");
  const account = found ?? addAccount(state, payload.account, payload.subaccount, "normal");
  account.collateral = amount;
  if (delta > 0n) state.totals.inflows += delta;
  else state.totals.withdrawals -= delta;
  return APPLIED;
};

export const devnetSet: ModelAction<"devnetSet"> = { domain: "system", authority: "operator", apply };

/** The first field that belongs to a target of the other kind (ACT-3). */
function findMisplaced({
  what,
  market,
  price,
  account,
  subaccount,
  amount,
}: Payloads["devnetSet"]): string | undefined {
  if (DEVNET_TARGETS[what] === "collateral")
    return market !== "" ? "market" : Number(price) !== 0 ? "price" : undefined;
  if (account !== ZERO_ADDRESS) return "account";
  return subaccount !== 0 ? "subaccount" : Number(amount) !== 0 ? "amount" : undefined;
}

/** Sets oracle, index and mark at once; clears averages and candidates of earlier prices. */
function setPrices(state: ModelState, market: Market, price: bigint): void {
  market.oracle = price;
  market.oracleMs = state.timeMs;
  market.confidence = 0n;
  market.candidate = 0n;
  market.confirmations = 0;
  if (market.parameters.markMethod === "reported" || market.reported !== 0n) {
    market.reported = price;
    market.reportedMs = state.timeMs;
  }
  market.index = price;
  market.mark = price;
  market.basis = 0n;
}
