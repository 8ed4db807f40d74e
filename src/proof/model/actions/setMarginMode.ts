import { positionOf } from "../accounts.ts";
import { abs, max } from "../arithmetic.ts";
import type { DemandOf } from "../authorization/demand.ts";
import { endRecord } from "../liquidation/record.ts";
import { freeOf, isOutOfRange, measure, measureView, viewMarginAccount } from "../margin/health.ts";
import { findMarket } from "../market/createMarket.ts";
import { isTrusted } from "../prices/validity.ts";
import { APPLIED, type Outcome, refuse, rejected } from "../receipts.ts";
import type { ModelState, Position } from "../state.ts";
import { LIMIT, MARGIN_MODES } from "../words.ts";
import { actingAccount, type Handler, type ModelAction } from "./handler.ts";

const demand: DemandOf<"setMarginMode"> = ({ market }) => ({ scope: "margin", markets: [market] });

/** Switches a position between cross margin and isolated margin (MRG-2). */
const apply: Handler<"setMarginMode"> = (state, context, payload) => {
  const market = findMarket(state, payload.market);
  if (market === undefined) return rejected("MARKET_NOT_FOUND");
  const account = actingAccount(context);
  const position = account.positions.get(market.ordinal);
  const isOpen = position !== undefined && position.signedLots !== 0n;
  if (isOpen && market.restarting) return rejected("MARKET_RESTARTING");
  if (account.role !== "normal") return rejected("MARGIN_MODE_FIXED");
  const of = (entry: { readonly account: object; readonly market: object }) =>
    entry.account === account && entry.market === market;
  if ([...state.orders.values()].some(of) || [...state.intents.values()].some(of)) return rejected("MARKET_IN_USE");
  const mode = MARGIN_MODES[payload.mode] ?? "cross";
  if (mode === (position?.mode ?? "cross")) return rejected("NOTHING_TO_DO");
  if (!isOpen) {
    if (position !== undefined && mode === "cross") endRecord(state, { account, isolated: position });
    positionOf(account, market).mode = mode;
    return APPLIED;
  }
  if (!isTrusted(market, state.timeMs, "margin")) return rejected("PRICE_NOT_VALID");
  return mode === "isolated" ? isolate(state, position) : unite(state, position);
};

export const setMarginMode: ModelAction<"setMarginMode"> = { domain: "risk", demand, apply };

/**
 * An open position takes along its initial margin, its loss and its unsettled funding; that amount must be free in
 * cross without the position.
 */
function isolate(state: ModelState, position: Position): Outcome {
  const { account, market } = position;
  const alone = measureView({
    collateral: 0n,
    exposures: viewMarginAccount({ account, isolated: position }).exposures,
  });
  const amount = alone.initial + max(0n, -alone.equity);
  const view = viewMarginAccount({ account, isolated: undefined });
  if (isOutOfRange(alone) || isOutOfRange(measureView(view))) return rejected("NUMERIC_LIMIT");
  const without = view.exposures.filter((exposure) => exposure.market !== market);
  const free = freeOf(measureView({ ...view, exposures: without }));
  if (amount > free) return rejected(refuse(state, "INSUFFICIENT_FREE_COLLATERAL", { amount, free }));
  position.mode = "isolated";
  position.isolated = amount;
  account.collateral -= amount;
  return APPLIED;
}

/** All isolated collateral returns, and cross must cover its margin (MRG-4, first half). */
function unite(state: ModelState, position: Position): Outcome {
  const { account, isolated } = position;
  const cross = measure({ account, isolated: undefined });
  const marginAccount = measure({ account, isolated: position });
  if (isOutOfRange(cross) || isOutOfRange(marginAccount) || abs(account.collateral + isolated) > LIMIT / 4n)
    return rejected("NUMERIC_LIMIT");
  const equity = cross.equity + marginAccount.equity;
  const required = cross.required + marginAccount.initial;
  if (equity < required) return rejected(refuse(state, "INSUFFICIENT_MARGIN", { equity, required }));
  endRecord(state, { account, isolated: position });
  position.mode = "cross";
  position.isolated = 0n;
  position.dueSince = 0;
  account.collateral += isolated;
  return APPLIED;
}
