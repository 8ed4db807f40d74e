import { StrategyError } from "./errors.ts";
import type { Bar, FrameBar } from "./facts.ts";
import { isOnClock, parseSpan, type Span, startOfSpan } from "./spans.ts";

interface Frame {
  readonly name: string;
  readonly ms: number;
}

/** A bar of a frame that is not complete. */
interface OpenBar {
  readonly market: string;
  readonly frame: Frame;
  readonly openTimeMs: number;
  /** It began before the data did. */
  readonly isPartial: boolean;
  readonly open: number;
  high: number;
  low: number;
  close: number;
  /** 1e-8 base, so that the sum is exact. */
  volumeE8: number;
  bars: number;
}

/** The result of most bars: they complete none. */
const NONE: readonly FrameBar[] = [];

/**
 * Makes bars of higher time frames of the bars that a strategy gets, so that none is shown before it is complete. A bar
 * of a frame covers [open, close) in UTC. It is complete with the bar that ends it. If the market has no bar there, it
 * is complete with the first block at or after its close. A frame that began before the market's first bar is left out,
 * and so is one without a bar.
 */
export class Frames {
  readonly #frames: readonly Frame[];
  /** By market, in the order of the frames; undefined between two bars. */
  readonly #open = new Map<string, (OpenBar | undefined)[]>();
  #dueMs = Number.POSITIVE_INFINITY;

  /**
   * @throws {StrategyError} STRATEGY_INVALID for a span that is no part of a day and no week, or one that is named
   * twice
   */
  constructor(spans: readonly Span[]) {
    this.#frames = spans.map(frameOf).sort((a, b) => a.ms - b.ms);
    const twice = this.#frames.find(({ ms }, at) => ms === this.#frames[at - 1]?.ms);
    if (twice !== undefined) throw invalid(`frame ${twice.name} is named twice`, "leave one of them out");
  }

  /** When the first open bar ends; Infinity without one. */
  get dueMs(): number {
    return this.#dueMs;
  }

  /**
   * The first time after another at which a bar of any frame ends, whether one is open or not; Infinity without frames.
   */
  findEndAfter(timeMs: number): number {
    return Math.min(...this.#frames.map(({ ms }) => startOfSpan(timeMs, ms) + ms));
  }

  /**
   * Adds a bar of the market, and returns the bars that it completes, the shortest frame first.
   *
   * @throws {StrategyError} STRATEGY_INVALID for a bar that reaches into two bars of a frame
   */
  add(bar: Bar): readonly FrameBar[] {
    let open = this.#open.get(bar.market);
    const isFirst = open === undefined;
    if (open === undefined) {
      open = this.#frames.map(() => undefined);
      this.#open.set(bar.market, open);
    }
    let complete: FrameBar[] | undefined;
    for (const [at, frame] of this.#frames.entries()) {
      const openTimeMs = startOfSpan(bar.openTimeMs, frame.ms);
      const closeTimeMs = openTimeMs + frame.ms;
      if (bar.closeTimeMs > closeTimeMs) throw straddling(bar, frame);
      let own = open[at];
      if (own !== undefined && own.openTimeMs !== openTimeMs) {
        if (!own.isPartial) (complete ??= []).push(completeBar(own));
        own = undefined;
      }
      if (own === undefined) {
        const isPartial = isFirst && openTimeMs !== bar.openTimeMs;
        own = begin(bar, frame, openTimeMs, isPartial);
        open[at] = own;
      } else extend(own, bar);
      if (bar.closeTimeMs === closeTimeMs) {
        open[at] = undefined;
        if (!own.isPartial) (complete ??= []).push(completeBar(own));
      }
    }
    this.#findDue();
    return complete ?? NONE;
  }

  /** Returns the bars that end by a time. Call it once all bars up to that time are added. */
  advance(timeMs: number): readonly FrameBar[] {
    if (timeMs < this.#dueMs) return NONE;
    const ended: OpenBar[] = [];
    for (const open of this.#open.values()) {
      for (const [at, own] of open.entries()) {
        if (own === undefined || own.openTimeMs + own.frame.ms > timeMs) continue;
        open[at] = undefined;
        if (!own.isPartial) ended.push(own);
      }
    }
    this.#findDue();
    return ended.sort((a, b) => closeOf(a) - closeOf(b)).map(completeBar);
  }

  #findDue(): void {
    this.#dueMs = Number.POSITIVE_INFINITY;
    for (const open of this.#open.values()) {
      for (const own of open) if (own !== undefined) this.#dueMs = Math.min(this.#dueMs, closeOf(own));
    }
  }
}

function frameOf(span: Span): Frame {
  const ms = parseSpan(span);
  if (ms !== undefined && isOnClock(ms)) return { name: String(span), ms };
  throw invalid(
    `${JSON.stringify(span)} is no frame of bars`,
    'a frame is a whole part of a day, or a week: "15m", "4h"',
  );
}

function begin({ market, open, high, low, close, volume }: Bar, frame: Frame, at: number, isPartial: boolean): OpenBar {
  const volumeE8 = Math.round(volume * 1e8);
  return { market, frame, openTimeMs: at, isPartial, open, high, low, close, volumeE8, bars: 1 };
}

function extend(own: OpenBar, { high, low, close, volume }: Bar): void {
  own.high = Math.max(own.high, high);
  own.low = Math.min(own.low, low);
  own.close = close;
  own.volumeE8 += Math.round(volume * 1e8);
  own.bars++;
}

const closeOf = ({ openTimeMs, frame }: OpenBar) => openTimeMs + frame.ms;

function completeBar(own: OpenBar): FrameBar {
  const { market, frame, openTimeMs, open, high, low, close, volumeE8, bars } = own;
  const closeTimeMs = closeOf(own);
  return { frame: frame.name, market, openTimeMs, closeTimeMs, open, high, low, close, volume: volumeE8 / 1e8, bars };
}

function straddling({ market, openTimeMs, closeTimeMs }: Bar, { name }: Frame): StrategyError {
  return invalid(
    `frame ${name} cannot be made of the bars of ${market}: the bar from ${openTimeMs} to ${closeTimeMs} is not in one frame`,
    "name frames of which the bars of the data are a whole part",
  );
}

function invalid(reason: string, hint: string): StrategyError {
  return new StrategyError("STRATEGY_INVALID", reason, { place: "frames", hint });
}
