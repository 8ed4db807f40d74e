import fc from "fast-check";
import { expect, test } from "vitest";
import { computeDailyReturns, computeSharpe } from "../../../src/product/report/metrics/dailyReturns.ts";
import {
  computeDistribution,
  computeMonthReturns,
  computeRolling,
} from "../../../src/product/report/metrics/rolling.ts";

const DAY_MS = 86_400_000;
const equities = fc.array(fc.integer({ min: 1, max: 1e9 }), { minLength: 1, maxLength: 80 });

test("a rolling figure is that of the window alone", () => {
  fc.assert(
    fc.property(equities, fc.integer({ min: 2, max: 40 }), (values, window) => {
      const days = values.map((equity, i) => ({ timeMs: i * DAY_MS, equity }));
      const points = computeRolling(days, window);
      expect(points.length).toBe(Math.max(0, days.length - window));
      for (const [i, { timeMs, sharpe, drawdown }] of points.entries()) {
        const part = values.slice(i, i + window + 1);
        expect(timeMs).toBe((i + window) * DAY_MS);
        const alone = computeSharpe(computeDailyReturns(part));
        expect(sharpe).toBe("value" in alone ? alone.value : null);
        const falls = part.flatMap((from, a) => part.slice(a).map((to) => (from - to) / from));
        expect(drawdown).toBeCloseTo(Math.max(...falls), 12);
      }
    }),
    { numRuns: 40 },
  );
});

test("months compound to the whole return, and a run that begins just after midnight has no month before it", () => {
  const startMs = Date.UTC(2024, 0, 1) + 1;
  const days = Array.from({ length: 100 }, (_, i) => ({ timeMs: Date.UTC(2024, 0, 1 + i), equity: 1_000 + i * i }));
  const end = { timeMs: Date.UTC(2024, 3, 9, 12), equity: 9_000 };
  const months = computeMonthReturns({ timeMs: startMs, equity: 1_000 }, days, end);
  expect(months.map(({ month }) => month)).toEqual(["2024-01", "2024-02", "2024-03", "2024-04"]);
  expect(months.reduce((product, { value }) => product * (1 + value!), 1)).toBeCloseTo(9, 10);
  // 31 January ends at the midnight of 1 February.
  expect(months[0]!.value).toBeCloseTo(31 ** 2 / 1_000, 10);
});

test("a distribution counts every value once, between round borders of which zero is one", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: -1, max: 3, noNaN: true }), { minLength: 1, maxLength: 60 }), (values) => {
      const bars = computeDistribution(values);
      expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(values.length);
      expect(bars.length).toBeLessThanOrEqual(43);
      for (const { from, to } of bars) expect(from < -1e-12 && to > 1e-12).toBe(false);
    }),
  );
  expect(computeDistribution([])).toEqual([]);
});
