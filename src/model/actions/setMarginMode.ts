import { positionOf } from "../accounts.ts";
import { max } from "../arithmetic.ts";
import { freeOf, measure, measureView, viewBucket } from "../margin/health.ts";
import { initialOf, valueAt } from "../margin/requirement.ts";
import { findMarket } from "../market/createMarket.ts";
import { meets } from "../orders/orderMargin.ts";
import { isTrusted } from "../prices/validity.ts";
import { APPLIED, type Outcome, rejected } from "../receipts.ts";
import type { Position } from "../state.ts";
import { MARGIN_MODES } from "../words.ts";
import { actingAccount, type Handler } from "./handler.ts";

/** Whose collateral stands behind a position: cross, or its own (MRG-2). */
export const applySetMarginMode: Handler<"setMarginMode"> = (state, context, payload) => {
  const market = findMarket(state, payload.market);
  if (market === undefined) return rejected("MARKET_NOT_FOUND");
  if (market.parameters.status === "settled") return rejected("MARKET_CLOSED");
  const account = actingAccount(context);
  if (account.role !== "normal") return rejected("MARGIN_MODE_FIXED");
  const of = (entry: { readonly account: object; readonly market: object }) =>
    entry.account === account && entry.market === market;
  if ([...state.orders.values()].some(of) || [...state.intents.values()].some(of)) return rejected("MARKET_IN_USE");
  const mode = MARGIN_MODES[payload.mode];
  const position = account.positions.get(market.ordinal);
  if (mode === (position?.mode ?? "cross")) return rejected("NOTHING_TO_DO");
  if (!isTrusted(market, state.timeMs, "margin")) return rejected("PRICE_NOT_VALID");
  const changing = position ?? positionOf(account, market);
  return mode === "isolated" ? isolate(changing) : unite(changing);
};

/** An open position takes its initial requirement along, and what it has lost; that must be free in cross without it. */
function isolate(position: Position): Outcome {
  const { account, market, size, cost, leverage } = position;
  const lost = max(0n, cost - valueAt(market, size, market.mark));
  const amount = size === 0n ? 0n : initialOf(market, size, leverage) + lost;
  const view = viewBucket({ account, isolated: undefined });
  const without = view.exposures.filter((exposure) => exposure.market !== market);
  if (amount > 0n && amount > freeOf(measureView({ ...view, exposures: without })))
    return rejected("INSUFFICIENT_FREE_COLLATERAL");
  position.mode = "isolated";
  position.isolated = amount;
  account.collateral -= amount;
  return APPLIED;
}

/** Everything comes back, and cross must carry it. */
function unite(position: Position): Outcome {
  const { account } = position;
  const cross = { account, isolated: undefined };
  const before = measure(cross);
  const { isolated } = position;
  position.mode = "cross";
  position.isolated = 0n;
  account.collateral += isolated;
  if (meets(before, measure(cross))) return APPLIED;
  position.mode = "isolated";
  position.isolated = isolated;
  account.collateral -= isolated;
  return rejected("INSUFFICIENT_MARGIN");
}
