import type { OrderOutcome, Recording, RejectionTotals } from "../input.ts";

/** Counts the strategy's orders by outcome, and its rejected transactions by code. */
export class OrderCounts {
  readonly #orders: Record<OrderOutcome, number> = { placed: 0, amended: 0, cancelled: 0, expired: 0, refused: 0 };
  readonly #rejections = new Map<string, { -readonly [K in keyof RejectionTotals]: RejectionTotals[K] }>();

  record(outcome: OrderOutcome, count: number): void {
    this.#orders[outcome] += count;
  }

  /** @param isOrder whether the transaction entered or changed an order; it then counts as a refused order */
  reject(code: string, timeMs: number, isOrder: boolean): void {
    let seen = this.#rejections.get(code);
    if (seen === undefined) {
      seen = { code, count: 0, orders: 0, firstTimeMs: timeMs, lastTimeMs: timeMs };
      this.#rejections.set(code, seen);
    }
    seen.count++;
    seen.lastTimeMs = timeMs;
    if (!isOrder) return;
    seen.orders++;
    this.record("refused", 1);
  }

  /** The counts so far; the most frequent code first, equal ones by name. */
  finish(): Pick<Recording, "rejections" | "orders"> {
    return {
      rejections: [...this.#rejections.values()].sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1)),
      orders: { ...this.#orders },
    };
  }
}
