import fc from "fast-check";
import { expect, test } from "vitest";
import { Journal } from "../../../src/ground/collections/journal.ts";
import {
  columnsOf,
  copyTable,
  createTable,
  defineTable,
  f64,
  i32,
  i64,
  NONE,
  u8,
} from "../../../src/ground/collections/table.ts";
import type { Amount, Lots, Ticks } from "../../../src/ground/math/fixed.ts";
import type { AccountRow, OrderRow, Orders } from "../../../src/venue/engine/state/schema.ts";

declare const mark: unique symbol;
type ThingRow = number & { readonly [mark]: "thing" };

const thingTable = defineTable<ThingRow>()("thing", {
  size: f64<Lots>(),
  link: i32<ThingRow>(NONE),
  flag: u8(),
  wide: i64(7n),
});

// Goal: mixing up tables and units does not compile. Method: each line below must be an error to the compiler; the type
// check of the tests fails where one is not. Nothing of it runs.
test("rows of one table and units of another column do not compile", () => {
  const misuse = (orders: Orders, account: AccountRow, order: OrderRow, amount: Amount) => {
    // @ts-expect-error an account's row is no order's row
    orders.price[account];
    // @ts-expect-error a bare number is no row
    orders.price[3];
    // @ts-expect-error lots are no amount
    orders.remaining[order] = amount;
    // @ts-expect-error a price is in ticks
    orders.price[order] = 5;
    // @ts-expect-error an order's row is no account's row
    const other: AccountRow = order;
    return other;
  };
  const fine = (orders: Orders, order: OrderRow): Ticks | undefined => orders.price[order];
  expect([misuse.length, fine.length]).toEqual([4, 2]);
});

// Goal: rows behave as a set of things with values. Method: a Map of plain objects in lock step with the table.
test("a table that grows and reuses rows keeps what was written", () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ add: fc.integer() }) },
    { weight: 2, arbitrary: fc.record({ remove: fc.nat() }) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200, size: "max" }), (steps) => {
      const table = createTable(thingTable, 1);
      const model = new Map<ThingRow, number>();
      for (const act of steps) {
        if ("add" in act) {
          const row = table.rows.allocate();
          expect(model.has(row)).toBe(false);
          table.size[row] = act.add as Lots;
          table.wide[row] = BigInt(act.add);
          model.set(row, act.add);
        } else if (model.size > 0) {
          const row = [...model.keys()][act.remove % model.size]!;
          table.rows.release(row);
          model.delete(row);
        }
        expect(table.rows.count).toBe(model.size);
      }
      const copy = copyTable(thingTable, table);
      for (const [row, value] of model) {
        for (const one of [table, copy]) {
          expect(one.rows.isLive(row)).toBe(true);
          expect([one.size[row], one.wide[row]]).toEqual([value, BigInt(value)]);
        }
        copy.size[row] = (value + 1) as Lots;
        expect(table.size[row]).toBe(value);
      }
      const live = Array.from({ length: table.rows.high }, (_, row) => row).filter((row) => table.rows.isLive(row));
      expect(new Set(live)).toEqual(new Set(model.keys()));
      // A copy hands out the same rows as the original.
      expect(copy.rows.allocate()).toBe(table.rows.allocate());
    }),
    { numRuns: 60 },
  );
});

test("new rows hold the columns' initial values, before and after growth", () => {
  const table = createTable(thingTable, 1);
  for (let made = 0; made < 40; made++) {
    const row = table.rows.allocate();
    expect([table.size[row], table.link[row], table.flag[row], table.wide[row]]).toEqual([0, NONE, 0, 7n]);
  }
});

test("the row freed last is handed out first, and rows outside the table are not live", () => {
  const table = createTable(thingTable);
  const [first, second] = [table.rows.allocate(), table.rows.allocate()];
  table.rows.release(first);
  table.rows.release(second);
  expect([table.rows.allocate(), table.rows.allocate()]).toEqual([second, first]);
  expect([-1, 2, 1e9].map((row) => table.rows.isLive(row))).toEqual([false, false, false]);
});

test("room can be made ahead, and never shrinks", () => {
  const table = createTable(thingTable, 2);
  const row = table.rows.allocate();
  table.size[row] = 5 as Lots;
  table.rows.reserve(100);
  expect(table.rows.capacity).toBe(100);
  table.rows.reserve(10);
  expect([table.rows.capacity, table.size.length, table.size[row]]).toEqual([100, 100, 5]);
});

test("a copy has the initial values beyond the rows in use, and grows as its source does", () => {
  const table = createTable(thingTable, 64);
  for (let made = 0; made < 20; made++) {
    const row = table.rows.allocate();
    table.link[row] = row;
    table.wide[row] = 1n;
  }
  const copy = copyTable(thingTable, table);
  expect(copy.rows.capacity).toBe(37);
  for (let made = 20; made < 80; made++) {
    const row = copy.rows.allocate();
    expect([row, copy.size[row], copy.link[row], copy.wide[row]]).toEqual([made, 0, NONE, 7n]);
  }
  expect(Array.from({ length: 20 }, (_, row) => copy.link[row as ThingRow])).toEqual(
    Array.from({ length: 20 }, (_, row) => row),
  );
  // No more room than the source has.
  expect(copyTable(thingTable, createTable(thingTable, 4)).rows.capacity).toBe(4);
});

// Goal: a table of few rows, copied in one piece, is as one that is copied column by column. Method: tables below and
// above the bound; growth is undone in some, and copies go into the memory of other copies.
test("a copy has every value, in new memory and in memory that was used before", () => {
  const valuesOf = (table: ReturnType<typeof open>) =>
    columnsOf(thingTable, table).map(([name, values]) => [
      name,
      [...(values.subarray(0, table.rows.high) as Float64Array)],
    ]);
  const open = (capacity: number) => createTable(thingTable, capacity);
  let spare: ReturnType<typeof open> | undefined;
  for (const [round, capacity] of [1, 2, 5, 16, 40, 64, 3, 100, 7, 64].entries()) {
    const table = open(capacity);
    const journal = new Journal();
    for (let made = 0; made < capacity; made++) {
      const row = table.rows.allocate();
      table.size[row] = (made + round) as Lots;
      table.wide[row] = BigInt(made);
    }
    if (round % 2 === 0) {
      // The table grows in an attempt that is undone: its columns are the old ones again.
      journal.on = true;
      journal.table(table);
      table.size[journal.allocate(table)] = 99 as Lots;
      journal.undo();
      journal.clear();
      table.size[0 as ThingRow] = 77 as Lots;
    }
    const fresh = copyTable(thingTable, table);
    const copy = copyTable(thingTable, table, spare);
    expect([valuesOf(fresh), valuesOf(copy)]).toEqual([valuesOf(table), valuesOf(table)]);
    for (const one of [fresh, copy]) {
      const row = one.rows.allocate();
      expect([one.size[row], one.link[row], one.flag[row], one.wide[row]]).toEqual([0, NONE, 0, 7n]);
    }
    spare = copy;
  }
});

test("columns come in the order of their definition", () => {
  const table = createTable(thingTable, 4);
  expect(columnsOf(thingTable, table).map(([name, array]) => `${name} ${array.constructor.name}`)).toEqual([
    "size Float64Array",
    "link Int32Array",
    "flag Uint8Array",
    "wide BigInt64Array",
  ]);
});
