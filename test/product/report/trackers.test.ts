import fc from "fast-check";
import { expect, test } from "vitest";
import type { Amount, Ppb, PriceE8, SizeE8 } from "../../../src/ground/math/fixed.ts";
import type { FillInput, FundingInput, RoundTrip } from "../../../src/product/report/input.ts";
import { BuyAndHold } from "../../../src/product/report/recording/buyAndHold.ts";
import { DAY_MS, DailySampler } from "../../../src/product/report/recording/dailySampler.ts";
import { DrawdownTracker } from "../../../src/product/report/recording/drawdownTracker.ts";
import { EventSample } from "../../../src/product/report/recording/eventSample.ts";
import { MarginTracker } from "../../../src/product/report/recording/marginTracker.ts";
import { RoundTripTracker } from "../../../src/product/report/recording/roundTripTracker.ts";

test("the drawdown of a known curve is found with its peak, trough, recovery and longest time", () => {
  const tracker = new DrawdownTracker(0, 100);
  [110, 99, 88, 105, 110, 120, 90, 119].forEach((equity, i) => {
    tracker.record(i + 1, equity);
  });
  // 120 to 90 is 25 %; 110 to 88 is 20 %.
  expect(tracker.worst).toEqual({ peak: 120, trough: 90, peakTimeMs: 6, troughTimeMs: 7, recoveredTimeMs: null });
  expect(tracker.longestMs).toBe(4);
  tracker.record(9, 120);
  expect(tracker.worst?.recoveredTimeMs).toBe(9);
});

test("of two equal drawdowns the first counts", () => {
  const tracker = new DrawdownTracker(0, 100);
  [50, 100, 50].forEach((equity, i) => {
    tracker.record(i + 1, equity);
  });
  expect(tracker.worst).toMatchObject({ troughTimeMs: 1, recoveredTimeMs: 2 });
});

test("the drawdown equals the greatest fall below the highest equity so far, in exact ratios", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -5, max: 9e15 }), { maxLength: 40 }), (values) => {
      const curve = [1_000_000, ...values];
      const tracker = new DrawdownTracker(0, curve[0]!);
      values.forEach((equity, i) => {
        tracker.record(i + 1, equity);
      });
      let worst: { fall: bigint; peak: bigint } = { fall: 0n, peak: 1n };
      for (let i = 0; i < curve.length; i++) {
        const peak = curve.slice(0, i + 1).reduce((high, value) => (BigInt(value) > high ? BigInt(value) : high), 0n);
        const fall = peak - BigInt(curve[i]!);
        if (fall * worst.peak > worst.fall * peak) worst = { fall, peak };
      }
      const found = tracker.worst;
      if (found === null) expect(worst.fall).toBe(0n);
      else expect(BigInt(found.peak - found.trough) * worst.peak).toBe(worst.fall * BigInt(found.peak));
    }),
  );
});

test("the deepest drawdowns are the five greatest of a plain list, one from each peak", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 80 }), (values) => {
      const tracker = new DrawdownTracker(0, 40);
      const spans: { peak: number; trough: number; peakTimeMs: number; recoveredTimeMs: number | null }[] = [];
      let [peak, peakTimeMs] = [40, 0];
      let open: (typeof spans)[number] | undefined;
      for (const [i, equity] of values.entries()) {
        tracker.record(i + 1, equity);
        if (equity >= peak) {
          if (open !== undefined) open.recoveredTimeMs = i + 1;
          open = undefined;
          [peak, peakTimeMs] = [equity, i + 1];
        } else if (open === undefined) spans.push((open = { peak, trough: equity, peakTimeMs, recoveredTimeMs: null }));
        else open.trough = Math.min(open.trough, equity);
      }
      // A stable sort: of equal depths, an ended one is before the open one, as it is in time.
      spans.sort((a, b) => a.trough * b.peak - b.trough * a.peak);
      const found = tracker.deepest.map(({ troughTimeMs, ...span }) => {
        expect(values[troughTimeMs - 1]).toBe(span.trough);
        return span;
      });
      expect(found).toEqual(spans.slice(0, 5));
      expect(tracker.worst).toEqual(tracker.deepest[0] ?? null);
    }),
  );
});

test("a day is sampled at 00:00 UTC with what the last block up to then left", () => {
  const state = (timeMs: number, equity: number) => ({ timeMs, equity, buyAndHold: Number.NaN, funding: 0, fees: 0 });
  const sampler = new DailySampler(state(0, 1));
  sampler.record(state(DAY_MS - 1, 2));
  sampler.record(state(DAY_MS, 3));
  sampler.record(state(DAY_MS + 1, 4));
  sampler.record(state(3 * DAY_MS + 5, 5));
  const samples = sampler.finish();
  expect(samples.map(({ timeMs, equity }) => [timeMs / DAY_MS, equity])).toEqual([
    [0, 1],
    [1, 3],
    [2, 4],
    [3, 4],
  ]);
  for (const { buyAndHold } of samples) expect(buyAndHold).toBeNull();
});

test("a run that begins after the first minute of a day has no sample before the next midnight", () => {
  const state = (timeMs: number) => ({ timeMs, equity: 1, buyAndHold: Number.NaN, funding: 0, fees: 0 });
  const sampler = new DailySampler(state(60_001));
  sampler.record(state(DAY_MS / 2));
  expect(sampler.finish()).toEqual([]);
});

test("a run whose first block is in the first minute of a day has that whole day", () => {
  const state = (timeMs: number, equity: number) => ({ timeMs, equity, buyAndHold: Number.NaN, funding: 0, fees: 0 });
  for (const startMs of [1, 1000, 60_000]) {
    const sampler = new DailySampler(state(DAY_MS + startMs, 100));
    sampler.record(state(2 * DAY_MS, 90));
    expect(sampler.finish().map(({ timeMs, equity }) => [timeMs / DAY_MS, equity])).toEqual([
      [1, 100],
      [2, 90],
    ]);
  }
});

test("a run that ends in the last millisecond of a day has completed it, one millisecond earlier it has not", () => {
  const state = (timeMs: number) => ({ timeMs, equity: 1, buyAndHold: Number.NaN, funding: 0, fees: 0 });
  const samples = (endMs: number) => {
    const sampler = new DailySampler(state(0));
    sampler.record(state(endMs));
    return sampler.finish().length;
  };
  expect([samples(DAY_MS - 2), samples(DAY_MS - 1), samples(DAY_MS)]).toEqual([1, 2, 2]);
});

const fill = (side: "buy" | "sell", size: number, more: Partial<FillInput> = {}): FillInput => ({
  timeMs: 0,
  market: 0,
  side,
  size: size as SizeE8,
  price: 1 as PriceE8,
  value: 1 as Amount,
  fee: 0 as Amount,
  role: "taker",
  realizedPnl: 0 as Amount,
  orderId: "",
  liquidationId: null,
  liquidationFee: 0 as Amount,
  ...more,
});

const payment = (timeMs: number, amount: number): FundingInput => ({
  timeMs,
  market: 0,
  rate: 0 as Ppb,
  amount: amount as Amount,
  size: 1 as SizeE8,
  mark: 1 as PriceE8,
  index: 1 as PriceE8,
});

test("a round trip runs from flat to flat, net of fees, with its funding", () => {
  const trips = new RoundTripTracker(1);
  const amount = (value: number) => value as Amount;
  trips.recordFill(fill("buy", 4, { fee: amount(3), timeMs: 10 }));
  trips.recordFunding(payment(11, -7));
  trips.recordFill(fill("sell", 1, { fee: amount(1), realizedPnl: amount(5) }));
  expect(trips.totals.closed).toBe(0);
  trips.recordFill(fill("sell", 3, { fee: amount(1), realizedPnl: amount(20), timeMs: 25 }));
  expect(trips.totals).toMatchObject({ closed: 1, wins: 1, losses: 0, profit: 13n, holdingMs: 15, largestWin: 13n });
  trips.recordFunding(payment(26, -100));
  trips.recordFill(fill("sell", 1));
  trips.recordFill(fill("buy", 1, { realizedPnl: amount(-4), liquidationFee: amount(2) }));
  expect(trips.totals).toMatchObject({ closed: 2, losses: 1, loss: 6n, largestLoss: 6n });
});

test("a fill through zero closes one trip and opens the next, and shares its fee by size", () => {
  const trips = new RoundTripTracker(1);
  trips.recordFill(fill("buy", 1));
  trips.recordFill(fill("sell", 3, { fee: 10 as Amount, realizedPnl: 100 as Amount }));
  expect(trips.totals).toMatchObject({ closed: 1, profit: 97n });
  expect(trips.getSignedE8(0)).toBe(-2);
  trips.recordFill(fill("buy", 2));
  expect(trips.totals).toMatchObject({ closed: 2, loss: 7n });
});

test("a round trip has its entry, its exit, its costs and its worst and best point", () => {
  const closed: RoundTrip[] = [];
  const trips = new RoundTripTracker(1, (trip) => closed.push(trip));
  const amounts = (value: number, fee: number, realizedPnl = 0) => ({
    value: value as Amount,
    fee: fee as Amount,
    realizedPnl: realizedPnl as Amount,
  });
  trips.recordFill(fill("sell", 4, { timeMs: 10, ...amounts(400, 4) }));
  trips.recordPoint(0, -30);
  trips.recordFill(fill("sell", 2, { timeMs: 11, ...amounts(220, 2) }));
  trips.recordFunding(payment(12, 9));
  trips.recordFill(fill("buy", 3, { timeMs: 13, ...amounts(270, 3, 40) }));
  trips.recordPoint(0, 25);
  expect(trips.open).toMatchObject([{ exitTimeMs: null, realizedPnl: 40n, unrealizedPnl: 25, net: 65n + 9n - 9n }]);
  trips.recordFill(
    fill("buy", 3, { timeMs: 20, ...amounts(330, 3, -20), liquidationId: "L-1-0", liquidationFee: 5 as Amount }),
  );
  expect(closed).toEqual([
    {
      market: 0,
      side: "short",
      entryTimeMs: 10,
      exitTimeMs: 20,
      largestSize: 6,
      entered: 6n,
      entryValue: 620n,
      exited: 6n,
      exitValue: 600n,
      fills: 4,
      realizedPnl: 20n,
      unrealizedPnl: 0,
      fees: 12n,
      liquidationFees: 5n,
      funding: 9n,
      net: 12n,
      worst: -30,
      best: 65,
      isLiquidated: true,
    },
  ]);
  expect(trips.open).toEqual([]);
});

// Goal: every fill and payment is in exactly one trip. Method: random fills in two markets, with payments where a
// position is; sums over all trips, open ones included, against sums over the fills.
test("trips have all sizes, values, fees, profits and payments, each once", () => {
  const step = fc.record({
    market: fc.integer({ min: 0, max: 1 }),
    buy: fc.boolean(),
    size: fc.integer({ min: 1, max: 5 }),
    value: fc.integer({ min: 0, max: 1000 }),
    fee: fc.integer({ min: -7, max: 20 }),
    pnl: fc.integer({ min: -100, max: 100 }),
    funding: fc.option(fc.integer({ min: -50, max: 50 })),
    unrealized: fc.integer({ min: -500, max: 500 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const closed: RoundTrip[] = [];
      const trips = new RoundTripTracker(2, (trip) => closed.push(trip));
      const sums = { size: 0n, value: 0n, fees: 0n, pnl: 0n, funding: 0n };
      for (const { market, buy, size, value, fee, pnl, funding, unrealized } of steps) {
        const before = trips.getSignedE8(market);
        const realizedPnl = before !== 0 && before > 0 !== buy ? pnl : 0;
        const money = { value: value as Amount, fee: fee as Amount, realizedPnl: realizedPnl as Amount };
        trips.recordFill({ ...fill(buy ? "buy" : "sell", size, money), market });
        sums.size += BigInt(size);
        sums.value += BigInt(value);
        sums.fees += BigInt(fee);
        sums.pnl += BigInt(realizedPnl);
        if (trips.getSignedE8(market) === 0) continue;
        trips.recordPoint(market, unrealized);
        if (funding === null) continue;
        trips.recordFunding({ ...payment(0, funding), market });
        sums.funding += BigInt(funding);
      }
      const all = [...closed, ...trips.open];
      const sum = (pick: (trip: RoundTrip) => bigint) => all.reduce((total, trip) => total + pick(trip), 0n);
      expect({
        size: sum(({ entered, exited }) => entered + exited),
        value: sum(({ entryValue, exitValue }) => entryValue + exitValue),
        fees: sum(({ fees }) => fees),
        pnl: sum(({ realizedPnl }) => realizedPnl),
        funding: sum(({ funding }) => funding),
      }).toEqual(sums);
      for (const trip of closed) {
        expect(trip.entered).toBe(trip.exited);
        expect(BigInt(trip.worst)).toBeLessThanOrEqual(trip.realizedPnl < 0n ? trip.realizedPnl : 0n);
        expect(BigInt(trip.best)).toBeGreaterThanOrEqual(trip.realizedPnl > 0n ? trip.realizedPnl : 0n);
      }
    }),
  );
});

test("the results of round trips and of open positions add up to the result of all fills", () => {
  const step = fc.record({
    buy: fc.boolean(),
    size: fc.integer({ min: 1, max: 4 }),
    fee: fc.integer({ min: -5, max: 20 }),
    pnl: fc.integer({ min: -100, max: 100 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const trips = new RoundTripTracker(1);
      let size = 0;
      let sum = 0n;
      for (const { buy, size: change, fee, pnl } of steps) {
        const closes = size !== 0 && size > 0 !== buy;
        const realizedPnl = (closes ? pnl : 0) as Amount;
        trips.recordFill(fill(buy ? "buy" : "sell", change, { fee: fee as Amount, realizedPnl }));
        size += buy ? change : -change;
        sum += BigInt(realizedPnl - fee);
      }
      // Closing what is open without a fee or PnL brings its part into the totals.
      if (size !== 0) trips.recordFill(fill(size > 0 ? "sell" : "buy", Math.abs(size)));
      const { profit, loss, wins, losses, closed } = trips.totals;
      expect(profit - loss).toBe(sum);
      expect(wins + losses).toBeLessThanOrEqual(closed);
    }),
  );
});

test("buy and hold follows equal parts from each market's first mark", () => {
  const hold = new BuyAndHold(1_001, 2);
  expect(hold.equity).toBeNaN();
  hold.recordMark(0, 0);
  expect(hold.equity).toBeNaN();
  hold.recordMark(0, 10);
  hold.recordMark(0, 20);
  expect(hold.equity).toBe(501 * 2 + 500);
  hold.recordMark(1, 8);
  hold.recordMark(1, 2);
  expect(hold.equity).toBe(501 * 2 + 125);
});

test("time near liquidation counts from the block that came near to the next", () => {
  const margin = new MarginTracker(0);
  margin.record(10, 150, 100);
  margin.record(20, 149, 100);
  margin.record(50, 200, 100);
  margin.record(90, 10, 0);
  expect(margin.nearMs).toBe(30);
  expect(margin.peak).toEqual({ timeMs: 20, equity: 149, maintenance: 100 });
  margin.observe(95, -3, 1);
  margin.observe(96, -2, 100);
  expect(margin.peak).toEqual({ timeMs: 95, equity: -3, maintenance: 1 });
});

test("a sample of events is even, bounded, and complete while it fits", () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 30 }), fc.integer({ min: 0, max: 400 }), (max, count) => {
      const sample = new EventSample<number>(max);
      for (let i = 0; i < count; i++) sample.push(i);
      expect(sample.seen).toBe(count);
      expect(sample.events.length).toBeLessThanOrEqual(max);
      if (count <= max) expect(sample.events).toEqual(Array.from({ length: count }, (_, i) => i));
      const stride = (sample.events[1] ?? 1) - (sample.events[0] ?? 0);
      expect(sample.events).toEqual(sample.events.map((_, i) => i * stride));
      if (count > max) expect(sample.events.length).toBeGreaterThanOrEqual(Math.floor(max / 2));
    }),
  );
});
