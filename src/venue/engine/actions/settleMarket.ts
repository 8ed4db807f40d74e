import { type Amount, LIMIT, type Lots, type PriceE8 } from "../../../ground/math/fixed.ts";
import { isReachable } from "../../../protocol/lifecycle.ts";
import { isParameterFault } from "../../../protocol/parameterFault.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { readMarketParameters } from "../../../protocol/readParameters.ts";
import { MARKET_STATUS, MARKET_STATUSES } from "../../../protocol/words.ts";
import { defineHandler, type Plan, reject } from "../handler/defineHandler.ts";
import { fitsLimits } from "../matching/applyFill.ts";
import { applySettlement, listHolders, valueAt } from "../settlement/applySettlement.ts";
import type { MarketRow } from "../state/schema.ts";

interface SettleMarketPlan extends Plan {
  readonly market: MarketRow;
  readonly price: PriceE8;
  readonly settling: MarketParameters;
  readonly settled: MarketParameters;
}

/**
 * Ends a market at a settlement price (MKT). It is `settling`, or in a status from which that is the next: then it
 * becomes so first.
 */
export const handleSettleMarket = defineHandler<"settleMarket">("settleMarket")<SettleMarketPlan>({
  check(state, _context, { market: name, price }) {
    const market = state.marketRows.get(name);
    if (market === undefined) return reject("MARKET_NOT_FOUND", { market: name });
    const rules = state.parameters[market]!;
    if (!isReachable(rules.status, MARKET_STATUS.settling))
      return reject("STATUS_NOT_REACHABLE", { from: MARKET_STATUSES[rules.status]!, to: "settled" });
    if (price <= 0) return reject("PRICE_REQUIRED", { price, least: 1 });
    if (price > rules.priceMost) return reject("NUMERIC_LIMIT", { price, most: rules.priceMost });
    for (const position of listHolders(state, market)) {
      const signedLots = state.positions.signedLots[position];
      const paid = (0 - Number(valueAt(state, market, signedLots, price))) as Amount;
      if (!fitsLimits(state, position, (0 - signedLots) as Lots, paid)) {
        return reject("NUMERIC_LIMIT", { value: paid, limit: LIMIT });
      }
    }
    const settling = readMarketParameters("", { status: "settling" }, rules);
    const settled = readMarketParameters("", { status: "settled" }, rules);
    if (isParameterFault(settling)) return reject("PARAMETER_INVALID", { ...settling });
    if (isParameterFault(settled)) return reject("PARAMETER_INVALID", { ...settled });
    return { rejected: false, market, price, settling, settled };
  },

  apply(state, _context, { market, price, settling, settled }) {
    applySettlement(state, market, price, settling, settled);
  },
});
