import fc from "fast-check";
import { expect, test } from "vitest";
import type { Amount, PriceE8, SizeE8 } from "../../../src/ground/math/fixed.ts";
import type { FillInput, Recorder, Recording } from "../../../src/product/report/input.ts";
import { createRecorder } from "../../../src/product/report/recorder.ts";

const HOUR = 3_600_000;
const START = Date.UTC(2024, 0, 1);

/** What an account of a bar is at each of its points: a step of its price, its share of margin, and hours until the next bar. */
const bar = fc.record({
  steps: fc.array(fc.integer({ min: -40, max: 40 }), { minLength: 1, maxLength: 4 }),
  hours: fc.constantFrom(1, 1, 1, 1, 7, 30),
  trades: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 0, 1, -1),
});

function fillOf(timeMs: number, lots: number): FillInput {
  return {
    timeMs,
    market: 0,
    side: lots > 0 ? "buy" : "sell",
    size: Math.abs(lots) as SizeE8,
    price: 1_000 as PriceE8,
    value: 10 as Amount,
    fee: 1 as Amount,
    role: "taker",
    realizedPnl: 0 as Amount,
    orderId: "1",
    liquidationId: null,
    liquidationFee: 0 as Amount,
  };
}

type Bars = readonly { readonly steps: readonly number[]; readonly hours: number; readonly trades: number }[];

/** Records bars, all points of one at once or one by one. */
function record(bars: Bars, isWhole: boolean): Recording {
  const recorder = createRecorder({
    markets: [{ symbol: "BTC" }],
    startTimeMs: START,
    initialEquity: 1_000_000 as Amount,
    pointsMax: 64,
    liquidationPrice: ({ mark, equity, maintenance }) => (mark + equity - maintenance) as PriceE8,
  });
  let [mark, size, timeMs] = [1_000, 0, START + 1];
  for (const { steps, hours, trades } of bars) {
    if (trades !== 0) {
      recorder.recordFill(fillOf(timeMs, trades));
      size += trades;
    }
    const marks = steps.map((step) => (mark = Math.max(100, mark + step)));
    const points = {
      count: steps.length,
      times: Float64Array.from(steps, (_, at) => timeMs + (at * hours * HOUR) / 4),
      marks: Float64Array.from(marks),
      lasts: Float64Array.from(marks),
      equity: Float64Array.from(marks, (value) => 1_000_000 + size * (value - 1_000) * 400),
      maintenance: Float64Array.from(marks, (value) => Math.abs(size) * value * 300),
      unrealizedPnl: Float64Array.from(marks, (value) => size * (value - 1_000)),
      size: size as SizeE8,
      balance: 1_000_000 as Amount,
    };
    if (isWhole) recorder.recordPoints(points);
    else recordEach(recorder, points);
    timeMs += hours * HOUR;
  }
  return recorder.finish();
}

function recordEach(recorder: Recorder, points: Parameters<Recorder["recordPoints"]>[0]): void {
  for (let at = 0; at < points.count; at++) {
    recorder.recordMarket(0, {
      size: points.size,
      mark: points.marks[at]! as PriceE8,
      last: points.lasts[at]! as PriceE8,
      unrealizedPnl: points.unrealizedPnl[at]! as Amount,
    });
    recorder.recordBlock({
      timeMs: points.times[at]!,
      equity: points.equity[at]! as Amount,
      balance: points.balance,
      maintenance: points.maintenance[at]! as Amount,
      fundingAccrued: 0 as Amount,
    });
  }
}

test("points that are recorded at once give the recording of points that are recorded one by one", () => {
  fc.assert(
    fc.property(fc.array(bar, { minLength: 1, maxLength: 400, size: "max" }), (bars) => {
      expect(record(bars, true)).toEqual(record(bars, false));
    }),
    { numRuns: 60 },
  );
});
