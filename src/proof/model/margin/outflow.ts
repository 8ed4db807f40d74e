import type { RejectionCode } from "../../../protocol/rejections.ts";
import { isTrusted } from "../prices/validity.ts";
import type { Account, Market, ModelState } from "../state.ts";

/** Whether an account has a position or an order in a market. */
export function isIn(account: Account, market: Market): boolean {
  if ((account.positions.get(market.ordinal)?.signedLots ?? 0n) !== 0n) return true;
  return [...market.bids, ...market.asks].some((order) => order.account === account);
}

/** The rejection code of an account's markets for an outflow (MKT, PRC-1, PRC-4). */
export function checkLeaving(state: ModelState, account: Account): RejectionCode | undefined {
  const markets = state.markets.filter((market) => isIn(account, market));
  const holds = ({ ordinal }: Market) => (account.positions.get(ordinal)?.signedLots ?? 0n) !== 0n;
  if (markets.some((market) => holds(market) && market.parameters.pauseWithdraw === "on")) return "OPERATION_PAUSED";
  if (markets.some(({ restarting }) => restarting)) return "MARKET_RESTARTING";
  return undefined;
}

export function isTrustedToLeave(state: ModelState, account: Account): boolean {
  return state.markets.every((market) => !isIn(account, market) || isTrusted(market, state.timeMs, "withdraw"));
}
