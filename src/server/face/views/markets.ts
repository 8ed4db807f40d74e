import type { Market, Prices } from "../../../client/api/schemas/markets.ts";
import { formatDecimal } from "../../../ground/math/decimal.ts";
import { PPM } from "../../../ground/math/fixed.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { readDefinition } from "../../../protocol/readParameters.ts";
import { VALIDITIES, VALIDITY } from "../../../protocol/validity.ts";
import {
  FUNDING_METHOD,
  FUNDING_METHODS,
  LIQUIDATION_POLICIES,
  MARK_METHODS,
  MARKET_STATUSES,
} from "../../../protocol/words.ts";
import { getPredictedRate } from "../../../venue/engine/funding/predictedRate.ts";
import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { formatAmount, formatLots, formatPrice, formatRate, formatShare } from "../../../venue/formulas/text.ts";
import { decimalsOfStep, positiveOrNull, priceOrNull, textOfSize, ticksOrNull } from "./text.ts";

/** Markets in the order of their creation. */
export function listMarketRows({ marketNames }: State): MarketRow[] {
  return marketNames.map((_, row) => row as MarketRow);
}

export function viewMarket(state: State, market: MarketRow): Market {
  const rules = state.parameters[market]!;
  const name = state.marketNames[market]!;
  return {
    market: name,
    base: name.split("-")[0]!,
    quote: "USD",
    status: MARKET_STATUSES[rules.status]!,
    paused: {
      trade: rules.pauseTrade === 1,
      liquidate: rules.pauseLiquidate === 1,
      fund: rules.pauseFund === 1,
      withdraw: rules.pauseWithdraw === 1,
    },
    tickSize: formatPrice(rules.tickSize),
    lotSize: textOfSize(rules.lotSize),
    minSize: formatLots(rules, rules.minLots),
    maxSize: formatLots(rules, rules.maxLots),
    minNotional: formatAmount(rules.minNotional),
    positionLimit: formatLots(rules, rules.positionLimitLots),
    openInterest: formatLots(rules, state.markets.openInterest[market]!),
    openInterestLimit: formatLots(rules, rules.openInterestLimitLots),
    openOrdersMost: rules.openOrdersMax,
    priceBand: formatShare(rules.priceBand),
    slippageMost: formatShare(rules.slippageMax),
    leverageMost: rules.leverageMax,
    ...viewTerms(rules),
    oracle: {
      sources: rules.sources.map(({ name: source, weight }) => ({ name: source, weight })),
      minSources: rules.minSources,
      staleMs: rules.oracleStale,
    },
    mark: {
      method: MARK_METHODS[rules.markMethod]!,
      clamp: formatShare(rules.markClamp),
      band: formatShare(rules.markBand),
    },
    priceDecimals: decimalsOfStep(rules.tickSize),
    sizeDecimals: decimalsOfStep(rules.lotSize),
    parameters: { ...readDefinition(rules.definition) },
  };
}

function viewTerms(rules: MarketParameters): Pick<Market, "fees" | "marginTiers" | "funding" | "liquidation"> {
  return {
    fees: {
      taker: formatShare(rules.takerFee),
      maker: formatShare(rules.makerFee),
      tiers: rules.feeTiers.map(({ from, takerFee, makerFee }) => ({
        volume: formatAmount(from),
        taker: formatShare(takerFee),
        maker: formatShare(makerFee),
      })),
    },
    marginTiers: rules.tiers.map(({ from, initialRate, maintenanceRate }) => ({
      from: formatAmount(from),
      initialRate: formatShare(initialRate),
      maintenanceRate: formatShare(maintenanceRate),
      leverageMost: formatDecimal(Math.floor((PPM * 100) / initialRate), 2),
    })),
    funding: {
      method: FUNDING_METHODS[rules.fundingMethod]!,
      intervalMs: rules.fundingInterval,
      interest: formatRate(rules.fundingInterest),
      cap: formatRate(rules.fundingCap),
      paymentMost: formatRate(rules.fundingPaymentMax),
    },
    liquidation: { policy: LIQUIDATION_POLICIES[rules.liquidationPolicy]!, fee: formatShare(rules.liquidationFee) },
  };
}

export function viewPrices(state: State, market: MarketRow): Prices {
  const { markets } = state;
  const rules = state.parameters[market]!;
  const { bestBid, bestAsk } = state.books[market]!;
  const validity = markets.validity[market]!;
  const priced = markets.index[market]! !== 0;
  return {
    market: state.marketNames[market]!,
    mark: { value: priceOrNull(markets.mark[market]!), usedForPnl: true },
    index: { value: priceOrNull(markets.index[market]!) },
    oracle: {
      value: priceOrNull(markets.oracle[market]!),
      confidence: markets.oracle[market]! === 0 ? null : formatPrice(markets.oracleConfidence[market]!),
      timeMs: markets.oracle[market]! === 0 ? null : markets.oracleTime[market]!,
      validity: VALIDITIES[validity]!,
      stale: validity === VALIDITY.stale,
      restarting: markets.restarting[market]! === 1,
    },
    reported: {
      value: priceOrNull(markets.reported[market]!),
      timeMs: positiveOrNull(markets.reportedTime[market]!),
    },
    last: ticksOrNull(rules, markets.last[market]!),
    bestBid: ticksOrNull(rules, bestBid),
    bestAsk: ticksOrNull(rules, bestAsk),
    mid:
      bestBid === 0 || bestAsk === 0
        ? null
        : formatPrice(((BigInt(bestBid) + BigInt(bestAsk)) * BigInt(rules.tickSize)) / 2n),
    bandLow: priced ? formatPrice(markets.bandLow[market]!) : null,
    // A market that replays history has no upper band.
    bandHigh: priced && Number.isSafeInteger(markets.bandHigh[market]!) ? formatPrice(markets.bandHigh[market]!) : null,
    fundingRate: formatRate(markets.fundingRate[market]!),
    predictedFundingRate: formatRate(getPredictedRate(state, market)),
    nextFundingMs: viewNextFunding(rules, state.timeMs),
    openInterest: formatLots(rules, markets.openInterest[market]!),
  };
}

/**
 * Intervals are multiples of the clock; recorded rates are irregular, and continuous funding is paid in every block.
 */
function viewNextFunding({ fundingMethod, fundingInterval }: MarketParameters, timeMs: number): number | null {
  if (fundingMethod === FUNDING_METHOD.reported || fundingMethod === FUNDING_METHOD.continuous) return null;
  return (Math.floor(timeMs / fundingInterval) + 1) * fundingInterval;
}
