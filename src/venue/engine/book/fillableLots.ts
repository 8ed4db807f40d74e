import type { OrderRow, PositionRow } from "../state/schema.ts";
import { FLAG_REDUCE_ONLY } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/**
 * The lots that the orders of one side of a book can fill, from the best price on, oldest first (ORD-9). An account's
 * reduce-only orders count the lots that its earlier orders leave of its position. Margin, caps and band are not
 * checked.
 */
export class FillableLots {
  private readonly state: State;
  /** Lots that the orders of positions with reduce-only orders counted so far. */
  private ahead: Map<PositionRow, number> | undefined = undefined;

  constructor(state: State) {
    this.state = state;
  }

  /** Lots that the next order of the side counts. */
  take(order: OrderRow): number {
    const { orders, positions } = this.state;
    const position = orders.position[order];
    if (positions.reduceOnly[position] === 0) return orders.remaining[order];
    this.ahead ??= new Map();
    const before = this.ahead.get(position) ?? 0;
    let lots: number = orders.remaining[order];
    if ((orders.flags[order] & FLAG_REDUCE_ONLY) !== 0) {
      lots = Math.max(0, Math.min(lots, Math.abs(positions.signedLots[position]) - before));
    }
    this.ahead.set(position, before + lots);
    return lots;
  }
}
