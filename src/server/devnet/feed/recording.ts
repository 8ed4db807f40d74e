import { SIZE_DECIMALS } from "../../../ground/math/fixed.ts";
import type { EventSource, MarketSummary } from "../../../product/market-data/types.ts";
import { alignTo, gridOf } from "../../../product/replay/history.ts";
import { HOUSE, HOUSE_ACCOUNT } from "../../../product/replay/house.ts";
import { defineMarket, type MarketDefinition, type MarketOverrides } from "../../../product/replay/marketDefinition.ts";
import { type ReplayOptions, type ReplaySettings, resolveReplay } from "../../../product/replay/settings.ts";
import type { MarketSurvey } from "../../../product/replay/surveyMarkets.ts";
import { openTradable, type TradableStream } from "../../../product/replay/tradable.ts";
import type { GenesisInit } from "../../../protocol/genesis.ts";
import { DEVNET_MARKETS, DEVNET_PRICES } from "../venue.ts";

/** Options of a recording: those of a backtest. */
export interface RecordingOptions extends ReplayOptions, Omit<MarketOverrides, "firstPrice" | "exposure"> {}

/** An opened recording: what is known of it before its first block. */
export interface Recording {
  readonly source: EventSource;
  /** The part in which markets are tradable, or have prices. */
  readonly stream: TradableStream;
  readonly settings: ReplaySettings;
  /** By market, in the order of the data's manifest. */
  readonly surveys: readonly MarketSurvey[];
  /** The markets that the data needs: those of a backtest. */
  readonly definitions: readonly MarketDefinition[];
  /** Time of its first block. */
  readonly fromMs: number;
}

/** Time from the venue's start to the first block, for its opening transactions. */
const LEAD_MS = 1_000;

/**
 * Reads the start of the data, until every market was seen once.
 *
 * @throws {ReplayError} the options do not allow a replay
 * @throws {DataError} the data is invalid
 */
export async function openRecording(source: EventSource, options: RecordingOptions = {}): Promise<Recording> {
  const settings = resolveReplay(options);
  const { manifest } = source;
  const stream = await openTradable(source, {}, { allowPricesAlone: true });
  const { surveys } = stream;
  const { tick, lot, fees, parameters } = options;
  const definitions = manifest.markets.map((market, place) => {
    const { firstPrice } = surveys[place]!;
    return defineMarket(withSteps(market, firstPrice), { tick, lot, fees, parameters, firstPrice });
  });
  const fromMs = alignTo(gridOf(settings, surveys), stream.fromMs);
  return { source, stream, settings, surveys, definitions, fromMs };
}

/**
 * A genesis that starts right before the recording, with the house account of history, and with its markets before
 * those of development. Given values override.
 */
export function genesisOfRecording({ definitions, fromMs }: Recording, given: GenesisInit = {}): GenesisInit {
  const present = given.markets ?? [];
  const lacking = definitions
    .filter(({ name }) => !present.some((market) => market.name === name))
    .map(({ name, preset, parameters }) => ({ name, preset, parameters }));
  const isRecorded = (name: string) => definitions.some((market) => market.name === name);
  const others = given.markets === undefined ? DEVNET_MARKETS.filter(({ name }) => !isRecorded(name)) : [];
  const accounts = given.accounts ?? [];
  const hasHouse = accounts.some(
    ({ address, subaccount }) => address === HOUSE.address && subaccount === HOUSE.subaccount,
  );
  return {
    timeMs: Math.max(0, fromMs - LEAD_MS),
    ...given,
    markets: [...present, ...lacking, ...others],
    accounts: hasHouse ? accounts : [...accounts, HOUSE_ACCOUNT],
  };
}

/** First prices of markets, in USD: those of development, without the markets with recorded prices. */
export function pricesOfOthers({ definitions }: Recording): Record<string, string> {
  return Object.fromEntries(
    Object.entries(DEVNET_PRICES).filter(([name]) => !definitions.some((market) => market.name === name)),
  );
}

/**
 * Reference prices define no step: a hundred-thousandth of the first price, down to a power of ten; a whole base unit
 * for sizes.
 */
function withSteps(market: MarketSummary, firstPrice: number): MarketSummary {
  return {
    ...market,
    priceStep: market.priceStep || 10 ** Math.max(0, Math.floor(Math.log10(firstPrice)) - 5),
    sizeStep: market.sizeStep || 10 ** SIZE_DECIMALS,
  };
}
