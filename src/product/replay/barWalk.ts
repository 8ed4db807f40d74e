import { formatDecimal } from "../../ground/math/decimal.ts";
import type { IntrabarOrder } from "../market-data/stream/barPath.ts";
import { isHighFirst, POINTS, timeOfPoint, valueOfPoint } from "../market-data/stream/barPath.ts";
import type { Driver, EventChunk } from "../market-data/types.ts";
import { type BarPath, PATH_POINTS } from "./barPath.ts";
import { BarQueue } from "./barQueue.ts";
import { ReplayError } from "./errors.ts";
import type { MarketFlow } from "./marketFlow.ts";
import type { MarketSurvey } from "./surveyMarkets.ts";

/** A row of a chunk. */
interface Place {
  readonly chunk: EventChunk;
  readonly row: number;
}

/** The mark and index bars of the same time. */
interface References {
  readonly mark: Place | undefined;
  readonly index: Place | undefined;
}

/** From this length on each point of a bar has a time of its own, ms. */
const APART_MS = 6;

/**
 * Walks one market along its bars, point by point. Bars are read at their close and walked from their open. If only
 * mark or index of a market is recorded, those bars are walked, and no trade happens.
 */
export class BarWalk {
  readonly #flow: MarketFlow;
  readonly #driver: Driver;
  readonly #intervalMs: number;
  readonly #intrabar: IntrabarOrder;
  /** Bars that are read and not yet walked to their end. */
  readonly #bars = new BarQueue<References>();
  /** Next point of the first of them. */
  #point = 0;
  #mark: Place | undefined;
  #index: Place | undefined;
  /** Time of that point; Infinity where no further bar is known. */
  #nextMs = Number.POSITIVE_INFINITY;
  /**
   * The instant after the last walked bar, at which the next one begins or depth is taken back; Infinity if neither.
   */
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
    this.#bars.push(chunk, row, this.#findReferences(chunk.timeMs[row]!));
    if (this.#nextMs === Number.POSITIVE_INFINITY) this.#findNext();
  }

  #findNext(): void {
    this.#nextMs =
      this.#bars.length === 0 ? Number.POSITIVE_INFINITY : timeOfPoint(this.#closeOf(0), this.#intervalMs, this.#point);
  }

  #closeOf(ahead: number): number {
    return this.#bars.chunkOf(ahead).timeMs[this.#bars.rowOf(ahead)]!;
  }

  #findReferences(closeMs: number): References | undefined {
    if (this.#mark === undefined && this.#index === undefined) return undefined;
    const mark = this.#pair(this.#mark, closeMs);
    const index = this.#pair(this.#index, closeMs);
    return mark === undefined && index === undefined ? undefined : { mark, index };
  }

  /** A reference bar belongs to a bar if it covers the same time. */
  #pair(reference: Place | undefined, closeMs: number): Place | undefined {
    if (reference === undefined) return undefined;
    const { chunk, row } = reference;
    return chunk.timeMs[row] === closeMs && chunk.intervalMs[row] === this.#intervalMs ? reference : undefined;
  }

  /** Time of the next point; Infinity where no further bar is known. */
  nextMs(): number {
    return this.#nextMs;
  }

  /** When depth is to be taken back because no bar follows; Infinity where one does or there is none. */
  gapMs(): number {
    return this.#nextMs <= this.#afterMs ? Number.POSITIVE_INFINITY : this.#afterMs;
  }

  /** Whether points may be passed in one step: bars alone move the market, and no depth is to be taken back first. */
  get isPlain(): boolean {
    return this.#driver === "bar" && this.#intervalMs >= APART_MS && this.gapMs() === Number.POSITIVE_INFINITY;
  }

  /** Whether a bar that is not walked to its end is at a row. @param ahead 0 for the next one */
  isAt(ahead: number, chunk: EventChunk, row: number): boolean {
    return ahead < this.#bars.length && this.#bars.rowOf(ahead) === row && this.#bars.chunkOf(ahead) === chunk;
  }

  /**
   * Appends points of a bar to a path: all that come before its end and before a row of the stream, without the close.
   *
   * @param ahead 0 for the next bar, whose walk may have begun
   * @returns whether the close comes next; not where other prices move along with the bar, or it does not follow the
   * one before
   */
  appendTo(path: BarPath, ahead: number, next: EventChunk, nextRow: number): boolean {
    const bars = this.#bars;
    if (ahead >= bars.length || bars.noteOf(ahead) !== undefined || path.count + POINTS > PATH_POINTS) return false;
    const chunk = bars.chunkOf(ahead);
    const row = bars.rowOf(ahead);
    const { open, high, low, price, size, timeMs } = chunk;
    const interval = this.#intervalMs;
    const untilMs = Math.min(path.untilMs, next.timeMs[nextRow]!);
    const closeMs = timeMs[row]!;
    if (path.count > 0 && closeMs - interval !== path.times[path.count - 1]) return false;
    if (open[row]! <= 0 || low[row]! <= 0) return false;
    const highFirst = isHighFirst(this.#intrabar, open[row]!, high[row]!, low[row]!, price[row]!);
    if (ahead > 0 && timeOfPoint(closeMs, interval, POINTS - 2) < untilMs) {
      // Mostly the whole bar, up to its close.
      const volume = size[row]!;
      appendPoint(path, timeOfPoint(closeMs, interval, 0), open[row]!, volume);
      appendPoint(path, timeOfPoint(closeMs, interval, 1), highFirst ? high[row]! : low[row]!, volume);
      appendPoint(path, timeOfPoint(closeMs, interval, 2), highFirst ? low[row]! : high[row]!, volume);
      return true;
    }
    for (let point = ahead === 0 ? this.#point : 0; point < POINTS - 1; point++) {
      const pointMs = timeOfPoint(closeMs, interval, point);
      if (pointMs >= untilMs) return false;
      const value = valueOfPoint(point, highFirst, open[row]!, high[row]!, low[row]!, price[row]!);
      appendPoint(path, pointMs, value, size[row]!);
    }
    return true;
  }

  /** Appends the close of a bar. */
  appendClose(path: BarPath, ahead: number): void {
    const { timeMs, price, size } = this.#bars.chunkOf(ahead);
    const row = this.#bars.rowOf(ahead);
    appendPoint(path, timeMs[row]!, price[row]!, size[row]!);
  }

  /**
   * Walks along points that are in a path, whose prices the flow gets from the caller.
   *
   * @returns how many bars end there
   */
  pass(points: number): number {
    this.#afterMs = Number.POSITIVE_INFINITY;
    const reached = this.#point + points;
    const bars = Math.floor(reached / POINTS);
    this.#point = reached % POINTS;
    if (bars > 0 && this.#point === 0) this.#afterMs = this.#closeOf(bars - 1) + 1;
    if (bars > 0) this.#bars.drop(bars);
    this.#findNext();
    return bars;
  }

  /** Applies everything that falls on an instant. */
  moveTo(timeMs: number): void {
    if (this.gapMs() === timeMs) {
      this.#flow.withdraw();
      this.#afterMs = Number.POSITIVE_INFINITY;
    }
    if (this.#nextMs !== timeMs) return;
    const chunk = this.#bars.chunkOf(0);
    const row = this.#bars.rowOf(0);
    const open = chunk.open[row]!;
    const high = chunk.high[row]!;
    const low = chunk.low[row]!;
    const close = chunk.price[row]!;
    if (open <= 0 || low <= 0) throw this.#unusable(timeMs, Math.min(open, low));
    const highFirst = isHighFirst(this.#intrabar, open, high, low, close);
    const references = this.#bars.noteOf(0);
    if (references !== undefined) this.#moveReferences(references, highFirst, timeMs);
    if (this.#driver === "bar") {
      this.#flow.moveTo(valueOfPoint(this.#point, highFirst, open, high, low, close), chunk.size[row]!);
    }
    this.#afterMs = Number.POSITIVE_INFINITY;
    this.#advance(timeMs);
  }

  #moveReferences({ mark, index }: References, highFirst: boolean, timeMs: number): void {
    if (mark !== undefined) this.#flow.prices.setMark(referenceAt(mark, this.#point, highFirst), timeMs);
    if (index !== undefined) this.#flow.prices.setIndex(referenceAt(index, this.#point, highFirst), timeMs);
  }

  #advance(timeMs: number): void {
    if (++this.#point < POINTS) {
      this.#findNext();
      return;
    }
    this.#point = 0;
    // Without trades there is no depth to take back.
    if (this.#driver === "bar") this.#afterMs = timeMs + 1;
    this.#bars.drop(1);
    this.#findNext();
  }

  #unusable(timeMs: number, price: number): ReplayError {
    return new ReplayError(
      "DATA_UNUSABLE",
      `market ${this.#flow.name} has the price ${formatDecimal(price, 8)} at ${new Date(timeMs).toISOString()}`,
      { place: this.#flow.name, hint: "prices must be positive" },
    );
  }
}

function appendPoint(path: BarPath, timeMs: number, price: number, volume: number): void {
  const at = path.count++;
  path.times[at] = timeMs;
  path.marks[at] = price;
  path.volumes[at] = volume;
}

/** A mark or index bar moves with the bar: its own open, extremes and close at the same points. */
function referenceAt({ chunk, row }: Place, point: number, highFirst: boolean): number {
  const close = chunk.price[row]!;
  // Without extremes it is a sample with a length.
  if (chunk.high[row] === 0) return close;
  return valueOfPoint(point, highFirst, chunk.open[row]!, chunk.high[row]!, chunk.low[row]!, close);
}
