import type { BlockData, DataHooks } from "../../client/strategy/blockFacts.ts";
import type { Bar, Trade } from "../../client/strategy/facts.ts";
import { fromE8 } from "../../client/strategy/units.ts";
import { type EventChunk, EventKind } from "../market-data/types.ts";
import type { Segment } from "../replay/timeline.ts";
import type { TradeBars } from "./tradeBars.ts";

/** Shows recorded trades and bars to a strategy, and bars made of trades where a market has no recorded ones. */
export class RecordedData implements BlockData {
  readonly #names: readonly string[];
  readonly #made: TradeBars;
  #segments: readonly Segment[] = [];
  #timeMs = Number.NaN;

  /** @param names of the markets */
  constructor(names: readonly string[], made: TradeBars) {
    this.#names = names;
    this.#made = made;
  }

  /** The data that `show` shows: that up to the time of a block. */
  moveTo(segments: readonly Segment[], timeMs: number): void {
    this.#segments = segments;
    this.#timeMs = timeMs;
  }

  show(hooks: DataHooks): void {
    for (const { chunk, from, to } of this.#segments) {
      const { kind } = chunk;
      for (let row = from; row < to; row++) {
        if (kind[row] === EventKind.trade) {
          if (hooks.takesBars) this.#addToBars(chunk, row, hooks);
          if (hooks.takesTrades) hooks.takeTrade(readTrade(chunk, row, this.#names));
        } else if (kind[row] === EventKind.bar && hooks.takesBars) hooks.takeBar(readBar(chunk, row, this.#names));
      }
    }
    if (hooks.takesBars) this.#endBars(this.#timeMs, hooks);
  }

  #addToBars({ market, timeMs, price, size }: EventChunk, row: number, hooks: DataHooks): void {
    this.#endBars(timeMs[row]!, hooks);
    this.#made.add(market[row]!, timeMs[row]!, price[row]!, size[row]!);
  }

  #endBars(timeMs: number, hooks: DataHooks): void {
    const bars = this.#made.advance(timeMs);
    if (bars.length > 0) for (const bar of bars) hooks.takeBar(bar);
  }
}

function readTrade({ market, timeMs, price, size, side }: EventChunk, row: number, names: readonly string[]): Trade {
  const taker = side[row]!;
  return {
    market: names[market[row]!]!,
    timeMs: timeMs[row]!,
    price: fromE8(price[row]!),
    size: fromE8(size[row]!),
    side: taker === 0 ? undefined : taker > 0 ? "buy" : "sell",
  };
}

/** A recorded bar as a strategy gets it. @param names of the markets */
export function readBar(chunk: EventChunk, row: number, names: readonly string[]): Bar {
  const closeTimeMs = chunk.timeMs[row]!;
  return {
    market: names[chunk.market[row]!]!,
    openTimeMs: closeTimeMs - chunk.intervalMs[row]!,
    closeTimeMs,
    open: fromE8(chunk.open[row]!),
    high: fromE8(chunk.high[row]!),
    low: fromE8(chunk.low[row]!),
    close: fromE8(chunk.price[row]!),
    volume: fromE8(chunk.size[row]!),
  };
}
