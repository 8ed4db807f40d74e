import { isReachable } from "../../../protocol/lifecycle.ts";
import { isParameterFault } from "../../../protocol/parameterFault.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { findNamedTwice, readMarketParameters } from "../../../protocol/readParameters.ts";
import { MARKET_STATUSES } from "../../../protocol/words.ts";
import { defineHandler, type Plan, reject } from "../handler/defineHandler.ts";
import { changeParameters, findPriceFault } from "../markets/changeParameters.ts";
import type { MarketRow } from "../state/schema.ts";

interface UpdateMarketPlan extends Plan {
  readonly market: MarketRow;
  readonly parameters: MarketParameters;
}

/** Changes parameters or the status of a market. Every account with a position is checked in the next risk pass. */
export const handleUpdateMarket = defineHandler<"updateMarket">("updateMarket")<UpdateMarketPlan>({
  check(state, _context, { market, parameters }) {
    const row = state.marketRows.get(market);
    if (row === undefined) return reject("MARKET_NOT_FOUND", { market });
    if (parameters.length === 0) return reject("NOTHING_TO_DO", { entries: 0 });
    const twice = findNamedTwice(parameters);
    if (twice !== undefined) return reject("PARAMETER_INVALID", { ...twice });
    const texts = Object.fromEntries(parameters.map(({ name, value }) => [name, value]));
    const read = readMarketParameters("", texts, state.parameters[row]!);
    if (isParameterFault(read)) return reject("PARAMETER_INVALID", { ...read });
    const { status } = state.parameters[row]!;
    if (!isReachable(status, read.status)) {
      return reject("STATUS_NOT_REACHABLE", { from: MARKET_STATUSES[status]!, to: MARKET_STATUSES[read.status]! });
    }
    const tooGreat = findPriceFault(state, row, read);
    if (tooGreat !== undefined) return reject("NUMERIC_LIMIT", { ...tooGreat });
    return { rejected: false, market: row, parameters: read };
  },

  apply(state, _context, { market, parameters }) {
    changeParameters(state, market, parameters);
  },
});
