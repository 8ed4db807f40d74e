import fc from "fast-check";
import { expect, test } from "vitest";
import type { EventChunk } from "../../../src/product/market-data/types.ts";
import { BarQueue } from "../../../src/product/replay/barQueue.ts";

/**
 * Rows of the next chunk that are bars of the market, each with a note or without, and how many bars leave after it.
 */
const step = fc.record({
  rows: fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.boolean()), { maxLength: 40, size: "max" }),
  leaving: fc.integer({ min: 0, max: 50 }),
  hasNotes: fc.boolean(),
});

// Goal: a queue in columns that grow and are packed is a plain list.
test("bars leave in the order in which they came, each with its chunk, row and note", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const queue = new BarQueue<string>();
      const plain: { chunk: EventChunk; row: number; note: string | undefined }[] = [];
      for (const { rows, leaving, hasNotes } of steps) {
        const chunk = { count: rows.reduce((sum, [gap]) => sum + gap, 0) } as EventChunk;
        let row = -1;
        for (const [gap, isNoted] of rows) {
          row += gap;
          const note = hasNotes && isNoted ? `note ${plain.length}` : undefined;
          queue.push(chunk, row, note);
          plain.push({ chunk, row, note });
        }
        const bars = Math.min(leaving, plain.length);
        queue.drop(bars);
        plain.splice(0, bars);
        expect(queue.length).toBe(plain.length);
        for (const [ahead, bar] of plain.entries()) {
          expect(queue.chunkOf(ahead)).toBe(bar.chunk);
          expect(queue.rowOf(ahead)).toBe(bar.row);
          expect(queue.noteOf(ahead)).toBe(bar.note);
        }
      }
    }),
  );
});
