import type { Payloads } from "../../../protocol/actions/index.ts";
import { abs } from "../arithmetic.ts";
import { findMarket } from "../market/createMarket.ts";
import { statusRules } from "../market/lifecycle.ts";
import { computeSourcePrice, takePrice } from "../prices/takePrice.ts";
import { APPLIED, type Outcome, refuse, rejected } from "../receipts.ts";
import type { Market, ModelState } from "../state.ts";
import { PPB } from "../words.ts";
import type { Handler, ModelAction } from "./handler.ts";

/** Reports prices: a plain one, or one per source; a recorded mark; a recorded funding rate (PRC-1, PRC-3, FND-2). */
const apply: Handler<"oracleUpdate"> = (state, _context, payload) => {
  const market = findMarket(state, payload.market);
  if (market === undefined) return rejected("MARKET_NOT_FOUND");
  const settles = payload.settleFunding && paysRecorded(market, payload);
  const refused = check(state, market, payload, settles);
  if (refused !== undefined) return refused;
  const { price, sources, mark, fundingRate } = payload;
  if (price !== 0) takePrice(market, BigInt(price), 0n, state.timeMs);
  if (sources.length > 0) takeReports(state, market, sources);
  if (mark !== 0) {
    market.reported = BigInt(mark);
    market.reportedMs = state.timeMs;
  }
  if (settles) {
    market.funding.rate = BigInt(fundingRate);
    market.funding.settle = true;
  }
  return APPLIED;
};

export const oracleUpdate: ModelAction<"oracleUpdate"> = { domain: "system", authority: "oracle", apply };

/** Whether the market uses a recorded rate: it takes such rates, pays funding, and has a price now. */
function paysRecorded(market: Market, { price, mark }: Payloads["oracleUpdate"]): boolean {
  const { fundingMethod, pauseFund, markMethod } = market.parameters;
  if (fundingMethod !== "reported" || pauseFund === "on" || !statusRules(market).fund) return false;
  if (market.index !== 0n || market.oracle !== 0n || price !== 0) return true;
  return markMethod === "reported" && (market.reported !== 0n || mark !== 0);
}

function check(
  state: ModelState,
  market: Market,
  payload: Payloads["oracleUpdate"],
  settles: boolean,
): Outcome | undefined {
  const { price, sources, mark, fundingRate } = payload;
  const known = market.parameters.sources;
  if (known.length > 0 && price !== 0) return rejected("SOURCE_NOT_FOUND");
  if (sources.some(({ source }) => !known.some(({ name }) => name === source))) return rejected("SOURCE_NOT_FOUND");
  const misplaced = findMisplaced(market, payload);
  if (misplaced !== undefined) return rejected(refuse(state, "FIELD_REFUSED", { field: misplaced }));
  if (price === 0 && sources.length === 0 && mark === 0 && !settles) return rejected("NOTHING_TO_DO");
  const reported = [price, mark, ...sources.flatMap((report) => [report.price, report.confidence])];
  if (reported.some((value) => BigInt(value) > market.parameters.priceMost)) return rejected("NUMERIC_LIMIT");
  if (settles && abs(BigInt(fundingRate)) > PPB) return rejected("NUMERIC_LIMIT");
  if (sources.some((report) => report.price === 0)) return rejected("PRICE_NOT_VALID");
  return undefined;
}

/** The first field that the market does not use (ACT-3). */
function findMisplaced(
  { parameters: { markMethod, fundingMethod } }: Market,
  { mark, fundingRate, settleFunding, sources }: Payloads["oracleUpdate"],
): string | undefined {
  if (mark !== 0 && (markMethod === "oracle" || markMethod === "book")) return "mark";
  if (fundingRate !== 0 && (fundingMethod !== "reported" || !settleFunding)) return "fundingRate";
  if (settleFunding && fundingMethod !== "reported") return "settleFunding";
  return new Set(sources.map(({ source }) => source)).size === sources.length ? undefined : "sources";
}

/** Of one source the newest report counts, and the later of two with equal times (PRC-1). */
function takeReports(state: ModelState, market: Market, sources: Payloads["oracleUpdate"]["sources"]): void {
  for (const { source, price, confidence, time } of sources) {
    const place = market.parameters.sources.findIndex(({ name }) => name === source);
    // A time ahead of the block counts as the block's.
    const timeMs = time === 0 ? state.timeMs : Math.min(time, state.timeMs);
    const before = market.reports[place];
    if (before !== undefined && before.timeMs > timeMs) continue;
    market.reports[place] = { price: BigInt(price), confidence: BigInt(confidence), timeMs };
  }
  const made = computeSourcePrice(market, state.timeMs);
  if (made !== undefined) takePrice(market, made.price, made.confidence, state.timeMs);
}
