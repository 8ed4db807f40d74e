import { DataError } from "../../../market-data/errors.ts";
import { chooseLot, chooseTick, computePositionLimit } from "../../../market-data/marketSteps.ts";
import {
  EventKind,
  type EventKindCode,
  type EventKindName,
  type EventSource,
  type MarketSummary,
} from "../../../market-data/types.ts";
import { formatDecimal } from "../../../math/decimal.ts";
import { LIMIT, PRICE_DECIMALS, SIZE_DECIMALS } from "../../../math/fixed.ts";
import type { Genesis, GenesisInit } from "../../../protocol/genesis.ts";
import type { ParameterTexts } from "../../../protocol/parameters.ts";
import { DEVNET_MARKETS, STANDING } from "../venue.ts";
import { isPath, timeOfSample } from "./prices.ts";

/** A market of recorded data, as far as a venue must know it before the first price. */
export interface RecordedMarket {
  readonly name: string;
  /** What its oracle reports. */
  readonly kind: EventKindCode;
  /** Length of its bars; 0 for samples. */
  readonly intervalMs: number;
  /** 1e-8 USD. */
  readonly firstPrice: number;
  /** Time of the first price. */
  readonly fromMs: number;
  readonly summary: MarketSummary;
}

/** Recorded data whose prices a venue can report. */
export interface Recording {
  readonly source: EventSource;
  /** In the order of the data's manifest. */
  readonly markets: readonly RecordedMarket[];
  readonly fromMs: number;
}

/** What an oracle would have seen comes first: the index; without one, what was traded; without that, the mark. */
const KINDS: readonly EventKindName[] = ["index", "trade", "bar", "mark"];

/** The venue begins so long before the first price, for what has to be there when it comes. */
const LEAD_MS = 1_000;

/**
 * Looks at the beginning of data, as far as it takes to see every market once.
 *
 * @throws {DataError} SOURCE_INVALID where a market has no price
 */
export async function openRecording(source: EventSource): Promise<Recording> {
  const { markets } = source.manifest;
  const kinds = markets.map(({ name, events }) => {
    const kind = KINDS.find((candidate) => events[candidate] > 0);
    if (kind !== undefined) return EventKind[kind];
    throw new DataError("SOURCE_INVALID", `market ${name} has no price`, {
      hint: "name its market as that of the prices it belongs to, as in BTC-PERP=funding.csv",
    });
  });
  const found: (RecordedMarket | undefined)[] = markets.map(() => undefined);
  let missing = found.length;
  for await (const chunk of source.chunks()) {
    for (let row = 0; row < chunk.count && missing > 0; row++) {
      const market = chunk.market[row]!;
      const kind = kinds[market]!;
      if (found[market] !== undefined || chunk.kind[row] !== kind) continue;
      const atMs = chunk.timeMs[row]!;
      const isBar = isPath(chunk, row);
      const intervalMs = isBar ? chunk.intervalMs[row]! : 0;
      const summary = markets[market]!;
      found[market] = {
        name: summary.name,
        kind,
        intervalMs,
        firstPrice: isBar ? chunk.open[row]! : chunk.price[row]!,
        fromMs: isBar ? atMs - intervalMs + 1 : timeOfSample(atMs),
        summary,
      };
      missing--;
    }
    if (missing === 0) break;
  }
  const recorded = found.filter((market) => market !== undefined);
  return { source, markets: recorded, fromMs: Math.min(...recorded.map(({ fromMs }) => fromMs)) };
}

/** Prices that the markets of a recording begin with, in USD. */
export function firstPricesOf({ markets }: Recording): Record<string, string> {
  return Object.fromEntries(
    markets.map(({ name, firstPrice }) => [name, formatDecimal(firstPrice, PRICE_DECIMALS)] as const),
  );
}

/** A genesis that begins right before the recording, with the markets of it that are not there. What is given wins. */
export function genesisOfRecording({ markets, fromMs }: Recording, given: GenesisInit = {}): GenesisInit {
  const present = given.markets ?? DEVNET_MARKETS;
  const lacking = markets.filter(({ name }) => !present.some((market) => market.name === name)).map(marketOf);
  return { timeMs: Math.max(0, fromMs - LEAD_MS), ...given, markets: [...present, ...lacking] };
}

/** With the steps that the data has, and room for positions at its first price. */
function marketOf({ name, firstPrice, summary }: RecordedMarket): Genesis["markets"][number] {
  // Reference prices have no step of their own: a hundred-thousandth of the price, down to a power of ten.
  const priceStep = summary.priceStep || 10 ** Math.max(0, Math.floor(Math.log10(firstPrice)) - 5);
  const sizeStep = summary.sizeStep || 10 ** SIZE_DECIMALS;
  const tickSize = chooseTick(priceStep, firstPrice);
  const lotSize = chooseLot(sizeStep, tickSize, firstPrice);
  const lot = formatDecimal(lotSize, SIZE_DECIMALS);
  const limit = formatDecimal(computePositionLimit(lotSize, firstPrice), SIZE_DECIMALS);
  const parameters: ParameterTexts = {
    ...STANDING,
    tickSize: formatDecimal(tickSize, PRICE_DECIMALS),
    lotSize: lot,
    minSize: lot,
    maxSize: limit,
    positionLimit: limit,
    openInterestLimit: formatDecimal(LIMIT, SIZE_DECIMALS),
  };
  return { name, preset: "linear", parameters };
}
