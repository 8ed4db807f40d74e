import { formatDecimal } from "../../ground/math/decimal.ts";
import type { IntrabarOrder } from "../market-data/stream/barPath.ts";
import { isHighFirst, POINTS, timeOfPoint, valueOfPoint } from "../market-data/stream/barPath.ts";
import type { Driver, EventChunk } from "../market-data/types.ts";
import { ReplayError } from "./errors.ts";
import type { MarketFlow } from "./marketFlow.ts";
import type { MarketSurvey } from "./surveyMarkets.ts";
import type { WholeBar } from "./wholeBar.ts";

/** A row of a chunk. */
export interface Place {
  readonly chunk: EventChunk;
  readonly row: number;
}

/**
 * Walks one market along its bars, point by point. Bars are read at their close and walked from their open. If only
 * mark or index of a market is recorded, those bars are walked, and no trade happens.
 */
export class BarWalk {
  readonly #flow: MarketFlow;
  readonly #driver: Driver;
  readonly #intervalMs: number;
  readonly #intrabar: IntrabarOrder;
  /** Bars taken in and not yet walked to their end, each with the mark and index bars of the same time. */
  readonly #bars: { readonly bar: Place; readonly mark: Place | undefined; readonly index: Place | undefined }[] = [];
  #head = 0;
  /** Next point of the first of them. */
  #point = 0;
  #mark: Place | undefined;
  #index: Place | undefined;
  /** Time of that point; Infinity where no further bar is known. */
  #nextMs = Number.POSITIVE_INFINITY;
  /** The instant after the last walked bar, at which the next one begins or depth is taken back; Infinity if neither. */
  #afterMs = Number.POSITIVE_INFINITY;

  constructor(
    flow: MarketFlow,
    { driver, intervalMs }: Pick<MarketSurvey, "driver" | "intervalMs">,
    intrabar: IntrabarOrder,
  ) {
    this.#flow = flow;
    this.#driver = driver;
    this.#intervalMs = intervalMs;
    this.#intrabar = intrabar;
  }

  addMark(chunk: EventChunk, row: number): void {
    this.#mark = { chunk, row };
    if (this.#driver === "mark") this.#add(chunk, row);
  }

  addIndex(chunk: EventChunk, row: number): void {
    this.#index = { chunk, row };
    if (this.#driver === "index") this.#add(chunk, row);
  }

  addBar(chunk: EventChunk, row: number): void {
    this.#add(chunk, row);
  }

  #add(chunk: EventChunk, row: number): void {
    const intervalMs = chunk.intervalMs[row]!;
    if (intervalMs !== this.#intervalMs) {
      throw new ReplayError(
        "DATA_UNUSABLE",
        `market ${this.#flow.name} has bars of ${this.#intervalMs} ms and of ${intervalMs} ms`,
        { place: this.#flow.name, hint: "give each market bars of one length" },
      );
    }
    const bar = { chunk, row };
    this.#bars.push({ bar, mark: this.#pair(this.#mark, bar), index: this.#pair(this.#index, bar) });
    if (this.#nextMs === Number.POSITIVE_INFINITY) this.#findNext();
  }

  #findNext(): void {
    const next = this.#bars[this.#head];
    this.#nextMs =
      next === undefined
        ? Number.POSITIVE_INFINITY
        : timeOfPoint(next.bar.chunk.timeMs[next.bar.row]!, this.#intervalMs, this.#point);
  }

  /** A reference bar belongs to a bar if it covers the same time. */
  #pair(reference: Place | undefined, bar: Place): Place | undefined {
    if (reference === undefined) return undefined;
    const sameTime = reference.chunk.timeMs[reference.row] === bar.chunk.timeMs[bar.row];
    return sameTime && reference.chunk.intervalMs[reference.row] === this.#intervalMs ? reference : undefined;
  }

  /** Time of the next point; Infinity where no further bar is known. */
  nextMs(): number {
    return this.#nextMs;
  }

  /** When depth is to be taken back because no bar follows; Infinity where one does or there is none. */
  gapMs(): number {
    return this.#nextMs <= this.#afterMs ? Number.POSITIVE_INFINITY : this.#afterMs;
  }

  /**
   * Reads the next bar as a whole.
   *
   * @returns its row; undefined where its walk has begun, something else comes first, or other prices move along with it
   */
  peek(whole: WholeBar): Place | undefined {
    const next = this.#bars[this.#head];
    if (next === undefined || this.#point !== 0 || this.#driver !== "bar") return undefined;
    if (next.mark !== undefined || next.index !== undefined || this.gapMs() !== Number.POSITIVE_INFINITY)
      return undefined;
    const { chunk, row } = next.bar;
    const open = chunk.open[row]!;
    const high = chunk.high[row]!;
    const low = chunk.low[row]!;
    const close = chunk.price[row]!;
    if (open <= 0 || low <= 0) return undefined;
    const highFirst = isHighFirst(this.#intrabar, open, high, low, close);
    const closeMs = chunk.timeMs[row]!;
    for (let point = 0; point < POINTS; point++) {
      whole.times[point] = timeOfPoint(closeMs, this.#intervalMs, point);
      whole.marks[point] = valueOfPoint(point, highFirst, open, high, low, close);
    }
    whole.volume = chunk.size[row]!;
    return next.bar;
  }

  /** Walks along the first points of the bar that `peek` has read, whose prices the flow gets from the caller. */
  pass(points: number, lastMs: number): void {
    this.#afterMs = Number.POSITIVE_INFINITY;
    this.#point = points - 1;
    this.#advance(lastMs);
  }

  /** Does what falls on an instant. */
  moveTo(timeMs: number): void {
    if (this.gapMs() === timeMs) {
      this.#flow.withdraw();
      this.#afterMs = Number.POSITIVE_INFINITY;
    }
    if (this.#nextMs !== timeMs) return;
    const { bar, mark, index } = this.#bars[this.#head]!;
    const { chunk, row } = bar;
    const open = chunk.open[row]!;
    const high = chunk.high[row]!;
    const low = chunk.low[row]!;
    const close = chunk.price[row]!;
    if (open <= 0 || low <= 0) throw this.#unusable(timeMs, Math.min(open, low));
    const highFirst = isHighFirst(this.#intrabar, open, high, low, close);
    if (mark !== undefined) this.#flow.setMark(referenceAt(mark, this.#point, highFirst), timeMs);
    if (index !== undefined) this.#flow.setIndex(referenceAt(index, this.#point, highFirst), timeMs);
    if (this.#driver === "bar") {
      this.#flow.moveTo(valueOfPoint(this.#point, highFirst, open, high, low, close), chunk.size[row]!);
    }
    this.#afterMs = Number.POSITIVE_INFINITY;
    this.#advance(timeMs);
  }

  #advance(timeMs: number): void {
    if (++this.#point < POINTS) {
      this.#findNext();
      return;
    }
    this.#point = 0;
    // Without trades there is no depth to take back.
    if (this.#driver === "bar") this.#afterMs = timeMs + 1;
    this.#head++;
    this.#findNext();
    // Walked bars are let go in bulk.
    if (this.#head < 4_096) return;
    this.#bars.splice(0, this.#head);
    this.#head = 0;
  }

  #unusable(timeMs: number, price: number): ReplayError {
    return new ReplayError(
      "DATA_UNUSABLE",
      `market ${this.#flow.name} has the price ${formatDecimal(price, 8)} at ${new Date(timeMs).toISOString()}`,
      { place: this.#flow.name, hint: "prices must be positive" },
    );
  }
}

/** A mark or index bar moves with the bar: its own open, extremes and close at the same points. */
function referenceAt({ chunk, row }: Place, point: number, highFirst: boolean): number {
  const close = chunk.price[row]!;
  // Without extremes it is a sample with a length.
  if (chunk.high[row] === 0) return close;
  return valueOfPoint(point, highFirst, chunk.open[row]!, chunk.high[row]!, chunk.low[row]!, close);
}
