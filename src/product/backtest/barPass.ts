import type { History } from "../replay/history.ts";
import { BarPoints } from "./account/barPoints.ts";
import type { NeededBlocks } from "./neededBlocks.ts";
import type { Trader } from "./trader.ts";

/**
 * Passes bars in one step in which nothing can happen. It is for a run with one strategy and one market: with others, instants
 * are passed one by one.
 */
export class BarPass {
  readonly #history: History;
  readonly #needed: NeededBlocks;
  readonly #trader: Trader;
  readonly #points: BarPoints;

  constructor(history: History, needed: NeededBlocks, trader: Trader) {
    this.#history = history;
    this.#needed = needed;
    this.#trader = trader;
    this.#points = new BarPoints(history.bar);
  }

  /** Passes the next bar, or its path up to where something else comes, if nothing can happen there. */
  pass(dueMs: number): boolean {
    const trader = this.#trader;
    if (this.#needed.needsAll || trader.hasRefused) return false;
    const points = this.#points;
    const { marked } = trader;
    points.count = this.#history.peekBar(dueMs);
    if (points.count === 0 || (marked.isExposed && marked.isReached(this.#history.flows))) return false;
    if (!marked.moveAlong(points)) return false;
    const segments = this.#history.passBar(points.count);
    trader.passBar(points, segments);
    return true;
  }
}
