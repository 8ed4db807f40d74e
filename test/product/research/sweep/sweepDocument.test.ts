import { expect, test } from "vitest";
import type { CellState, SweepCell } from "../../../../src/product/research/sweep/sweepCell.ts";
import { listLuck } from "../../../../src/product/research/sweep/sweepDocument.ts";

function notesOf(...states: readonly CellState[]): string[] {
  const cells = states.map((state, at) => ({ state, point: [at] }) as unknown as SweepCell);
  return listLuck({ cells, around: [], luck: null });
}

test("a sweep warns of the luck of its best run, unless it has one run or none with a result", () => {
  expect(notesOf("traded", "failed", "liquidated")).toEqual([
    expect.stringMatching(/^The best of 2 runs looks better/),
  ]);
  expect(notesOf("traded")).toEqual([]);
  expect(notesOf("traded", "failed")).toEqual([]);
  expect(notesOf("failed", "failed")).toEqual([]);
});
