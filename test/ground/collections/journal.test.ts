import { expect, test } from "vitest";
import { Journal } from "../../../src/ground/collections/journal.ts";
import { createTable, defineTable, f64 } from "../../../src/ground/collections/table.ts";

/** A table of one column, full, and how often a journal read the column. */
function openTable() {
  const inner = createTable(defineTable<number>()("test", { size: f64<number>() }), 4);
  const { size, rows } = inner;
  const reads = { count: 0 };
  const table = {
    rows,
    get size() {
      reads.count++;
      return inner.size;
    },
  };
  for (let row = 0; row < 4; row++) size[rows.allocate()] = row;
  return { inner, table, size, reads };
}

test("a row is kept once, however often it is about to be written, until the journal is cleared", () => {
  const { table, size, reads } = openTable();
  const journal = new Journal();
  for (let write = 10; write < 13; write++) {
    for (const row of [1, 2]) {
      journal.row(table, row);
      size[row] = write;
    }
  }
  expect(reads.count).toBe(2);
  journal.undo();
  expect([...(size as Float64Array)]).toEqual([0, 1, 2, 3]);
  journal.clear();
  size[1] = 20;
  journal.row(table, 1);
  size[1] = 30;
  expect(reads.count).toBe(3);
  journal.undo();
  expect([...(size as Float64Array)]).toEqual([0, 20, 2, 3]);
});

test("a row that was kept before its table grew is not kept again", () => {
  const { inner, table, size, reads } = openTable();
  const journal = new Journal();
  journal.on = true;
  journal.table(inner);
  journal.row(table, 1);
  inner.size[1] = 10;
  const grown = journal.allocate(table);
  expect(inner.size).not.toBe(size);
  expect(reads.count).toBe(2);
  journal.row(table, 1);
  journal.row(table, grown);
  expect(reads.count).toBe(2);
  inner.size[1] = 11;
  journal.undo();
  expect(inner.size).toBe(size);
  expect([...(size as Float64Array)]).toEqual([0, 1, 2, 3]);
});

test("a property or a cell that was kept several times gets back the value from before the first write", () => {
  const total = { count: 1 };
  const cells = [1];
  const journal = new Journal();
  for (let write = 2; write < 5; write++) {
    journal.field(total, "count");
    total.count = write;
    journal.cell(cells, 0);
    cells[0] = write;
  }
  journal.undo();
  expect(total.count).toBe(1);
  expect(cells).toEqual([1]);
});
