import { readStart } from "../market-data/stream/marketStarts.ts";
import {
  DRIVERS,
  type Driver,
  type EventChunk,
  EventKind,
  type MarketStart,
  type MarketSummary,
  type TapeManifest,
} from "../market-data/types.ts";
import { ReplayError } from "./errors.ts";

/** Facts about a market that are needed before its first block. */
export type MarketSurvey = MarketStart;

export interface SurveyOptions {
  /** A market may have reference prices alone. Default: it needs trades or bars. */
  readonly allowPricesAlone?: boolean;
  /** Recorded order books and best prices are replayed. Default: a market that has some is refused. */
  readonly allowBooks?: boolean;
}

/**
 * The manifest's facts about every market's start, where the whole stream is replayed.
 *
 * @returns undefined in tapes of version 1: `surveyMarkets` reads them
 * @throws {ReplayError} DATA_UNUSABLE as `surveyMarkets`
 */
export function readSurveys(
  { markets }: TapeManifest,
  options: SurveyOptions = {},
): readonly MarketSurvey[] | undefined {
  requireMarket(markets);
  const starts = markets.flatMap((market) => {
    const driver = driverOf(market, options);
    // A tape may have been written before books could drive a market.
    return market.start?.driver === driver ? [market.start] : [];
  });
  return starts.length === markets.length ? starts : undefined;
}

/**
 * Reads the beginning of a stream, until every market has appeared once.
 *
 * @throws {ReplayError} DATA_UNUSABLE where there is no market, or one has no data that could drive it
 */
export async function surveyMarkets(
  { markets }: TapeManifest,
  chunks: AsyncIterable<EventChunk>,
  options: SurveyOptions = {},
): Promise<readonly MarketSurvey[]> {
  requireMarket(markets);
  const surveys = markets.map((market): MarketSurvey => {
    const driver = driverOf(market, options);
    return { driver, intervalMs: 0, firstPrice: 0, fromMs: Number.POSITIVE_INFINITY };
  });
  const missing = new Set(surveys.keys());
  for await (const chunk of chunks) {
    for (let row = 0; row < chunk.count && missing.size > 0; row++) {
      const market = chunk.market[row]!;
      const { driver } = surveys[market]!;
      if (!missing.has(market) || chunk.kind[row] !== EventKind[driver]) continue;
      missing.delete(market);
      surveys[market] = readStart(driver, chunk, row);
    }
    if (missing.size === 0) break;
  }
  return surveys;
}

/** Whether a book, trades or bars move a market, and not reference prices alone. */
export function isTraded({ driver }: Pick<MarketSurvey, "driver">): boolean {
  return driver !== "mark" && driver !== "index";
}

function requireMarket(markets: readonly MarketSummary[]): void {
  if (markets.length > 0) return;
  throw new ReplayError("DATA_UNUSABLE", "the data has no market", { place: "data", hint: "is the file empty?" });
}

function driverOf(
  { name, events }: MarketSummary,
  { allowPricesAlone = false, allowBooks = false }: SurveyOptions,
): Driver {
  const driver = DRIVERS.find((kind) => events[kind] > 0);
  if (!allowBooks && (driver === "depth" || driver === "quote")) {
    throw new ReplayError("DATA_UNUSABLE", `market ${name} has a recorded order book, which is not replayed`, {
      place: name,
      hint: "leave the files of the book out: the depth is then made from trades or bars",
    });
  }
  if (driver !== undefined && (isTraded({ driver }) || allowPricesAlone)) return driver;
  const lacking = allowPricesAlone ? "no price" : "neither trades nor bars";
  throw new ReplayError("DATA_UNUSABLE", `market ${name} has ${lacking}`, {
    place: name,
    hint: `add its trades or bars, named for the same market: ${name}=FILE; a file that belongs to another market is named for that one`,
  });
}
