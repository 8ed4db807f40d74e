import { usesBars } from "../../client/strategy/strategy.ts";
import { formatDecimal } from "../../ground/math/decimal.ts";
import { PRICE_DECIMALS } from "../../ground/math/fixed.ts";
import type { MarketSummary } from "../market-data/types.ts";
import { defineMarket, type MarketDefinition } from "../replay/marketDefinition.ts";
import { isTraded, type MarketSurvey } from "../replay/surveyMarkets.ts";
import { BacktestError } from "./errors.ts";
import type { BacktestOptions, PortfolioOptions, Settings } from "./options.ts";

/** Inputs from which the markets and bars of a run follow. */
export interface RunMarkets {
  readonly options: BacktestOptions | PortfolioOptions;
  readonly settings: Settings;
  readonly surveys: readonly MarketSurvey[];
}

/**
 * The markets of a run, as its data and its strategies call for them.
 *
 * @throws {BacktestError} OPTION_INVALID for a leverage that a market does not allow
 * @throws {ReplayError} MARKET_IMPOSSIBLE
 */
export function defineMarkets(
  { data, tick, lot, parameters, queue }: BacktestOptions | PortfolioOptions,
  { fees, strategies }: Settings,
  surveys: readonly MarketSurvey[],
): MarketDefinition[] {
  const { markets } = data.manifest;
  if (queue !== undefined && !surveys.some(hasBook)) {
    throw new BacktestError("OPTION_INVALID", "no market of this run has a recorded order book or quotes", {
      place: "queue",
      hint: "leave the option out",
    });
  }
  return markets.map((market, place) => {
    const { firstPrice } = surveys[place]!;
    const exposure = Math.max(...strategies.map(({ deposit, leverage }) => deposit * leverage));
    const definition = defineMarket(market, { tick, lot, fees, parameters, firstPrice, exposure });
    requireGrid(market, definition, surveys[place]!);
    const above = strategies.find(({ leverage }) => leverage > definition.leverageMax);
    if (above === undefined) return definition;
    const { name, leverage } = above;
    throw new BacktestError("OPTION_INVALID", `leverage ${leverage} is above what ${market.name} allows`, {
      place: strategies.length === 1 ? "leverage" : `${name}.leverage`,
      hint: `at most ${definition.leverageMax}; a smaller initial rate in tier1 allows more. For 100x: --set "tier1=0 0.01 0.005" insuranceSlippage=0.002`,
    });
  });
}

function hasBook({ driver }: Pick<MarketSurvey, "driver">): boolean {
  return driver === "depth" || driver === "quote";
}

/** Two levels of a recorded book must not fall on one tick. */
function requireGrid(
  { name, priceStep }: MarketSummary,
  { tickSize }: MarketDefinition,
  { driver }: MarketSurvey,
): void {
  if (!hasBook({ driver }) || priceStep % tickSize === 0) return;
  const step = formatDecimal(priceStep, PRICE_DECIMALS);
  throw new BacktestError("OPTION_INVALID", `prices of the order book of ${name} lie between two ticks`, {
    place: "tick",
    hint: `the step of its prices is ${step}; give a tick of which that is a multiple, or leave the option out`,
  });
}

/** By market: whether it has trades and no recorded bars, so that bars are made of its trades. */
export function listTradeBarred({ options, settings, surveys }: RunMarkets): boolean[] {
  const { markets } = options.data.manifest;
  const barred = surveys.map(({ driver }, place) => {
    const { trade, bar } = markets[place]!.events;
    return isTraded({ driver }) && trade > 0 && bar === 0;
  });
  const isUsed = settings.strategies.some(({ strategy }) => usesBars(strategy));
  if (options.barMs === undefined || (isUsed && barred.includes(true))) return barred;
  const who = settings.strategies.length === 1 ? "the strategy has" : "the strategies have";
  throw new BacktestError("OPTION_INVALID", "no bars are made of trades in this run", {
    place: "bars",
    hint: isUsed
      ? "every market has recorded bars; leave the option out"
      : `${who} no onBar and no onFrame; leave the option out`,
  });
}
