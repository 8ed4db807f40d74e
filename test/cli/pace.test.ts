import fc from "fast-check";
import { expect, test } from "vitest";
import { paceSource } from "../../src/cli/pace.ts";
import type { EventChunk, EventSource } from "../../src/product/market-data/types.ts";

const COLUMNS = {
  kind: Uint8Array,
  market: Uint16Array,
  side: Int8Array,
  timeMs: Float64Array,
  price: Float64Array,
  size: Float64Array,
  open: Float64Array,
  high: Float64Array,
  low: Float64Array,
  rate: Float64Array,
  intervalMs: Float64Array,
  id: Float64Array,
  flags: Uint8Array,
};

/** A chunk in which every cell encodes its row; its columns are longer than its count, as those of a reader are. */
function createChunk(count: number, first: number): EventChunk {
  const columns = Object.entries(COLUMNS).map(([name, Column]) => {
    const column = new Column(count + 3);
    for (let row = 0; row < count; row++) column[row] = first + row;
    return [name, column];
  });
  return { count, ...Object.fromEntries(columns) } as EventChunk;
}

function createSource(counts: readonly number[]): EventSource {
  return {
    manifest: {} as EventSource["manifest"],
    async *chunks() {
      let first = 0;
      for (const count of counts) {
        yield createChunk(count, first);
        first += count;
      }
    },
    close: () => Promise.resolve(),
  };
}

test("smaller chunks have the same rows in the same order, in every column", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 9_000 }), { maxLength: 4 }), async (counts) => {
      let rows = 0;
      for await (const chunk of paceSource(createSource(counts)).chunks()) {
        expect(chunk.count).toBeGreaterThan(0);
        expect(chunk.count).toBeLessThanOrEqual(4_096);
        for (const row of [0, chunk.count - 1]) {
          for (const [name, Column] of Object.entries(COLUMNS)) {
            expect(chunk[name as keyof typeof COLUMNS][row], name).toBe(Column.of(rows + row)[0]);
          }
        }
        rows += chunk.count;
      }
      expect(rows).toBe(counts.reduce((sum, count) => sum + count, 0));
    }),
    { numRuns: 30 },
  );
});

test("timers and signals get a turn between two chunks", async () => {
  let turns = 0;
  let chunks = 0;
  const count = () => {
    turns++;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  for await (const _ of paceSource(createSource([20_000])).chunks()) chunks++;
  clearImmediate(timer);
  expect(chunks).toBe(5);
  expect(turns).toBeGreaterThanOrEqual(chunks - 1);
});
