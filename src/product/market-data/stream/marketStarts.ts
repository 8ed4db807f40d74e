import { DRIVERS, type Driver, type EventChunk, EventKind, type MarketStart } from "../types.ts";

/** Places of a market in the table: one for each number of an event kind. */
const KINDS = 9;

/** Finds the first event of each kind that can drive a market, chunk by chunk. */
export class MarketStarts {
  /** By market and kind: whether its first event has come. */
  readonly #isFound: Uint8Array;
  readonly #starts = new Map<number, MarketStart>();

  constructor(markets: number) {
    this.#isFound = new Uint8Array(markets * KINDS);
  }

  /** @param chunk the next one of the stream */
  add(chunk: EventChunk): void {
    const { count, market, kind } = chunk;
    const isFound = this.#isFound;
    for (let row = 0; row < count; row++) {
      const place = market[row]! * KINDS + kind[row]!;
      if (isFound[place] === 1) continue;
      isFound[place] = 1;
      const driver = DRIVERS.find((name) => EventKind[name] === kind[row]);
      if (driver !== undefined) this.#starts.set(place, readStart(driver, chunk, row));
    }
  }

  /** The start of a market; undefined if none of its events drives it. */
  get(market: number): MarketStart | undefined {
    for (const driver of DRIVERS) {
      const start = this.#starts.get(market * KINDS + EventKind[driver]);
      if (start !== undefined) return start;
    }
    return undefined;
  }
}

const PRICES: ReadonlySet<Driver> = new Set(["mark", "index"]);

/** A quote may have no bid; its ask is in the row after it. */
function readPrice(driver: Driver, { count, price }: EventChunk, row: number): number {
  return driver === "quote" && price[row] === 0 && row + 1 < count ? price[row + 1]! : price[row]!;
}

/** What the first row of a driver shows. */
export function readStart(driver: Driver, chunk: EventChunk, row: number): MarketStart {
  const atMs = chunk.timeMs[row]!;
  const intervalMs = chunk.intervalMs[row]!;
  // A reference price may have a length and no path.
  const isPath = driver === "bar" || (PRICES.has(driver) && intervalMs > 0 && chunk.open[row]! > 0);
  if (!isPath) return { driver, intervalMs: 0, firstPrice: readPrice(driver, chunk, row), fromMs: atMs };
  return { driver, intervalMs, firstPrice: chunk.open[row]!, fromMs: atMs - intervalMs + 1 };
}
