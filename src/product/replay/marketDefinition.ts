import { formatDecimal, scanDecimal } from "../../ground/math/decimal.ts";
import { LIMIT, PRICE_DECIMALS, SIZE_DECIMALS } from "../../ground/math/fixed.ts";
import { isParameterFault } from "../../protocol/parameterFault.ts";
import type { ParameterTexts } from "../../protocol/parameters.ts";
import { readMarketParameters } from "../../protocol/readParameters.ts";
import { FUNDING_METHOD, MARK_METHOD } from "../../protocol/words.ts";
import { chooseLot, chooseTick, computePositionLimit } from "../market-data/marketSteps.ts";
import type { MarketSummary } from "../market-data/types.ts";
import { ReplayError } from "./errors.ts";
import type { FlowMarket } from "./marketFlow.ts";
import type { Fees } from "./settings.ts";

/** A market of the venue as the data calls for it. */
export interface MarketDefinition extends FlowMarket {
  readonly preset: "replay";
  readonly parameters: ParameterTexts;
  /** Greatest whole leverage. */
  readonly leverageMax: number;
}

export interface MarketOverrides {
  readonly tick?: string | undefined;
  readonly lot?: string | undefined;
  readonly fees?: Fees | undefined;
  readonly parameters?: ParameterTexts | undefined;
  /** First price of the data, 1e-8 USD; 0 where there is none. */
  readonly firstPrice: number;
  /** Expected exposure of one account, deposit times leverage, in quote units. Default: none. */
  readonly exposure?: number;
}

/** Greatest size that a field of the protocol holds, in base units. */
const SIZE_MOST = formatDecimal(LIMIT, SIZE_DECIMALS);

/** The room for positions is not less than so many times what the deposit carries. */
const POSITION_FACTOR = 20;

/**
 * Tick and lot of a market: those given, else the greatest steps that every price and size of the data is a multiple
 * of, or, where those are coarser than a thousandth of the price and 100 USD (few rows, round volumes), the greatest
 * power of ten that divides them and is not. If a tick times a lot is no whole number of quote units, the lot is made
 * coarser until it is. Sizes are then rounded down to lots.
 *
 * The venue keeps a largest position times a highest price storable, so that every margin is exact. A position limit of
 * twenty times what deposit and leverage carry at the first price leaves the price the rest of the room.
 *
 * @throws {ReplayError} MARKET_IMPOSSIBLE
 */
export function defineMarket(summary: MarketSummary, overrides: MarketOverrides): MarketDefinition {
  const { name } = summary;
  const { firstPrice, exposure = 0, tick, lot: given, parameters: own = {} } = overrides;
  // History is placed on the same steps as the market has, whichever way they are given.
  const tickSize = readStep("tick", own.tickSize ?? tick, PRICE_DECIMALS) ?? chooseTick(summary.priceStep, firstPrice);
  if (tickSize <= 0) throw impossible(name, "the data has no price to choose a tick from", "give one with --tick");
  const lotSize =
    readStep("lot", own.lotSize ?? given, SIZE_DECIMALS) ?? chooseLot(summary.sizeStep, tickSize, firstPrice);
  const lot = formatDecimal(lotSize, SIZE_DECIMALS);
  const limit = formatDecimal(computePositionLimit(lotSize, firstPrice, exposure * POSITION_FACTOR), SIZE_DECIMALS);
  const parameters: ParameterTexts = {
    tickSize: formatDecimal(tickSize, PRICE_DECIMALS),
    lotSize: lot,
    minSize: lot,
    maxSize: limit,
    positionLimit: limit,
    openInterestLimit: SIZE_MOST,
    ...(overrides.fees === undefined ? {} : { makerFee: overrides.fees.maker, takerFee: overrides.fees.taker }),
    ...own,
  };
  const found = readMarketParameters("replay", parameters);
  if (isParameterFault(found)) {
    throw impossible(name, `parameter ${found.parameter}: ${found.reason}`, "change it with --set, --tick or --lot");
  }
  return {
    name,
    preset: "replay",
    parameters,
    tickSize,
    lotSize,
    priceMost: found.priceMost,
    leverageMax: found.leverageMax,
    takesMark: found.markMethod === MARK_METHOD.reported || found.markMethod === MARK_METHOD.median,
    takesRate: found.fundingMethod === FUNDING_METHOD.reported,
  };
}

function readStep(option: string, text: string | undefined, decimals: number): number | undefined {
  if (text === undefined) return undefined;
  const step = scanDecimal(text, decimals);
  if (typeof step === "number" && step > 0) return step;
  throw new ReplayError("OPTION_INVALID", `${option} ${JSON.stringify(text)} is not a positive decimal`, {
    place: option,
    hint: `at most ${decimals} decimals, such as 0.01`,
  });
}

function impossible(market: string, reason: string, hint: string): ReplayError {
  return new ReplayError("MARKET_IMPOSSIBLE", `market ${market}: ${reason}`, { place: market, hint });
}
