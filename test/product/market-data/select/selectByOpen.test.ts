import fc from "fast-check";
import { expect, test } from "vitest";
import { selectByOpen } from "../../../../src/product/market-data/select/selectByOpen.ts";
import {
  type EventChunk,
  EventKind,
  type EventSource,
  type TimeRange,
} from "../../../../src/product/market-data/types.ts";

type Row = readonly [kind: number, timeMs: number, intervalMs: number];

function chunkOf(rows: readonly Row[]): EventChunk {
  const numbers = (value: (row: Row, at: number) => number) => Float64Array.from(rows, value);
  const zeros = numbers(() => 0);
  return {
    count: rows.length,
    kind: Uint8Array.from(rows, ([kind]) => kind),
    market: new Uint16Array(rows.length),
    side: new Int8Array(rows.length),
    timeMs: numbers(([, timeMs]) => timeMs),
    price: numbers((_, at) => at),
    ...{ size: zeros, open: zeros, high: zeros, low: zeros, rate: zeros, id: zeros },
    intervalMs: numbers(([, , intervalMs]) => intervalMs),
    flags: new Uint8Array(rows.length),
  };
}

async function select(rows: readonly Row[], range: TimeRange): Promise<number[]> {
  const chunk = chunkOf(rows);
  async function* chunks() {
    yield chunk;
  }
  const source = { chunks } as unknown as EventSource;
  const found: number[] = [];
  for await (const part of selectByOpen(source, range)) {
    expect(part.kind.length).toBe(part.count);
    for (let row = 0; row < part.count; row++) found.push(part.price[row]!);
  }
  return found;
}

// Rows that are left out at an end of the range divide a chunk into parts, or it is copied where they are many.
test("the rows of a range are those that begin in it, in their order, however they alternate with others", async () => {
  const row = fc.tuple(
    fc.constantFrom(EventKind.bar, EventKind.funding, EventKind.trade),
    fc.integer({ min: 0, max: 3 }),
  );
  const rows = fc.array(row, { maxLength: 60, size: "max" });
  await fc.assert(
    fc.asyncProperty(
      rows,
      fc.integer({ min: 0, max: 60 }),
      fc.integer({ min: 1, max: 40 }),
      async (drawn, fromMs, length) => {
        let timeMs = 0;
        const some = drawn.map(([kind, step]): Row => [kind, (timeMs += step), kind === EventKind.bar ? 5 : 0]);
        const toMs = fromMs + length;
        const wanted = some.flatMap(([, at, intervalMs], place) =>
          at - intervalMs >= fromMs && at - intervalMs < toMs ? [place] : [],
        );
        expect(await select(some, { fromMs, toMs })).toEqual(wanted);
      },
    ),
  );
});

// Rows are read some hundred at a time: ends of a range come before, at and after the ends of such parts.
test("the rows of a range are the same in a long chunk", async () => {
  const some = Array.from({ length: 1_200 }, (_, at): Row => [at % 3 === 0 ? EventKind.bar : EventKind.trade, at, 2]);
  for (const fromMs of [0, 1, 250, 254, 255, 256, 257, 258, 511, 512, 513, 1_000]) {
    for (const toMs of [fromMs + 1, 255, 256, 257, 300, 768, 769, 1_199, 1_200, 1_500]) {
      const wanted = some.flatMap(([kind, at, intervalMs], place) => {
        const openMs = kind === EventKind.bar ? at - intervalMs : at;
        return openMs >= fromMs && openMs < toMs ? [place] : [];
      });
      expect(await select(some, { fromMs, toMs })).toEqual(wanted);
    }
  }
});
