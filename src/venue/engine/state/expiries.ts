import { RowHeap } from "../../../ground/collections/rowHeap.ts";

/** Orders, intents and accounts by the height or the time at which they end. Derived from the tables. */
export class Expiries {
  /** Resting orders by last height and by last block time (ORD-2). */
  byHeight: RowHeap = new RowHeap();
  byTime: RowHeap = new RowHeap();

  /** Accounts by the block time at which all their orders are cancelled (ACT). */
  cancels: RowHeap = new RowHeap();

  heaps(): readonly RowHeap[] {
    return [this.byHeight, this.byTime, this.cancels];
  }

  /** @param spare a copy that is no longer used: it becomes this one */
  copy(spare?: Expiries): Expiries {
    const copy = spare ?? new Expiries();
    copy.byHeight = this.byHeight.copy(spare?.byHeight);
    copy.byTime = this.byTime.copy(spare?.byTime);
    copy.cancels = this.cancels.copy(spare?.cancels);
    return copy;
  }
}
