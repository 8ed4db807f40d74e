import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NumberIndex } from "../../../src/ground/collections/numberIndex.ts";
import { createTable, NONE } from "../../../src/ground/collections/table.ts";
import { AccountKey, addressOfWords, hashAddress } from "../../../src/protocol/accountKey.ts";
import type { OrderId } from "../../../src/protocol/fields.ts";
import { OrderIndex } from "../../../src/venue/engine/state/orderIndex.ts";
import { OwnerIndex } from "../../../src/venue/engine/state/ownerIndex.ts";
import { type OrderRow, orderTable, ownerTable } from "../../../src/venue/engine/state/schema.ts";

/** Few different keys, so that they are met again; some equal in their low half, some in their high half. */
const key = fc.oneof(
  fc.nat(40),
  fc.nat(40).map((high) => high * 2 ** 32),
  fc.nat(40).map((high) => high * 2 ** 32 + 5),
  fc.nat(40).map((step) => step * 64),
  fc.nat(40).map((step) => 9e15 - step),
);
const steps = fc.array(fc.record({ key, remove: fc.boolean() }), { maxLength: 400, size: "max" });

/** Keys that share their home slot with one another in a table of this many slots, found by the index's own layout. */
function collidingKeys(slots: number, count: number): number[] {
  const home = (candidate: number) => {
    const index = new NumberIndex(slots);
    index.insert(candidate, 1);
    return index.rows.indexOf(1);
  };
  const wanted = slots - 1; // the last slot: probing has to wrap around
  const found: number[] = [];
  for (let candidate = 0; found.length < count; candidate++) if (home(candidate) === wanted) found.push(candidate);
  return found;
}

describe("an index behaves as a Map", () => {
  const compare = (index: NumberIndex, model: Map<number, number>, keys: readonly number[]) => {
    expect(index.count).toBe(model.size);
    for (const one of keys) expect(index.find(one)).toBe(model.get(one) ?? NONE);
  };
  const run = (index: NumberIndex, list: readonly { key: number; remove: boolean }[]) => {
    const model = new Map<number, number>();
    list.forEach(({ key: one, remove }, place) => {
      if (remove) {
        index.remove(one);
        model.delete(one);
      } else if (!model.has(one)) {
        index.insert(one, place);
        model.set(one, place);
      }
    });
    return model;
  };

  test("of numbers, under any order of adding and removing", () => {
    fc.assert(
      fc.property(steps, (list) => {
        const index = new NumberIndex(2);
        const model = run(index, list);
        const keys = list.map((step) => step.key);
        compare(index, model, keys);
        const copy = index.copy();
        for (const one of keys.slice(0, 5)) index.remove(one);
        compare(copy, model, keys);
      }),
      { numRuns: 100 },
    );
  });

  test("of numbers whose slots all collide and wrap around", () => {
    const keys = collidingKeys(64, 24);
    fc.assert(
      fc.property(
        fc.array(fc.record({ at: fc.nat(23), remove: fc.boolean() }), { maxLength: 120, size: "max" }),
        (list) => {
          const index = new NumberIndex(64);
          const model = run(
            index,
            list.map(({ at, remove }) => ({ key: keys[at]!, remove })),
          );
          expect(index.rows.length).toBe(64);
          compare(index, model, keys);
        },
      ),
      { numRuns: 100 },
    );
  });

  test("of orders by id", () => {
    fc.assert(
      fc.property(steps, (list) => {
        const orders = createTable(orderTable, 2);
        const index = new OrderIndex();
        const model = new Map<number, OrderRow>();
        for (const { key: id, remove } of list) {
          const row = model.get(id);
          if (remove && row !== undefined) {
            index.remove(orders, row);
            orders.rows.release(row);
            model.delete(id);
          } else if (!remove && row === undefined) {
            const made = orders.rows.allocate();
            orders.id[made] = id as OrderId;
            index.insert(orders, made);
            model.set(id, made);
          }
        }
        for (const one of [index, index.copy()]) {
          expect(one.count).toBe(model.size);
          for (const { key: id } of list) expect(one.find(orders, id)).toBe(model.get(id) ?? NONE);
        }
      }),
      { numRuns: 100 },
    );
  });

  test("of orders by id, from which an order is removed once", () => {
    const orders = createTable(orderTable, 2);
    const index = new OrderIndex();
    const row = orders.rows.allocate();
    orders.id[row] = 7 as OrderId;
    index.insert(orders, row);
    index.remove(orders, row);
    expect(() => index.remove(orders, row)).toThrow("order 7 is not in the index");
  });

  test("of owners by address", () => {
    const word = fc.oneof(fc.integer({ min: -2, max: 2 }), fc.integer());
    const words = fc.tuple(word, word, word, word, word);
    fc.assert(
      fc.property(fc.array(words, { maxLength: 120, size: "max" }), (list) => {
        const owners = createTable(ownerTable, 2);
        const index = new OwnerIndex();
        const model = new Map<string, number>();
        for (const [w0, w1, w2, w3, w4] of list) {
          const address = addressOfWords(w0, w1, w2, w3, w4);
          const account = new AccountKey(address, 0);
          expect(index.find(owners, account)).toBe(model.get(address) ?? NONE);
          if (model.has(address)) continue;
          const row = owners.rows.allocate();
          owners.w0[row] = w0;
          owners.w1[row] = w1;
          owners.w2[row] = w2;
          owners.w3[row] = w3;
          owners.w4[row] = w4;
          index.insert(owners, row);
          model.set(address, row);
        }
        const copy = index.copy();
        for (const [address, row] of model) expect(copy.find(owners, new AccountKey(address as never, 7))).toBe(row);
        expect(copy.count).toBe(model.size);
      }),
      { numRuns: 100 },
    );
  });

  test("of owners whose hashes agree in every bit that the index reads", () => {
    const owners = createTable(ownerTable);
    const index = new OwnerIndex();
    const same: number[] = [];
    for (let w4 = 0; same.length < 20; w4++) if ((hashAddress(1, 2, 3, 4, w4) & 63) === 63) same.push(w4);
    const rows = same.map((w4) => {
      const row = owners.rows.allocate();
      [owners.w0[row], owners.w1[row], owners.w2[row], owners.w3[row], owners.w4[row]] = [1, 2, 3, 4, w4];
      index.insert(owners, row);
      return row;
    });
    expect(same.map((w4) => index.find(owners, new AccountKey(addressOfWords(1, 2, 3, 4, w4), 0)))).toEqual(rows);
    expect(index.find(owners, new AccountKey(addressOfWords(1, 2, 3, 5, same[0]!), 0))).toBe(NONE);
  });
});
