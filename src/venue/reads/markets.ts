import type { ParameterTexts } from "../../protocol/parameters.ts";
import { readDefinition } from "../../protocol/readParameters.ts";
import { VALIDITIES } from "../../protocol/validity.ts";
import { MARKET_STATUSES } from "../../protocol/words.ts";
import { getPredictedRate } from "../engine/funding/predictedRate.ts";
import type { MarketRow } from "../engine/state/schema.ts";
import type { State } from "../engine/state/state.ts";
import { formatLots, formatPrice, formatRate, formatTicks } from "../formulas/text.ts";

/** A market. Prices in USD per unit of base, sizes in units of base, rates as ratios, all as decimal text. */
export interface MarketView {
  readonly market: string;
  readonly status: (typeof MARKET_STATUSES)[number];
  /** Step of order prices, and of sizes. */
  readonly tickSize: string;
  readonly lotSize: string;
  /** Greatest leverage that may be chosen. */
  readonly leverageMax: number;
  /** How far the price may be trusted (PRC-1). */
  readonly validity: (typeof VALIDITIES)[number];
  /** Prices are null before the first. */
  readonly oracle: string | null;
  readonly index: string | null;
  readonly mark: string | null;
  readonly last: string | null;
  readonly bestBid: string | null;
  readonly bestAsk: string | null;
  /** Rate of the last settled interval; longs pay when positive. */
  readonly fundingRate: string;
  /** Rate of the running interval if premiums stay as they were so far. */
  readonly predictedFundingRate: string;
  /** Sum of all long positions. */
  readonly openInterest: string;
  /** Every parameter as the protocol writes it (docs/reference/parameters.md). */
  readonly parameters: ParameterTexts;
}

/**
 * A market by its name.
 *
 * @returns undefined where no market has the name
 */
export function getMarket(state: State, market: string): MarketView | undefined {
  const row = state.marketRows.get(market);
  return row === undefined ? undefined : readMarketView(state, row);
}

/** All markets, in the order of their creation. */
export function listMarkets(state: State): MarketView[] {
  return state.marketNames.map((_, row) => readMarketView(state, row as MarketRow));
}

function readMarketView(state: State, market: MarketRow): MarketView {
  const { markets } = state;
  const rules = state.parameters[market];
  const { bestBid, bestAsk } = state.books[market];
  const price = (value: number) => (value === 0 ? null : formatPrice(value));
  const ticks = (value: number) => (value === 0 ? null : formatTicks(rules, value));
  return {
    market: state.marketNames[market]!,
    status: MARKET_STATUSES[rules.status]!,
    tickSize: formatPrice(rules.tickSize),
    lotSize: formatLots(rules, 1),
    leverageMax: rules.leverageMax,
    validity: VALIDITIES[markets.validity[market]]!,
    oracle: price(markets.oracle[market]),
    index: price(markets.index[market]),
    mark: price(markets.mark[market]),
    last: ticks(markets.last[market]),
    bestBid: ticks(bestBid),
    bestAsk: ticks(bestAsk),
    fundingRate: formatRate(markets.fundingRate[market]),
    predictedFundingRate: formatRate(getPredictedRate(state, market)),
    openInterest: formatLots(rules, markets.openInterest[market]),
    parameters: readDefinition(rules.definition),
  };
}
