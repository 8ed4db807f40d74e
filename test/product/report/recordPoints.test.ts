import fc from "fast-check";
import { expect, test } from "vitest";
import type { Amount, Ppb, PriceE8, SizeE8 } from "../../../src/ground/math/fixed.ts";
import type { FillInput, PassedPayments, Recorder, Recording } from "../../../src/product/report/input.ts";
import { createRecorder } from "../../../src/product/report/recorder.ts";

const HOUR = 3_600_000;
const START = Date.UTC(2024, 0, 1);

/**
 * Steps of the price at points that are recorded at once, hours until the next such points, lots that are traded before
 * them, and every how many points funding is paid.
 */
const stretch = fc.record({
  steps: fc.oneof(
    { weight: 5, arbitrary: fc.array(fc.integer({ min: -40, max: 40 }), { minLength: 1, maxLength: 4 }) },
    { weight: 1, arbitrary: fc.array(fc.integer({ min: -40, max: 40 }), { minLength: 1, maxLength: 90, size: "max" }) },
  ),
  hours: fc.constantFrom(1, 1, 1, 1, 7, 30),
  trades: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 0, 1, -1),
  pays: fc.constantFrom(0, 0, 1, 2, 5, 9),
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

type Stretches = readonly {
  readonly steps: readonly number[];
  readonly hours: number;
  readonly trades: number;
  readonly pays: number;
}[];

/** Payments of the first two markets, which have a position: of both at some points, at others of one. */
function payEvery(pays: number, points: number): PassedPayments {
  const places = Array.from({ length: points }, (_, at) => at).filter((at) => pays > 0 && at % pays === 0);
  const rows = places.flatMap((at) => (at % 3 === 0 ? [at] : [at, at]));
  const count = rows.length;
  const column = (value: (row: number) => number) => Float64Array.from({ length: count }, (_, row) => value(row));
  return {
    count,
    points: column((row) => rows[row]!),
    markets: column((row) => (rows[row - 1] === rows[row] ? 1 : 0)),
    rates: column((row) => 100 - row),
    amounts: column((row) => (row % 4 === 0 ? 7 : -11 - row)),
    indexes: column((row) => 1_000 + row),
  };
}

function paidUntil({ count, points, amounts }: PassedPayments, point: number): number {
  let sum = 0;
  for (let row = 0; row < count && points[row]! <= point; row++) sum += amounts[row]!;
  return sum;
}

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
  for (const [place, { steps, hours, trades, pays }] of stretches.entries()) {
    const payments = payEvery(pays, steps.length);
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
      balance: marks.map((_, at) => 1_000_000 + paidUntil(payments, at)),
      payments,
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
    const { payments } = points;
    for (let row = 0; row < payments.count; row++) {
      if (payments.points[row] !== at) continue;
      const market = payments.markets[row]!;
      const { size, marks } = points.markets[market]!;
      recorder.recordFunding({
        timeMs: points.times[at]!,
        market,
        rate: payments.rates[row] as Ppb,
        amount: payments.amounts[row] as Amount,
        size,
        mark: marks[at] as PriceE8,
        index: payments.indexes[row] as PriceE8,
      });
    }
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
      balance: points.balance[at]! as Amount,
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
