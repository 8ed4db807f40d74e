import { abs, max } from "../arithmetic.ts";
import { changeFunding } from "../funding/stepFunding.ts";
import { findMarket } from "../market/createMarket.ts";
import { statusRules } from "../market/lifecycle.ts";
import { priceMostFor, readParameters } from "../market/parameters.ts";
import { trimReduceOnly } from "../orders/reduceOnly.ts";
import { APPLIED, rejected } from "../receipts.ts";
import { readNamed } from "./createMarket.ts";
import type { Handler, ModelAction } from "./handler.ts";

/** Changes parameters and status; a settled market does not change (MKT). */
const apply: Handler<"updateMarket"> = (state, _context, payload) => {
  const market = findMarket(state, payload.market);
  if (market === undefined) return rejected("MARKET_NOT_FOUND");
  if (payload.parameters.length === 0) return rejected("NOTHING_TO_DO");
  const before = market.parameters;
  const named = readNamed(payload.parameters);
  const parameters = named === undefined ? undefined : readParameters("", named, before);
  if (parameters === undefined) return rejected("PARAMETER_INVALID");
  if (parameters.status !== before.status && !statusRules(market).next.includes(parameters.status))
    return rejected("STATUS_NOT_REACHABLE");
  const { mark, index, oracle, reported } = market;
  if ([mark, index, oracle, reported].some((price) => price > parameters.priceMost)) return rejected("NUMERIC_LIMIT");
  // A smaller limit allows greater prices, except prices at which open positions would lose their room (NUM-3).
  const largest = state.accounts.reduce(
    (most, { positions }) => max(most, abs(positions.get(market.ordinal)?.signedLots ?? 0n)),
    0n,
  );
  const isGreater = parameters.priceMost > before.priceMost;
  if (isGreater && largest > parameters.positionLimitLots && priceMostFor(parameters, largest) < parameters.priceMost)
    return rejected("NUMERIC_LIMIT");
  market.parameters = parameters;
  changeFunding(market, before, state.timeMs);
  if (before.reduceOnlyResting === "capAtMatch" && parameters.reduceOnlyResting === "trim") {
    for (const { positions } of [...state.accounts].sort((a, b) => a.id - b.id)) {
      const position = positions.get(market.ordinal);
      if (position !== undefined) trimReduceOnly(state, position);
    }
  }
  return APPLIED;
};

export const updateMarket: ModelAction<"updateMarket"> = { domain: "system", authority: "operator", apply };
