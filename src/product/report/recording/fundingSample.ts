import type { Amount, Ppb, PriceE8, SizeE8 } from "../../../ground/math/fixed.ts";
import type { FundingInput } from "../input.ts";

/** Doubles of a payment. */
const WIDTH = 7;
/** Payments of a page. */
const PAGE = 256;

/**
 * Keeps funding payments as `EventSample` keeps events, in columns. A run of years has thousands of them, and a sweep
 * reads none.
 */
export class FundingSample {
  readonly #max: number;
  readonly #pages: Float64Array[] = [];
  #kept = 0;
  #stride = 1;
  #seen = 0;

  constructor(max: number) {
    this.#max = Math.max(2, max);
  }

  push(payment: FundingInput): void {
    if (this.#seen++ % this.#stride !== 0) return;
    if (this.#kept === this.#max) {
      this.#halve();
      if ((this.#seen - 1) % this.#stride !== 0) return;
    }
    const place = this.#kept++;
    if (place === this.#pages.length * PAGE) this.#pages.push(new Float64Array(PAGE * WIDTH));
    const page = this.#pages[Math.floor(place / PAGE)]!;
    const at = (place % PAGE) * WIDTH;
    page[at] = payment.timeMs;
    page[at + 1] = payment.market;
    page[at + 2] = payment.rate;
    page[at + 3] = payment.amount;
    page[at + 4] = payment.size;
    page[at + 5] = payment.mark;
    page[at + 6] = payment.index;
  }

  /** Keeps every second payment. */
  #halve(): void {
    const kept = Math.ceil(this.#kept / 2);
    for (let place = 1; place < kept; place++) this.#rowOf(place).set(this.#rowOf(2 * place));
    this.#kept = kept;
    this.#stride *= 2;
  }

  #rowOf(place: number): Float64Array {
    const at = (place % PAGE) * WIDTH;
    return this.#pages[Math.floor(place / PAGE)]!.subarray(at, at + WIDTH);
  }

  get events(): readonly FundingInput[] {
    return Array.from({ length: this.#kept }, (_, place) => {
      const [timeMs, market, rate, amount, size, mark, index] = this.#rowOf(place);
      return {
        timeMs: timeMs!,
        market: market!,
        rate: rate as Ppb,
        amount: amount as Amount,
        size: size as SizeE8,
        mark: mark as PriceE8,
        index: index as PriceE8,
      };
    });
  }
}
