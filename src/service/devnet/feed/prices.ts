import { isHighFirst, POINTS, timeOfPoint, valueOfPoint } from "../../../market-data/stream/barPath.ts";
import type { EventChunk } from "../../../market-data/types.ts";
import type { Recording } from "./recording.ts";

/** Prices of one instant. */
export interface PriceStep {
  readonly timeMs: number;
  readonly prices: readonly { readonly market: string /** 1e-8 USD. */; readonly price: number }[];
}

/** Samples of a market within so long are one price: the last of them, at the end of it. */
const SAMPLE_MS = 1_000;

/** True of a row that says how the price moved in an interval. */
export function isPath({ intervalMs, open }: EventChunk, row: number): boolean {
  return intervalMs[row]! > 0 && open[row]! > 0;
}

/** When a trade, or a price of one moment, is reported. */
export function timeOfSample(timeMs: number): number {
  return Math.ceil(timeMs / SAMPLE_MS) * SAMPLE_MS;
}

/**
 * The prices of a recording in the order in which they were there: bars as the four points of their path, trades and
 * samples as the last of each second. A bar's path begins before its row stands in the stream, so the stream is read ahead
 * by the longest bar; memory does not grow with it.
 *
 * @param afterMs what is not after this is left out
 */
export async function* readPrices({ source, markets }: Recording, afterMs: number): AsyncGenerator<PriceStep> {
  const tracks = markets.map(({ name, kind }) => new Track(name, kind));
  const longestMs = Math.max(0, ...markets.map(({ intervalMs }) => intervalMs));
  for await (const chunk of source.chunks()) {
    if (chunk.count === 0) continue;
    for (let row = 0; row < chunk.count; row++) tracks[chunk.market[row]!]!.add(chunk, row);
    yield* takeBefore(tracks, chunk.timeMs[chunk.count - 1]! - longestMs, afterMs);
  }
  yield* takeBefore(tracks, Number.POSITIVE_INFINITY, afterMs);
}

function* takeBefore(tracks: readonly Track[], endMs: number, afterMs: number): Generator<PriceStep> {
  for (;;) {
    const timeMs = Math.min(...tracks.map((track) => track.nextMs));
    if (timeMs >= endMs) break;
    const prices = tracks
      .filter((track) => track.nextMs === timeMs)
      .map((track) => ({ market: track.name, price: track.take() }));
    if (timeMs > afterMs) yield { timeMs, prices };
  }
  for (const track of tracks) track.compact();
}

/** Prices of one market that are still to come. */
class Track {
  readonly name: string;
  readonly #kind: number;
  #times: number[] = [];
  #prices: number[] = [];
  #next = 0;

  constructor(name: string, kind: number) {
    this.name = name;
    this.#kind = kind;
  }

  /** Infinity where none is known. */
  get nextMs(): number {
    return this.#times[this.#next] ?? Number.POSITIVE_INFINITY;
  }

  take(): number {
    return this.#prices[this.#next++]!;
  }

  compact(): void {
    this.#times = this.#times.slice(this.#next);
    this.#prices = this.#prices.slice(this.#next);
    this.#next = 0;
  }

  add(chunk: EventChunk, row: number): void {
    if (chunk.kind[row] !== this.#kind) return;
    const timeMs = chunk.timeMs[row]!;
    const close = chunk.price[row]!;
    if (!isPath(chunk, row)) {
      this.#push(timeOfSample(timeMs), close);
      return;
    }
    const [open, high, low, intervalMs] = [
      chunk.open[row]!,
      chunk.high[row]!,
      chunk.low[row]!,
      chunk.intervalMs[row]!,
    ] as const;
    const highFirst = isHighFirst("nearest", open, high, low, close);
    for (let point = 0; point < POINTS; point++) {
      this.#push(timeOfPoint(timeMs, intervalMs, point), valueOfPoint(point, highFirst, open, high, low, close));
    }
  }

  #push(timeMs: number, price: number): void {
    const last = this.#times.length - 1;
    if (last >= this.#next && this.#times[last]! >= timeMs) {
      this.#prices[last] = price;
      return;
    }
    this.#times.push(timeMs);
    this.#prices.push(price);
  }
}
