import { expect, test } from "vitest";
import { Journal } from "../../../src/ground/collections/journal.ts";
import { createTable, defineTable, f64 } from "../../../src/ground/collections/table.ts";

/** A table of one column, and how often a journal read the column. */
function openTable() {
  const { size, rows } = createTable(defineTable<number>()("test", { size: f64<number>() }), 4);
  const reads = { count: 0 };
  const table = {
    rows,
    get size() {
      reads.count++;
      return size;
    },
  };
  for (let row = 0; row < 4; row++) size[rows.allocate()] = row;
  return { table, size, reads };
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
