import { copyArray } from "../../../ground/collections/copies.ts";
import type { Journal } from "../../../ground/collections/journal.ts";
import { NONE } from "../../../ground/collections/table.ts";
import type { OrderRow, Orders } from "./schema.ts";

/**
 * From an order id to its row. Keys are read from the orders themselves, so a slot is four bytes; at most two thirds
 * full, linear probing, backward-shift deletion.
 */
export class OrderIndex {
  slots: Int32Array = new Int32Array(64).fill(NONE);
  count = 0;
  /** Where changes are to be undone: keeps the cells that are about to change. */
  journal: Journal | undefined = undefined;

  find(orders: Orders, id: number): OrderRow {
    const { slots } = this;
    const mask = slots.length - 1;
    let slot = slotOf(id, mask);
    for (;;) {
      const row = slots[slot]! as OrderRow;
      if (row === NONE || orders.id[row] === id) return row;
      slot = (slot + 1) & mask;
    }
  }

  insert(orders: Orders, row: OrderRow): void {
    if (++this.count * 3 > this.slots.length * 2) this.grow(orders);
    if (this.journal !== undefined) this.keep(orders.id[row], this.journal);
    this.put(orders.id[row], row);
  }

  /**
   * @throws Error if the order is not in the index: a fault of the engine, which stops it here instead of in an endless
   * search
   */
  remove(orders: Orders, row: OrderRow): void {
    if (this.journal !== undefined) this.keep(orders.id[row], this.journal);
    const { slots } = this;
    const mask = slots.length - 1;
    let slot = slotOf(orders.id[row], mask);
    while (slots[slot] !== row) {
      if (slots[slot] === NONE) throw new Error(`order ${orders.id[row]} is not in the index`);
      slot = (slot + 1) & mask;
    }
    this.count--;
    let next = slot;
    for (;;) {
      next = (next + 1) & mask;
      const other = slots[next]! as OrderRow;
      if (other === NONE) break;
      const home = slotOf(orders.id[other], mask);
      if (((next - home) & mask) >= ((next - slot) & mask)) {
        slots[slot] = other;
        slot = next;
      }
    }
    slots[slot] = NONE;
  }

  /** @param spare a copy that is no longer used: it becomes this one */
  copy(spare?: OrderIndex): OrderIndex {
    const copy = spare ?? new OrderIndex();
    copy.slots = copyArray(this.slots, copy.slots);
    copy.count = this.count;
    copy.journal = undefined;
    return copy;
  }

  /** Keeps the run of cells in which an id is or would be, up to the first free one. */
  private keep(id: number, journal: Journal): void {
    const { slots } = this;
    const mask = slots.length - 1;
    let slot = slotOf(id, mask);
    for (;;) {
      journal.cell(slots, slot);
      if (slots[slot] === NONE) return;
      slot = (slot + 1) & mask;
    }
  }

  private put(id: number, row: OrderRow): void {
    const { slots } = this;
    const mask = slots.length - 1;
    let slot = slotOf(id, mask);
    while (slots[slot] !== NONE) slot = (slot + 1) & mask;
    slots[slot] = row;
  }

  private grow(orders: Orders): void {
    const old = this.slots;
    this.slots = new Int32Array(old.length * 2).fill(NONE);
    for (let slot = 0; slot < old.length; slot++) {
      const row = old[slot]! as OrderRow;
      if (row !== NONE) this.put(orders.id[row], row);
    }
  }
}

function slotOf(id: number, mask: number): number {
  const hash = Math.imul(id | 0, 0x9e3779b1) ^ Math.imul((id / 4_294_967_296) | 0, 0x85ebca6b);
  return (hash ^ (hash >>> 15)) & mask;
}
