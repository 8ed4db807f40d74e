import { isOpening } from "../../../protocol/lifecycle.ts";
import { isParameterFault } from "../../../protocol/parameterFault.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { findNamedTwice, readMarketParameters } from "../../../protocol/readParameters.ts";
import { MARKET_STATUSES } from "../../../protocol/words.ts";
import { defineHandler, type Plan, reject } from "../handler/defineHandler.ts";
import { addMarket } from "../markets/addMarket.ts";
import { MARKETS_MAX } from "../state/state.ts";

interface CreateMarketPlan extends Plan {
  readonly name: string;
  readonly parameters: MarketParameters;
}

/** Creates a market from a preset and named parameters; a definition that breaks a rule is refused (MRG-1, NUM-1). */
export const handleCreateMarket = defineHandler<"createMarket">("createMarket")<CreateMarketPlan>({
  check(state, _context, { market, preset, parameters }) {
    if (state.marketRows.has(market)) return reject("MARKET_EXISTS", { market });
    if (state.parameters.length >= MARKETS_MAX)
      return reject("NUMERIC_LIMIT", { markets: state.parameters.length, most: MARKETS_MAX });
    const twice = findNamedTwice(parameters);
    if (twice !== undefined) return reject("PARAMETER_INVALID", { ...twice });
    const read = readMarketParameters(preset, Object.fromEntries(parameters.map(({ name, value }) => [name, value])));
    if (isParameterFault(read)) return reject("PARAMETER_INVALID", { ...read });
    if (!isOpening(read.status)) return reject("STATUS_NOT_REACHABLE", { to: MARKET_STATUSES[read.status]! });
    return { rejected: false, name: market, parameters: read };
  },

  apply(state, _context, { name, parameters }) {
    addMarket(state, name, parameters);
  },
});
