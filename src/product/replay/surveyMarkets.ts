import {
  type EventChunk,
  EventKind,
  type EventKindName,
  type MarketSummary,
  type TapeManifest,
} from "../market-data/types.ts";
import { ReplayError } from "./errors.ts";

/** Kinds of events that can drive a market. Of those that it has, the first does. */
const DRIVERS = ["trade", "bar", "mark", "index"] as const;
export type Driver = (typeof DRIVERS)[number];

/** What must be known of a market before its first block. */
export interface MarketSurvey {
  /** Trades, bars, or, where it has neither, reference prices: those move the market, and no order trades in it. */
  readonly driver: Driver;
  /** Length of the bars that drive it; 0 where trades or single prices do. */
  readonly intervalMs: number;
  /** First price of the driver, 1e-8 USD; 0 where the range has none. */
  readonly firstPrice: number;
  /** When that price is there; Infinity where the range has none. */
  readonly fromMs: number;
}

export interface SurveyOptions {
  /** A market may have reference prices alone. Default: it needs trades or bars. */
  readonly allowPricesAlone?: boolean;
}

/**
 * Reads the beginning of a stream, until every market has appeared once.
 *
 * @throws {ReplayError} DATA_UNUSABLE where there is no market, or one has nothing that could drive it
 */
export async function surveyMarkets(
  { markets }: TapeManifest,
  chunks: AsyncIterable<EventChunk>,
  { allowPricesAlone = false }: SurveyOptions = {},
): Promise<readonly MarketSurvey[]> {
  if (markets.length === 0) {
    throw new ReplayError("DATA_UNUSABLE", "the data has no market", { place: "data", hint: "is the file empty?" });
  }
  const surveys = markets.map((market): MarketSurvey => {
    const driver = driverOf(market, allowPricesAlone);
    return { driver, intervalMs: 0, firstPrice: 0, fromMs: Number.POSITIVE_INFINITY };
  });
  const missing = new Set(surveys.keys());
  for await (const chunk of chunks) {
    for (let row = 0; row < chunk.count && missing.size > 0; row++) {
      const market = chunk.market[row]!;
      const { driver } = surveys[market]!;
      if (!missing.has(market) || chunk.kind[row] !== EventKind[driver]) continue;
      missing.delete(market);
      surveys[market] = { driver, ...look(driver, chunk, row) };
    }
    if (missing.size === 0) break;
  }
  return surveys;
}

function driverOf({ name, events }: MarketSummary, allowPricesAlone: boolean): Driver {
  const driver = DRIVERS.find((kind: EventKindName) => events[kind] > 0);
  if (driver === "trade" || driver === "bar" || (driver !== undefined && allowPricesAlone)) return driver;
  const lacking = allowPricesAlone ? "no price" : "neither trades nor bars";
  throw new ReplayError("DATA_UNUSABLE", `market ${name} has ${lacking}`, {
    place: name,
    hint: "name its market as that of the trades or bars it belongs to, as in BTC-PERP=funding.csv",
  });
}

function look(driver: Driver, chunk: EventChunk, row: number): Omit<MarketSurvey, "driver"> {
  const atMs = chunk.timeMs[row]!;
  const intervalMs = chunk.intervalMs[row]!;
  // A reference price may have a length and no path.
  const isPath = driver === "bar" || (driver !== "trade" && intervalMs > 0 && chunk.open[row]! > 0);
  if (!isPath) return { intervalMs: 0, firstPrice: chunk.price[row]!, fromMs: atMs };
  return { intervalMs, firstPrice: chunk.open[row]!, fromMs: atMs - intervalMs + 1 };
}
