import type { DataHooks } from "../../client/strategy/blockFacts.ts";
import type { Bar } from "../../client/strategy/facts.ts";
import { fromE8 } from "../../client/strategy/units.ts";
import { type EventChunk, EventKind } from "../market-data/types.ts";
import type { Segment } from "../replay/timeline.ts";
import type { TradeBars } from "./tradeBars.ts";

/** Shows recorded trades and bars to a strategy, and bars made of trades where a market has no recorded ones. */
export class RecordedData {
  readonly #names: readonly string[];
  readonly #made: TradeBars;

  /** @param names of the markets */
  constructor(names: readonly string[], made: TradeBars) {
    this.#names = names;
    this.#made = made;
  }

  /** Shows what the data has up to the time of a block. */
  show(segments: readonly Segment[], timeMs: number, hooks: DataHooks): void {
    const { onTrade, onBar } = hooks;
    for (const { chunk, from, to } of segments) {
      for (let row = from; row < to; row++) {
        const kind = chunk.kind[row];
        if (kind === EventKind.trade) {
          if (onBar !== undefined) this.#addToBars(chunk, row, onBar);
          onTrade?.(this.#readTrade(chunk, row));
        } else if (kind === EventKind.bar) onBar?.(readBar(chunk, row, this.#names));
      }
    }
    if (onBar !== undefined) for (const bar of this.#made.advance(timeMs)) onBar(bar);
  }

  #addToBars({ market, timeMs, price, size }: EventChunk, row: number, onBar: NonNullable<DataHooks["onBar"]>): void {
    for (const bar of this.#made.advance(timeMs[row]!)) onBar(bar);
    this.#made.add(market[row]!, timeMs[row]!, price[row]!, size[row]!);
  }

  #readTrade(chunk: EventChunk, row: number) {
    const side = chunk.side[row]!;
    return {
      market: this.#names[chunk.market[row]!]!,
      timeMs: chunk.timeMs[row]!,
      price: fromE8(chunk.price[row]!),
      size: fromE8(chunk.size[row]!),
      side: side === 0 ? undefined : side > 0 ? ("buy" as const) : ("sell" as const),
    };
  }
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
