import type { Bar } from "../../strategy/facts.ts";
import type { ReportedBlock } from "./accountFacts.ts";

type Candle = { open: number; high: number; low: number; close: number; volume: number };

/** The incomplete bar of a market. */
interface Open {
  /** From prices that the venue recorded. */
  recorded: Candle | undefined;
  /** From trades in its book. */
  traded: Candle | undefined;
}

/**
 * Builds bars of a market's prices from reported blocks. A bar covers the time after its open up to and including its
 * close, both whole multiples of its length since 1970. It is complete with the first block at or after its close, as
 * in a backtest. It uses the prices that the venue recorded, as a venue with a feed does; otherwise the trades. An
 * interval without a price has no bar, and the interval of the start is left out.
 *
 * Volume is the size traded at those prices; a venue that replays recorded bars trades nothing by itself.
 */
export class LiveBars {
  readonly #barMs: number;
  readonly #beginMs: number;
  readonly #open = new Map<string, Open>();
  #closeMs = 0;

  /**
   * @param beginMs block time from which blocks are reported
   * @param markets markets with bars, in the order in which bars are reported
   */
  constructor(barMs: number, beginMs: number, markets: readonly string[]) {
    if (!Number.isSafeInteger(barMs) || barMs < 1) throw new RangeError(`bars of ${barMs} ms; give a whole number`);
    this.#barMs = barMs;
    this.#beginMs = beginMs;
    for (const market of markets) this.#open.set(market, { recorded: undefined, traded: undefined });
  }

  /** Reads the next block, and returns the bars that it completes. */
  read({ timeMs, events }: ReportedBlock): Bar[] {
    const bars = timeMs > this.#closeMs ? this.#complete() : [];
    this.#closeMs = Math.ceil(timeMs / this.#barMs) * this.#barMs;
    for (const { kind, fields } of events) {
      if (kind !== "printed" && kind !== "fill") continue;
      const open = this.#open.get(String(fields["market"]));
      if (open === undefined) continue;
      const from = kind === "printed" ? "recorded" : "traded";
      open[from] = add(open[from], Number(fields["price"]), Number(fields["size"]));
    }
    if (timeMs === this.#closeMs) bars.push(...this.#complete());
    return bars;
  }

  #complete(): Bar[] {
    const bars: Bar[] = [];
    const closeTimeMs = this.#closeMs;
    const openTimeMs = closeTimeMs - this.#barMs;
    for (const [market, open] of this.#open) {
      const candle = open.recorded ?? open.traded;
      open.recorded = undefined;
      open.traded = undefined;
      if (candle !== undefined && openTimeMs >= this.#beginMs)
        bars.push({ market, openTimeMs, closeTimeMs, ...candle });
    }
    return bars;
  }
}

function add(candle: Candle | undefined, price: number, size: number): Candle {
  if (candle === undefined) return { open: price, high: price, low: price, close: price, volume: size };
  candle.high = Math.max(candle.high, price);
  candle.low = Math.min(candle.low, price);
  candle.close = price;
  candle.volume += size;
  return candle;
}
