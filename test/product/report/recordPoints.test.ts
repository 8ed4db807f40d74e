import fc from "fast-check";
import { expect, test } from "vitest";
import type { Amount, PriceE8, SizeE8 } from "../../../src/ground/math/fixed.ts";
import type { FillInput, Recorder, Recording } from "../../../src/product/report/input.ts";
import { createRecorder } from "../../../src/product/report/recorder.ts";

const HOUR = 3_600_000;
const START = Date.UTC(2024, 0, 1);

/**
 * Steps of the price at points that are recorded at once, hours until the next such points, and lots that are traded
 * before them.
 */
const stretch = fc.record({
  steps: fc.oneof(
    { weight: 5, arbitrary: fc.array(fc.integer({ min: -40, max: 40 }), { minLength: 1, maxLength: 4 }) },
    { weight: 1, arbitrary: fc.array(fc.integer({ min: -40, max: 40 }), { minLength: 1, maxLength: 90, size: "max" }) },
  ),
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

type Stretches = readonly { readonly steps: readonly number[]; readonly hours: number; readonly trades: number }[];

/** Records stretches of a run with three markets, of which the second is held throughout: at once or point by point. */
function record(stretches: Stretches, isWhole: boolean): Recording {
  const recorder = createRecorder({
    markets: [{ symbol: "BTC" }, { symbol: "ETH" }, { symbol: "SOL" }],
    startTimeMs: START,
    initialEquity: 1_000_000 as Amount,
    pointsMax: 64,
    liquidationPrice: ({ mark, equity, maintenance }) => (mark + equity - maintenance) as PriceE8,
  });
  let [mark, size, timeMs] = [1_000, 0, START + 1];
  recorder.recordFill({ ...fillOf(timeMs, 3), market: 1 });
  for (const [place, { steps, hours, trades }] of stretches.entries()) {
    if (trades !== 0) {
      recorder.recordFill(fillOf(timeMs, trades));
      size += trades;
    }
    const marks = Float64Array.from(steps, (step) => (mark = Math.max(100, mark + step)));
    const points = {
      count: steps.length,
      times: Float64Array.from(steps, (_, at) => timeMs + Math.floor((at * hours * HOUR) / steps.length)),
      equity: marks.map((value) => 1_000_000 + size * (value - 1_000) * 400),
      maintenance: marks.map((value) => Math.abs(size) * value * 300),
      balance: 1_000_000 as Amount,
      markets: [
        { size: size as SizeE8, marks, lasts: marks, unrealizedPnl: marks.map((value) => size * (value - 1_000)) },
        {
          size: 3 as SizeE8,
          marks: marks.map((value) => 90 + (value % 13)),
          lasts: marks.map((value) => 90 + (value % 7)),
          unrealizedPnl: marks.map((value) => value % 13),
        },
        // The third market has its first price within the fourth stretch, or after its first point.
        { size: 0 as SizeE8, marks: late(marks, place), lasts: late(marks, place), unrealizedPnl: marks.map(() => 0) },
      ],
    };
    if (isWhole) recorder.recordPoints(points);
    else recordEach(recorder, points);
    timeMs += hours * HOUR;
  }
  return recorder.finish();
}

function late(marks: Float64Array, place: number): Float64Array {
  return marks.map((value, at) => (place > 3 || (place === 3 && at > 0) ? value / 100 : 0)).map(Math.round);
}

function recordEach(recorder: Recorder, points: Parameters<Recorder["recordPoints"]>[0]): void {
  for (let at = 0; at < points.count; at++) {
    for (const [market, { size, marks, lasts, unrealizedPnl }] of points.markets.entries()) {
      recorder.recordMarket(market, {
        size,
        mark: marks[at]! as PriceE8,
        last: lasts[at]! as PriceE8,
        unrealizedPnl: unrealizedPnl[at]! as Amount,
      });
    }
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
    fc.property(fc.array(stretch, { minLength: 1, maxLength: 400, size: "max" }), (stretches) => {
      expect(record(stretches, true)).toEqual(record(stretches, false));
    }),
    { numRuns: 60 },
  );
});
