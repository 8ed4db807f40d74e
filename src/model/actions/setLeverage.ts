import { positionOf } from "../accounts.ts";
import { bucketOf, measure } from "../margin/health.ts";
import { findMarket } from "../market/createMarket.ts";
import { meets } from "../orders/orderMargin.ts";
import { isTrusted } from "../prices/validity.ts";
import { APPLIED, rejected } from "../receipts.ts";
import { actingAccount, type Handler } from "./handler.ts";

/** Initial margin is at least notional / leverage from now on, and the buckets must carry it (MRG-1, MRG-4). */
export const applySetLeverage: Handler<"setLeverage"> = (state, context, { market: name, leverage }) => {
  const market = findMarket(state, name);
  if (market === undefined) return rejected("MARKET_NOT_FOUND");
  if (market.parameters.status === "settled") return rejected("MARKET_CLOSED");
  const account = actingAccount(context);
  const found = account.positions.get(market.ordinal);
  if (BigInt(leverage) === (found?.leverage ?? 0n)) return rejected("NOTHING_TO_DO");
  if (leverage < 1 || BigInt(leverage) > market.parameters.leverageMax) return rejected("LEVERAGE_OUT_OF_RANGE");
  if (!isTrusted(market, state.timeMs, "margin")) return rejected("PRICE_NOT_VALID");
  const position = positionOf(account, market);
  const chosen = position.leverage;
  const buckets = [{ account, isolated: undefined }, bucketOf(position)];
  const before = buckets.map(measure);
  position.leverage = BigInt(leverage);
  const carried = buckets.map(measure).every((after, place) => meets(before[place] ?? after, after));
  if (carried || account.role === "house") return APPLIED;
  position.leverage = chosen;
  return rejected("INSUFFICIENT_MARGIN");
};
