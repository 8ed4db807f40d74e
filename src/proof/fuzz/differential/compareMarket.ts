import { NONE } from "../../../ground/collections/table.ts";
import { MARKET_STATUSES } from "../../../protocol/words.ts";
import { joinIndex, wrapIndex } from "../../../venue/engine/funding/cumulativeIndex.ts";
import { getPool } from "../../../venue/engine/funding/pool.ts";
import { getPremiumSum } from "../../../venue/engine/funding/samples.ts";
import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { Market } from "../../model/state.ts";
import { compareSide } from "./compareOrders.ts";
import type { Comparison, Same } from "./comparison.ts";

/** Compares prices, funding, trades and the book of a market. */
export function compareMarket(comparison: Comparison, venue: State, market: Market, isOver: boolean): void {
  if (comparison.isFull) return;
  const { markets } = venue;
  const row = market.ordinal as MarketRow;
  const same = comparison.of(() => `${market.name}'s `);
  same("name", venue.marketNames[row], market.name);
  same("status", MARKET_STATUSES[venue.parameters[row]!.status], market.parameters.status);
  comparePrices(same, venue, row, market);
  compareFunding(same, venue, row, market);
  same("last price", markets.last[row], market.last);
  same("rate by open interest", markets.initialRate[row], market.openInterestRate);
  if (isOver) {
    same("highest trade of intents (INT-1)", markets.tradeHigh[row], market.intentHigh);
    same("lowest trade of intents (INT-1)", markets.tradeLow[row], market.intentLow);
  }
  same("funding pool", getPool(venue, row), market.fundingPool);
  same("dust", markets.dust[row], market.dust);
  compareSide(comparison, venue, market, "bid", market.bids);
  compareSide(comparison, venue, market, "ask", market.asks);
}

function comparePrices(same: Same, venue: State, row: MarketRow, market: Market): void {
  const { markets } = venue;
  same("oracle", markets.oracle[row], market.oracle);
  same("oracle's confidence (PRC-1)", markets.oracleConfidence[row], market.confidence);
  same("oracle's time (PRC-1)", markets.oracleTime[row], market.oracleMs);
  same("candidate", markets.candidate[row], market.candidate);
  same("confirmations", markets.confirmations[row], market.confirmations);
  same("reported mark", markets.reported[row], market.reported);
  same("reported mark's time (PRC-3)", markets.reportedTime[row], market.reportedMs);
  same("restarting", markets.restarting[row] === 1, market.restarting);
  same("index", markets.index[row], market.index);
  same("mark", markets.mark[row], market.mark);
  if (market.parameters.markMethod === "median") same("basis", markets.basis[row], market.basis);
  const first = markets.firstSource[row]!;
  if (first === NONE) return;
  const { sources } = venue;
  for (const [place, report] of market.reports.entries()) {
    const source = (first + place) as typeof first;
    same(`price of source ${place} (PRC-1)`, sources.price[source], report?.price ?? 0n);
    same(`confidence of source ${place} (PRC-1)`, sources.confidence[source], report?.confidence ?? 0n);
    same(`time of source ${place} (PRC-1)`, sources.time[source], report?.timeMs ?? 0);
  }
}

function compareFunding(same: Same, venue: State, row: MarketRow, { funding }: Market): void {
  const { markets } = venue;
  same("funding index", joinIndex(markets.fundingHigh[row]!, markets.fundingLow[row]!), wrapIndex(funding.index));
  same("funding due", markets.fundingDue[row], funding.due);
  same("funding carry", markets.fundingCarry[row], funding.carry);
  same("premium samples", markets.premiumSamples[row], funding.samples);
  // The two halves are added only if the sum needs both.
  const sum = markets.premiumHigh[row] === 0 ? markets.premiumSum[row] : getPremiumSum(venue, row);
  same("premium sum (FND-1)", sum, funding.sum);
  same("premium sum of the minute (FND-1)", markets.minuteSum[row], funding.minuteSum);
  same("premium samples of the minute (FND-1)", markets.minuteSamples[row], funding.minuteSamples);
  same("time of the last sample (FND-1)", markets.sampledTime[row], funding.sampledMs);
  same("time up to which funding is paid (FND-2)", markets.settledTime[row], funding.settledMs);
  same("recorded funding rate (FND-2)", markets.reportedRate[row], funding.rate);
}
