import { toNearest } from "../../market-data/scan/exactDecimal.ts";
import { EventKind } from "../../market-data/types.ts";
import { RandomPath } from "./randomPath.ts";
import { type FutureSeries, mirrorValue, replaceValue, toParts } from "./seriesFuture.ts";

/**
 * - `mirrored`: what rose falls, and what fell rises, about the last price before the cut
 * - `otherPath`: prices continue from there on a seeded random path that has nothing to do with the data
 */
export type FutureKind = "mirrored" | "otherPath";

/** Other data after a moment. It is plain data, so that a thread can be sent it. */
export interface Future {
  readonly kind: FutureKind;
  readonly seed: number;
  /** What was known at this time stays; -Infinity changes everything. */
  readonly cutMs: number;
  /** By market. */
  readonly markets: readonly FutureMarket[];
  /** By the ids of their events; absent without series. */
  readonly series?: readonly FutureSeries[];
}

export interface FutureMarket {
  readonly name: string;
  /** The last price at the cut, or the first price of the data where the cut is before it; 1e-8 USD. */
  readonly basePrice: number;
  /** Length of its bars, or of a step of a path where it has trades. */
  readonly stepMs: number;
  /** Steps of the data: changed prices and sizes stay on them. */
  readonly priceStep: number;
  readonly sizeStep: number;
}

/** An event of the data, in the units of `EventChunk`. */
export interface EventRow {
  kind: number;
  market: number;
  timeMs: number;
  intervalMs: number;
  price: number;
  size: number;
  open: number;
  high: number;
  low: number;
  rate: number;
  /** Of a value of a series: its series. */
  id: number;
}

/** A mirrored price is at most so many times the price at the cut, and at least one over it. */
const MIRROR_MOST = 4;
/** Greatest funding rate of another path, parts per billion. */
const RATE_MOST = 300_000;

const PURPOSE = { size: 1, rate: 2, up: 3, down: 4, series: 5 } as const;

/** Changes events after the cut of a future. */
export class FutureChanger {
  readonly #future: Future;
  readonly #paths: readonly RandomPath[];
  /** By market: where its path is at the cut. */
  readonly #levels: readonly number[];

  constructor(future: Future) {
    const { seed, markets, cutMs } = future;
    this.#future = future;
    this.#paths = markets.map(({ stepMs }, market) => new RandomPath(seed, market, stepMs));
    this.#levels = this.#paths.map((path) => (Number.isFinite(cutMs) ? path.at(cutMs) : 0));
  }

  /**
   * Changes an event in place as far as it was not known at the cut.
   *
   * A bar that is under way at the cut has shown its open, and after a third of its length one of its extremes. Its
   * volume stays, since the depth of its points is a share of it.
   *
   * @returns whether anything changed
   */
  change(row: EventRow): boolean {
    const { cutMs } = this.#future;
    if (row.timeMs <= cutMs) return false;
    if (row.kind === EventKind.series) return this.#changeValue(row);
    const isCandle = row.intervalMs > 0 && row.high > 0;
    if (isCandle && row.timeMs - row.intervalMs < cutMs) return this.#changeUnderWay(row);
    // A reference price that covers a time without a path of its own is shown from its beginning.
    const covers = row.intervalMs > 0 && (row.kind === EventKind.mark || row.kind === EventKind.index);
    if (covers && !isCandle && row.timeMs - row.intervalMs < cutMs) return false;
    if (row.kind === EventKind.funding) row.rate = this.#rateAt(row);
    else if (isCandle) this.#changeCandle(row);
    else row.price = this.#priceAt(row, row.price, row.timeMs);
    if (row.size > 0) row.size = this.#sizeAt(row);
    return true;
  }

  /** A value is unknown as a whole before it is known, whatever time it covers. */
  #changeValue(row: EventRow): boolean {
    const series = this.#future.series![row.id]!;
    const { price, size } = row;
    const noise = this.#paths[row.market]!.noise(row.timeMs, PURPOSE.series + row.id);
    const value =
      this.#future.kind === "mirrored"
        ? mirrorValue(series, toNearest({ whole: price, fraction: size }))
        : replaceValue(series, noise);
    const { whole, fraction } = toParts(value);
    row.price = whole;
    row.size = fraction;
    return whole !== price || fraction !== size;
  }

  #changeUnderWay(row: EventRow): boolean {
    const { open, high, low, price, timeMs, intervalMs } = row;
    const firstExtremeMs = timeMs - intervalMs + Math.floor(intervalMs / 3);
    if (this.#future.cutMs < firstExtremeMs) {
      if (2 * open - high <= 0) return false;
      row.high = 2 * open - low;
      row.low = 2 * open - high;
      row.price = 2 * open - price;
    } else {
      // The order of the extremes of such a bar depends on its close.
      if (high - open === open - low) return false;
      row.price = high + low - price;
    }
    return row.price !== price || row.high !== high || row.low !== low;
  }

  #changeCandle(row: EventRow): void {
    const { timeMs, intervalMs, open, high, low, price } = row;
    row.open = this.#priceAt(row, open, timeMs - intervalMs);
    row.price = this.#priceAt(row, price, timeMs);
    if (this.#future.kind === "mirrored") {
      row.high = this.#priceAt(row, low, timeMs);
      row.low = this.#priceAt(row, high, timeMs);
    } else {
      const path = this.#paths[row.market]!;
      const upper = 1 + 0.001 * Math.abs(path.noise(timeMs, PURPOSE.up));
      const lower = 1 - 0.001 * Math.abs(path.noise(timeMs, PURPOSE.down));
      row.high = this.#toStep(row, Math.max(row.open, row.price) * upper);
      row.low = this.#toStep(row, Math.min(row.open, row.price) * lower);
    }
    row.high = Math.max(row.high, row.open, row.price);
    row.low = Math.min(row.low, row.open, row.price);
  }

  #priceAt(row: EventRow, price: number, timeMs: number): number {
    const { basePrice } = this.#future.markets[row.market]!;
    if (this.#future.kind === "otherPath") {
      const level = this.#paths[row.market]!.at(timeMs) - this.#levels[row.market]!;
      return this.#toStep(row, basePrice * (1 + level));
    }
    const mirrored = basePrice * (basePrice / price);
    return this.#toStep(row, Math.min(Math.max(mirrored, basePrice / MIRROR_MOST), basePrice * MIRROR_MOST));
  }

  /** Trades and bars stay on the steps of the data; reference prices have none. */
  #toStep({ kind, market }: EventRow, price: number): number {
    const { priceStep } = this.#future.markets[market]!;
    const step = kind === EventKind.mark || kind === EventKind.index ? 1 : Math.max(1, priceStep);
    return Math.max(1, Math.round(price / step)) * step;
  }

  #sizeAt({ market, timeMs, size }: EventRow): number {
    const step = Math.max(1, this.#future.markets[market]!.sizeStep);
    const factor = 1 + 0.5 * this.#paths[market]!.noise(timeMs, PURPOSE.size);
    return Math.max(1, Math.round((size * factor) / step)) * step;
  }

  #rateAt({ market, timeMs, rate }: EventRow): number {
    const noise = Math.round(this.#paths[market]!.noise(timeMs, PURPOSE.rate) * RATE_MOST);
    return this.#future.kind === "mirrored" && rate !== 0 ? -rate : noise;
  }
}
