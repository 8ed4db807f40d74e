import type { History } from "../replay/history.ts";
import type { Reach } from "./account/markedAccount.ts";
import type { NeededBlocks } from "./neededBlocks.ts";
import type { Trader } from "./trader.ts";

/**
 * Passes points of bars in one step, at which nothing can happen. It is for a run with one strategy and one market:
 * with others, instants are passed one by one.
 */
export class BarPass {
  readonly #history: History;
  readonly #needed: NeededBlocks;
  readonly #trader: Trader;
  readonly #reach: readonly Reach[];

  constructor(history: History, needed: NeededBlocks, trader: Trader) {
    this.#history = history;
    this.#needed = needed;
    this.#trader = trader;
    this.#reach = [history.path];
  }

  /** Passes the next points, up to the next other data, if nothing can happen at the first of them. */
  pass(dueMs: number): boolean {
    const trader = this.#trader;
    const history = this.#history;
    if (this.#needed.needsAll || trader.hasRefused) return false;
    const { isExposed } = trader.marked;
    const points = history.peekPath(isExposed ? 1 : trader.barsAtOnce, dueMs);
    if (points === 0 || (isExposed && trader.marked.isReached(this.#reach))) return false;
    const passed = trader.moveAlong(history.path, points);
    if (passed === 0) return false;
    const segments = history.passPath(passed);
    trader.callHooksBetween(segments, history.path.times[passed - 1]!);
    return true;
  }
}
