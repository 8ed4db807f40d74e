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

/** How recorded data stands in the venue: as in a backtest with the same options. */
export interface RecordingOptions extends ReplayOptions, Omit<MarketOverrides, "firstPrice" | "exposure"> {}

/** Recorded data that can stand in a venue: what is known of it before its first block. */
export interface Recording {
  readonly source: EventSource;
  /** The part of it in which markets can be traded, or have prices. */
  readonly stream: TradableStream;
  readonly settings: ReplaySettings;
  /** By market, in the order of the data's manifest. */
  readonly surveys: readonly MarketSurvey[];
  /** The markets as the data calls for them: those of a backtest. */
  readonly definitions: readonly MarketDefinition[];
  /** Time of its first block. */
  readonly fromMs: number;
}

/** The venue begins so long before the first block, for what has to be there when it comes. */
const LEAD_MS = 1_000;

/**
 * Looks at the beginning of data, as far as it takes to see every market once.
 *
 * @throws {ReplayError} what cannot be replayed as it was asked for
 * @throws {DataError} what is wrong with the data
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
 * A genesis that begins right before the recording, with the house that history trades through, and with its markets
 * before those of development. What is given wins.
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

/** Prices that markets begin with, in USD: those of development, but for the markets whose prices are recorded. */
export function pricesOfOthers({ definitions }: Recording): Record<string, string> {
  return Object.fromEntries(
    Object.entries(DEVNET_PRICES).filter(([name]) => !definitions.some((market) => market.name === name)),
  );
}

/** Reference prices have no step of their own: a hundred-thousandth of the first, down to a power of ten; a whole base. */
function withSteps(market: MarketSummary, firstPrice: number): MarketSummary {
  return {
    ...market,
    priceStep: market.priceStep || 10 ** Math.max(0, Math.floor(Math.log10(firstPrice)) - 5),
    sizeStep: market.sizeStep || 10 ** SIZE_DECIMALS,
  };
}
