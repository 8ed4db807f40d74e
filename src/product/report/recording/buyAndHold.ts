import { mulDivFloor } from "../../../ground/math/fixed.ts";
import type { PassedPoints } from "../input.ts";

/**
 * The benchmark: the initial equity in equal parts. Each part buys its market at that market's first mark and holds it,
 * without leverage, fees or funding. A part is cash until its market has a mark.
 */
export class BuyAndHold {
  readonly #parts: number[];
  readonly #first: Float64Array;
  readonly #last: Float64Array;
  readonly #value: Float64Array;
  #started = false;

  /** The unit that does not divide goes to the first market. */
  constructor(initialEquity: number, markets: number) {
    const part = Math.floor(initialEquity / markets);
    this.#parts = Array.from({ length: markets }, (_, i) => (i === 0 ? initialEquity - part * (markets - 1) : part));
    this.#first = new Float64Array(markets);
    this.#last = new Float64Array(markets);
    this.#value = Float64Array.from(this.#parts);
  }

  /** @param mark positive; 0 is no mark yet and is passed over. Value rounds down. */
  recordMark(market: number, mark: number): void {
    if (mark <= 0 || mark === this.#last[market]) return;
    this.#last[market] = mark;
    if (this.#first[market] === 0) this.#first[market] = mark;
    this.#value[market] = mulDivFloor(this.#parts[market]!, mark, this.#first[market]!);
    this.#started = true;
  }

  /** Records the marks of one of several points, market by market. */
  recordMarks(markets: PassedPoints["markets"], at: number): void {
    for (let market = 0; market < markets.length; market++) this.recordMark(market, markets[market]!.marks[at]!);
  }

  /** Whether a market has had a mark. */
  hasStarted(market: number): boolean {
    return this.#first[market] !== 0;
  }

  /** Value of a market's part at a mark; its cash before the market's first mark. It never falls as the mark rises. */
  valueAt(market: number, mark: number): number {
    if (this.#first[market] === 0) return this.#value[market]!;
    return mulDivFloor(this.#parts[market]!, mark, this.#first[market]!);
  }

  /**
   * The equity that `recordMarks` would leave, without recording anything. Each market has had a mark before, or has
   * none there.
   */
  equityAt(markets: PassedPoints["markets"], at: number): number {
    let sum = 0;
    for (let market = 0; market < markets.length; market++) {
      const mark = markets[market]!.marks[at]!;
      sum += mark > 0 ? this.valueAt(market, mark) : this.#value[market]!;
    }
    return sum;
  }

  /** NaN while no market has had a mark. */
  get equity(): number {
    if (!this.#started) return Number.NaN;
    let sum = 0;
    for (let market = 0; market < this.#value.length; market++) sum += this.#value[market]!;
    return sum;
  }
}
