import { usesBars } from "../../client/strategy/strategy.ts";
import { defineMarket, type MarketDefinition } from "../replay/marketDefinition.ts";
import type { MarketSurvey } from "../replay/surveyMarkets.ts";
import { BacktestError } from "./errors.ts";
import type { BacktestOptions, PortfolioOptions, Settings } from "./options.ts";

/** What the bars of a run depend on. */
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
  { data, tick, lot, parameters }: BacktestOptions | PortfolioOptions,
  { fees, strategies }: Settings,
  surveys: readonly MarketSurvey[],
): MarketDefinition[] {
  const { markets } = data.manifest;
  return markets.map((market, place) => {
    const { firstPrice } = surveys[place]!;
    const exposure = Math.max(...strategies.map(({ deposit, leverage }) => deposit * leverage));
    const definition = defineMarket(market, { tick, lot, fees, parameters, firstPrice, exposure });
    const above = strategies.find(({ leverage }) => leverage > definition.leverageMax);
    if (above === undefined) return definition;
    const { name, leverage } = above;
    throw new BacktestError("OPTION_INVALID", `leverage ${leverage} is above what ${market.name} allows`, {
      place: strategies.length === 1 ? "leverage" : `${name}.leverage`,
      hint: `at most ${definition.leverageMax}; a smaller initial rate in tier1 allows more. For 100x: --set "tier1=0 0.01 0.005" insuranceSlippage=0.002`,
    });
  });
}

/** By market: whether it has trades and no recorded bars, so that bars are made of its trades. */
export function listTradeBarred({ options, settings, surveys }: RunMarkets): boolean[] {
  const { markets } = options.data.manifest;
  const barred = surveys.map(({ driver }, place) => driver === "trade" && markets[place]!.events.bar === 0);
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
