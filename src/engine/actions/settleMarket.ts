import { LIMIT, type PriceE8 } from "../../math/fixed.ts";
import { isParameterFault, type MarketParameters, readMarketParameters } from "../../protocol/parameters.ts";
import { MARKET_STATUS } from "../../protocol/words.ts";
import { fitsLimits } from "../matching/applyFill.ts";
import { applySettlement, listHolders, valueAt } from "../settlement/applySettlement.ts";
import type { MarketRow } from "../state/schema.ts";
import { defineHandler, type Plan, reject } from "./defineHandler.ts";

interface SettleMarketPlan extends Plan {
  readonly market: MarketRow;
  readonly price: PriceE8;
  readonly settling: MarketParameters;
  readonly settled: MarketParameters;
}

/** Ends a market at a settlement price (MKT). It may be in any status but settled; settling need not come before. */
export const handleSettleMarket = defineHandler<"settleMarket">("settleMarket")<SettleMarketPlan>({
  check(state, _context, { market: name, price }) {
    const market = state.marketRows.get(name);
    if (market === undefined) return reject("MARKET_NOT_FOUND");
    const rules = state.parameters[market]!;
    if (rules.status === MARKET_STATUS.settled)
      return reject("STATUS_NOT_REACHABLE", { from: "settled", to: "settled" });
    if (price === 0) return reject("PRICE_REQUIRED");
    if (price > rules.priceMost) return reject("NUMERIC_LIMIT", { price, most: rules.priceMost });
    for (const position of listHolders(state, market)) {
      const size = state.positions.size[position];
      const paid = 0 - Number(valueAt(state, market, size, price));
      if (!fitsLimits(state, position, (0 - size) as typeof size, paid as never)) {
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
