import { copyArray, copyList } from "../../../ground/collections/copies.ts";
import { NONE } from "../../../ground/collections/table.ts";
import { SIDE } from "../../../protocol/words.ts";
import type { AccountRow, Accounts, MarketRow, Markets, PositionRow, Positions } from "./schema.ts";

/** One side of a market in the order in which it is deleveraged. */
export interface Ranking {
  readonly positions: readonly PositionRow[];
  /** All accounts before this place are closed. */
  first: number;
}

/**
 * The accounts to check for liquidation. Derived: rebuilt from a state by marking every account, never in root or
 * behaviour.
 *
 * Every account with a position is either *dirty* (something but a mark changed; it is checked in the next pass) or
 * *armed*. Each position of an armed account carries a trigger: a mark up to which the account cannot fall below
 * maintenance, whatever its other positions do. Triggers are in one heap per market and side; a pass reads the tops
 * only.
 */
export class RiskIndex {
  /** Heaps of position rows: by market, longs at 2 * market (highest trigger on top), shorts after it (lowest). */
  heaps: Int32Array[] = [];
  heapSizes: number[] = [];
  dirty: AccountRow[] = [];
  /** True during a risk pass: sizes at its start are kept, and no position row is given back. */
  recording = false;
  /** Sizes at the start of the pass of positions that changed in it. */
  sizesBefore: Map<PositionRow, number> = new Map();
  /** Marks before this block moved them, by market; 0 before the first. Not state: only this block reads them. */
  marksBefore: number[] = [];
  /**
   * Markets in which a margin account that is due waits for the next block: they take no new exposure until the next
   * pass.
   */
  queueFull: Set<MarketRow> = new Set();
  /** Rankings made in the pass, by market * 2 + side. */
  rankings: Map<number, Ranking> = new Map();
  /** Positions that emptied during the pass; given back at its end. */
  emptied: Set<PositionRow> = new Set();

  markDirty(accounts: Accounts, account: AccountRow): void {
    if (accounts.dirty[account] !== 0 || accounts.role[account] !== 0) return;
    accounts.dirty[account] = 1;
    // A list that begins with its first account has room for that one; most passes check no other.
    if (this.dirty.length === 0) this.dirty = [account];
    else this.dirty.push(account);
  }

  /** Sets the trigger of a position whose size is not 0. */
  arm(positions: Positions, position: PositionRow, trigger: number): void {
    const side = positions.signedLots[position] > 0 ? SIDE.buy : SIDE.sell;
    const heap = positions.market[position] * 2 + side;
    const place = positions.heapPlace[position];
    if (place !== NONE && (place & 1) !== side) this.disarm(positions, position);
    const at = positions.heapPlace[position];
    (positions.trigger as Record<number, number>)[position] = trigger;
    if (at === NONE) {
      while (this.heaps.length <= heap) {
        this.heaps.push(new Int32Array(16));
        this.heapSizes.push(0);
      }
      const size = this.heapSizes[heap]!++;
      let rows = this.heaps[heap]!;
      if (size === rows.length) {
        const grown = new Int32Array(size * 2);
        grown.set(rows);
        rows = grown;
        this.heaps[heap] = rows;
      }
      this.rise(positions, rows, side, size, position);
    } else {
      const rows = this.heaps[heap]!;
      const slot = at >> 1;
      this.rise(positions, rows, side, slot, position);
      this.sink(positions, rows, side, this.heapSizes[heap]!, positions.heapPlace[position] >> 1, position);
    }
  }

  /** Takes a position out of its heap, if it is in one. */
  disarm(positions: Positions, position: PositionRow): void {
    const place = positions.heapPlace[position];
    if (place === NONE) return;
    positions.heapPlace[position] = NONE;
    const side = place & 1;
    const heap = positions.market[position] * 2 + side;
    const rows = this.heaps[heap]!;
    const size = --this.heapSizes[heap]!;
    const slot = place >> 1;
    if (slot === size) return;
    const moved = rows[size]! as PositionRow;
    this.rise(positions, rows, side, slot, moved);
    this.sink(positions, rows, side, size, positions.heapPlace[moved] >> 1, moved);
  }

  /** Marks every account dirty whose trigger the market's mark has reached, and takes those triggers out. */
  fire(positions: Positions, accounts: Accounts, markets: Markets, market: MarketRow): void {
    const mark = markets.mark[market];
    for (let side = 0; side < 2; side++) {
      const heap = market * 2 + side;
      const rows = this.heaps[heap];
      if (rows === undefined) return;
      while (this.heapSizes[heap]! > 0) {
        const top = rows[0]! as PositionRow;
        const trigger = positions.trigger[top];
        if (side === SIDE.buy ? mark > trigger : mark < trigger) break;
        this.disarm(positions, top);
        this.markDirty(accounts, positions.account[top]);
      }
    }
  }

  /** @param spare a copy that is no longer used: it becomes this one */
  copy(spare?: RiskIndex): RiskIndex {
    const copy = spare ?? new RiskIndex();
    copy.heaps.length = Math.min(copy.heaps.length, this.heaps.length);
    for (const [heap, rows] of this.heaps.entries()) copy.heaps[heap] = copyArray(rows, copy.heaps[heap]);
    copyList(this.heapSizes, copy.heapSizes);
    copyList(this.dirty, copy.dirty);
    copy.recording = false;
    copy.marksBefore.length = 0;
    for (const forgotten of [copy.sizesBefore, copy.queueFull, copy.rankings, copy.emptied]) forgotten.clear();
    return copy;
  }

  private rise(positions: Positions, rows: Int32Array, side: number, from: number, position: PositionRow): void {
    const trigger = positions.trigger[position];
    let slot = from;
    while (slot > 0) {
      const parent = (slot - 1) >> 1;
      const other = rows[parent]! as PositionRow;
      const above = positions.trigger[other];
      if (side === SIDE.buy ? above >= trigger : above <= trigger) break;
      rows[slot] = other;
      positions.heapPlace[other] = slot * 2 + side;
      slot = parent;
    }
    rows[slot] = position;
    positions.heapPlace[position] = slot * 2 + side;
  }

  private sink(
    positions: Positions,
    rows: Int32Array,
    side: number,
    size: number,
    from: number,
    position: PositionRow,
  ): void {
    const trigger = positions.trigger[position];
    let slot = from;
    for (;;) {
      let child = slot * 2 + 1;
      if (child >= size) break;
      let row = rows[child]! as PositionRow;
      if (child + 1 < size) {
        const other = rows[child + 1]! as PositionRow;
        if (
          side === SIDE.buy
            ? positions.trigger[other] > positions.trigger[row]
            : positions.trigger[other] < positions.trigger[row]
        ) {
          child++;
          row = other;
        }
      }
      const below = positions.trigger[row];
      if (side === SIDE.buy ? below <= trigger : below >= trigger) break;
      rows[slot] = row;
      positions.heapPlace[row] = slot * 2 + side;
      slot = child;
    }
    rows[slot] = position;
    positions.heapPlace[position] = slot * 2 + side;
  }
}
