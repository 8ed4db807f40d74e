import fc from "fast-check";
import { expect, test } from "vitest";
import { Thinner } from "../../../src/product/report/recording/thinner.ts";

const curve = fc.array(fc.tuple(fc.integer({ min: -1000, max: 1000 }), fc.integer({ min: 0, max: 50 })), {
  minLength: 1,
  maxLength: 700,
  size: "max",
});

function thin(rows: readonly (readonly [number, number])[], rowsMax: number): Float64Array[] {
  const thinner = new Thinner(
    3,
    [
      { column: 1, keep: "both" },
      { column: 2, keep: "greatest" },
    ],
    rowsMax,
  );
  const row = new Float64Array(3);
  rows.forEach(([a, b], time) => {
    row.set([time, a, b]);
    thinner.push(row);
  });
  return thinner.columns();
}

test("a thinned curve is bounded, in order, of true rows, and keeps every extreme and the last row", () => {
  fc.assert(
    fc.property(curve, fc.integer({ min: 16, max: 200 }), (rows, rowsMax) => {
      const [times, a, b] = thin(rows, rowsMax) as [Float64Array, Float64Array, Float64Array];
      expect(times.length).toBeLessThanOrEqual(rowsMax);
      for (let i = 0; i < times.length; i++) {
        expect([a[i], b[i]]).toEqual(rows[times[i]!]);
        if (i > 0) expect(times[i]!).toBeGreaterThan(times[i - 1]!);
      }
      const values = rows.map(([value]) => value);
      expect(Math.max(...a)).toBe(Math.max(...values));
      expect(Math.min(...a)).toBe(Math.min(...values));
      expect(Math.max(...b)).toBe(Math.max(...rows.map(([, value]) => value)));
      expect(times.at(-1)).toBe(rows.length - 1);
    }),
  );
});

/** Rows that are pushed in parts, with bounds that are as loose as they may be. */
function thinParts(rows: readonly (readonly [number, number])[], rowsMax: number, parts: readonly number[]) {
  const keys = [{ column: 1, keep: "both" } as const, { column: 2, keep: "greatest" } as const];
  const thinner = new Thinner(3, keys, rowsMax);
  const row = new Float64Array(3);
  for (let from = 0, part = 0; from < rows.length; part++) {
    const first = from;
    const some = rows.slice(first, first + (parts[part % parts.length] ?? 1));
    const slack = part % 3;
    const column = (key: number) => Float64Array.from(some, (one) => one[key]!);
    thinner.pushRows(some.length, {
      getMost: (key) => Math.max(...column(key)) + slack,
      getLeast: (key) => Math.min(...column(key)) - slack,
      readColumn: column,
      fill(at) {
        row.set([first + at, ...some[at]!]);
        return row;
      },
    });
    from += some.length;
  }
  return thinner.columns();
}

test("rows that come in parts are thinned as those that come one by one", () => {
  const parts = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(curve, fc.integer({ min: 16, max: 200 }), parts, fc.boolean(), (rows, rowsMax, sizes, isFlat) => {
      const some = isFlat ? rows.map(([, b], at) => [Math.floor(at / 40), b] as const) : rows;
      expect(thinParts(some, rowsMax, sizes)).toEqual(thin(some, rowsMax));
    }),
  );
});

test("a curve that fits its groups keeps every row", () => {
  const rows = Array.from({ length: 16 }, (_, i) => [i % 5, i % 3] as const);
  expect([...thin(rows, 64)[0]!]).toEqual(rows.map((_, i) => i));
});

test("a curve of one spike among a million rows keeps the spike", () => {
  const thinner = new Thinner(2, [{ column: 1, keep: "both" }], 120);
  const row = new Float64Array(2);
  for (let i = 0; i < 1_000_000; i++) {
    row[0] = i;
    row[1] = i === 123_457 ? -7 : 5;
    thinner.push(row);
  }
  const [times, values] = thinner.columns() as [Float64Array, Float64Array];
  expect(times[values.indexOf(-7)]).toBe(123_457);
  expect(times.length).toBeLessThanOrEqual(120);
});

test("groups that merge keep their first extreme and their last row, so that running sums stay exact there", () => {
  const thinner = new Thinner(2, [{ column: 1, keep: "both" }], 12);
  for (let i = 0; i < 16; i++) thinner.push(Float64Array.of(i, 0));
  expect([...thinner.columns()[0]!]).toEqual([0, 3, 4, 7, 8, 11, 12, 15]);
});

test("no rows give no rows", () => {
  expect(new Thinner(2, [{ column: 1, keep: "both" }], 64).columns()).toEqual([new Float64Array(), new Float64Array()]);
});
