import { parseDecimal } from "../../../ground/math/decimal.ts";
import { DECIMALS } from "../../../protocol/fields.ts";
import { Candles } from "../../strategy/candles.ts";
import type { Bar } from "../../strategy/facts.ts";
import type { ReportedBlock } from "./accountFacts.ts";

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
  /** Place of each market in the candles. */
  readonly #places: ReadonlyMap<string, number>;
  readonly #candles: {
    /** From prices that the venue recorded. */
    readonly printed: Candles;
    /** From trades in its book. */
    readonly fill: Candles;
  };
  #closeMs = 0;

  /**
   * @param beginMs block time from which blocks are reported
   * @param markets markets with bars, in the order in which bars are reported
   */
  constructor(barMs: number, beginMs: number, markets: readonly string[]) {
    if (!Number.isSafeInteger(barMs) || barMs < 1) throw new RangeError(`bars of ${barMs} ms; give a whole number`);
    this.#barMs = barMs;
    this.#beginMs = beginMs;
    this.#places = new Map(markets.map((market, place) => [market, place]));
    this.#candles = { printed: new Candles(markets), fill: new Candles(markets) };
  }

  /** Reads the next block, and returns the bars that it completes. */
  read({ timeMs, events }: ReportedBlock): Bar[] {
    const bars = timeMs > this.#closeMs ? this.#complete() : [];
    this.#closeMs = Math.ceil(timeMs / this.#barMs) * this.#barMs;
    for (const { kind, fields } of events) {
      if (kind !== "printed" && kind !== "fill") continue;
      const place = this.#places.get(String(fields["market"]));
      if (place === undefined) continue;
      const price = parseDecimal(String(fields["price"]), DECIMALS.price);
      this.#candles[kind].add(place, price, parseDecimal(String(fields["size"]), DECIMALS.size));
    }
    if (timeMs === this.#closeMs) bars.push(...this.#complete());
    return bars;
  }

  #complete(): Bar[] {
    const bars: Bar[] = [];
    const closeTimeMs = this.#closeMs;
    const openTimeMs = closeTimeMs - this.#barMs;
    const { printed, fill } = this.#candles;
    for (const place of this.#places.values()) {
      const recorded = printed.take(place, openTimeMs, closeTimeMs);
      const traded = fill.take(place, openTimeMs, closeTimeMs);
      const bar = recorded ?? traded;
      if (bar !== undefined && openTimeMs >= this.#beginMs) bars.push(bar);
    }
    return bars;
  }
}
