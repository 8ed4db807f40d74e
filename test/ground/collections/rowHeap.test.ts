import fc from "fast-check";
import { expect, test } from "vitest";
import { RowHeap } from "../../../src/ground/collections/rowHeap.ts";

test("an empty heap has no least key", () => {
  expect(new RowHeap().least()).toBe(Number.POSITIVE_INFINITY);
});

// Method: the twin is a map from rows to keys; what is least is searched for.
test("the least key is on top, whatever goes in and out, and in a copy too", () => {
  const step = fc.record({
    row: fc.nat(40),
    key: fc.integer({ min: 0, max: 12 }),
    out: fc.boolean(),
    copy: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120, size: "max" }), (steps) => {
      let heap = new RowHeap();
      const twin = new Map<number, number>();
      for (const { row, key, out, copy } of steps) {
        if (out) {
          heap.remove(row);
          twin.delete(row);
        } else if (!twin.has(row)) {
          heap.insert(row, key);
          twin.set(row, key);
        }
        if (copy) heap = heap.copy();
        expect(heap.size).toBe(twin.size);
        expect(heap.least()).toBe(Math.min(Number.POSITIVE_INFINITY, ...twin.values()));
        if (heap.size > 0) expect(twin.get(heap.top())).toBe(heap.least());
      }
      const drained: number[] = [];
      while (heap.size > 0) {
        drained.push(heap.least());
        heap.remove(heap.top());
      }
      expect(drained).toEqual([...twin.values()].sort((a, b) => a - b));
    }),
  );
});
