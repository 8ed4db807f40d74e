import type { Bar } from "../../strategy/facts.ts";
import type { ReportedBlock } from "./accountFacts.ts";

type Candle = { open: number; high: number; low: number; close: number; volume: number };

/** What is known of the bar of a market that is not complete yet. */
interface Open {
  /** Of the prices that the venue recorded. */
  recorded: Candle | undefined;
  /** Of the trades in its book. */
  traded: Candle | undefined;
}

/**
 * Makes bars of a market's prices as blocks tell them. A bar covers the time behind its open up to its close, both whole
 * multiples of its length since 1970, and is complete with the first block at its close or behind it: then a backtest
 * tells it, too. It is made of the prices that the venue recorded, where it did, as a venue does that a recording plays
 * in; elsewhere of the trades. An interval without a price has no bar, and the one in which this began is left out.
 *
 * Volume is what was traded at those prices: a venue that walks along recorded bars trades nothing by itself.
 */
export class LiveBars {
  readonly #barMs: number;
  readonly #beginMs: number;
  readonly #open = new Map<string, Open>();
  #closeMs = 0;

  /**
   * @param beginMs block time from which blocks are told
   * @param markets whose bars are wanted, in the order in which they are told
   */
  constructor(barMs: number, beginMs: number, markets: readonly string[]) {
    if (!Number.isSafeInteger(barMs) || barMs < 1) throw new RangeError(`bars of ${barMs} ms; give a whole number`);
    this.#barMs = barMs;
    this.#beginMs = beginMs;
    for (const market of markets) this.#open.set(market, { recorded: undefined, traded: undefined });
  }

  /** Takes the next block, and gives the bars that are complete with it. */
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
