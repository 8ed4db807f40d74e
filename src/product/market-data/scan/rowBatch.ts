import { widthOf } from "../readers/exactColumns.ts";
import type { Layout } from "../readers/layout.ts";

/** Rows of one file as numbers: one column for each column of its layout that is read, and the line of each row. */
export interface RowBatch {
  count: number;
  /** Rows that the layout passes over, because they are of another instrument or stream. */
  passed: number;
  /** Line in the file, from 1. */
  readonly line: Float64Array;
  /** By column of the layout, then the fractions; columns that are not read share one unused array. */
  readonly values: readonly Float64Array[];
}

export const BATCH_ROWS = 16_384;

/** Numbers that are not cleared: only rows below the count of a batch are read. */
const createColumn = (capacity: number): Float64Array =>
  new Float64Array(Buffer.allocUnsafeSlow(capacity * Float64Array.BYTES_PER_ELEMENT).buffer);

export function createRowBatch(layout: Layout, capacity = BATCH_ROWS): RowBatch {
  const unread = new Float64Array(0);
  const values = layout.columns.map(({ cell }) =>
    cell.type === "skip" || cell.type === "presence" || cell.type === "where" ? unread : createColumn(capacity),
  );
  for (let fractions = widthOf(layout); values.length < fractions; ) values.push(createColumn(capacity));
  return { count: 0, passed: 0, line: createColumn(capacity), values };
}

/** Puts one row, as `readCells` read it, at the end of a batch. */
export function appendRow(batch: RowBatch, line: number, values: Float64Array): void {
  const row = batch.count++;
  batch.line[row] = line;
  for (const [index, column] of batch.values.entries()) column[row] = values[index]!;
}
