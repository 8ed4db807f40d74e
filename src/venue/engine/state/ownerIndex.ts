import { copyArray } from "../../../ground/collections/copies.ts";
import { NONE } from "../../../ground/collections/table.ts";
import { type AddressWords, hashAddress } from "../../../protocol/accountKey.ts";
import type { OwnerRow, Owners } from "./schema.ts";

/** From an address to its owner row: rows in open addressing, at most half full. Owners are never removed. */
export class OwnerIndex {
  slots: Int32Array = new Int32Array(64).fill(NONE);
  count = 0;

  find(owners: Owners, key: AddressWords): OwnerRow {
    const { slots } = this;
    const mask = slots.length - 1;
    let slot = key.hash & mask;
    for (;;) {
      const row = slots[slot]! as OwnerRow;
      if (row === NONE) return row;
      if (
        owners.w4[row] === key.w4 &&
        owners.w3[row] === key.w3 &&
        owners.w2[row] === key.w2 &&
        owners.w1[row] === key.w1 &&
        owners.w0[row] === key.w0
      ) {
        return row;
      }
      slot = (slot + 1) & mask;
    }
  }

  insert(owners: Owners, row: OwnerRow): void {
    if (++this.count * 2 > this.slots.length) this.grow(owners);
    this.put(owners, row);
  }

  /** @param spare a copy that is no longer used: it becomes this one */
  copy(spare?: OwnerIndex): OwnerIndex {
    const copy = spare ?? new OwnerIndex();
    copy.slots = copyArray(this.slots, copy.slots);
    copy.count = this.count;
    return copy;
  }

  private put(owners: Owners, row: OwnerRow): void {
    const { slots } = this;
    const mask = slots.length - 1;
    let slot = hashAddress(owners.w0[row], owners.w1[row], owners.w2[row], owners.w3[row], owners.w4[row]) & mask;
    while (slots[slot] !== NONE) slot = (slot + 1) & mask;
    slots[slot] = row;
  }

  private grow(owners: Owners): void {
    const old = this.slots;
    this.slots = new Int32Array(old.length * 2).fill(NONE);
    for (let slot = 0; slot < old.length; slot++) {
      if (old[slot] !== NONE) this.put(owners, old[slot]! as OwnerRow);
    }
  }
}
