import type { Payloads } from "../../protocol/actions/index.ts";
import { findMarket } from "../market/createMarket.ts";
import { computeSourcePrice, takePrice } from "../prices/takePrice.ts";
import { APPLIED, type Outcome, rejected } from "../receipts.ts";
import type { Market, ModelState } from "../state.ts";
import type { Handler } from "./handler.ts";

/** Reports prices: a plain one, or those of sources; a recorded mark; a recorded funding rate (PRC-1, PRC-3, FND-2). */
export const applyOracleUpdate: Handler<"oracleUpdate"> = (state, _context, payload) => {
  const market = findMarket(state, payload.market);
  if (market === undefined) return rejected("MARKET_NOT_FOUND");
  const refused = check(market, payload);
  if (refused !== undefined) return refused;
  const { price, sources, mark, fundingRate, settleFunding } = payload;
  if (price !== 0) takePrice(market, BigInt(price), 0n, state.timeMs);
  if (sources.length > 0) takeReports(state, market, sources);
  if (mark !== 0) market.external = BigInt(mark);
  if (settleFunding) {
    market.funding.rate = BigInt(fundingRate);
    market.funding.settle = true;
  }
  return APPLIED;
};

function check(market: Market, payload: Payloads["oracleUpdate"]): Outcome | undefined {
  const { price, sources, mark, settleFunding } = payload;
  const known = market.parameters.sources;
  if (known.length > 0 && price !== 0) return rejected("SOURCE_NOT_FOUND");
  if (sources.some(({ source }) => !known.some(({ name }) => name === source))) return rejected("SOURCE_NOT_FOUND");
  if (price === 0 && sources.length === 0 && mark === 0 && !settleFunding) return rejected("NOTHING_TO_DO");
  const reported = [price, mark, ...sources.map((report) => report.price)];
  if (reported.some((value) => BigInt(value) > market.parameters.priceMost)) return rejected("NUMERIC_LIMIT");
  if (sources.some((report) => report.price === 0)) return rejected("PRICE_NOT_VALID");
  return undefined;
}

/** Of one source the newest report counts, and the later of two of one time (PRC-1). */
function takeReports(state: ModelState, market: Market, sources: Payloads["oracleUpdate"]["sources"]): void {
  for (const { source, price, confidence, time } of sources) {
    const place = market.parameters.sources.findIndex(({ name }) => name === source);
    const timeMs = time === 0 ? state.timeMs : time;
    const before = market.reports[place];
    if (before !== undefined && before.timeMs > timeMs) continue;
    market.reports[place] = { price: BigInt(price), confidence: BigInt(confidence), timeMs };
  }
  const made = computeSourcePrice(market, state.timeMs);
  if (made !== undefined) takePrice(market, made.price, made.confidence, state.timeMs);
}
