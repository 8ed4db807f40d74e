import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type BacktestReport,
  type BlockPoint,
  createRecorder,
  createReport,
  type FillInput,
  type FundingInput,
  type MarketPoint,
  metricDefinitions,
  ReportError,
  type ReportErrorCode,
  readReport,
  renderJson,
} from "../../../src/product/report/index.ts";
import type { ReportRoundTrip } from "../../../src/product/report/model.ts";
import { createSampleInput, recordSample } from "./sample.ts";

const crash = createReport(createSampleInput({ crashAt: 1_700, leverage: 10 }));
const calm = createReport(createSampleInput({ leverage: 2, seed: 11 }));

const getValue = (report: BacktestReport, id: string) => report.summary.metrics.find((m) => m.id === id)!.value;

function catchError(run: () => unknown): ReportError {
  try {
    run();
  } catch (error) {
    if (error instanceof ReportError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

function expectError(run: () => unknown, code: ReportErrorCode, place: string): void {
  const error = catchError(run);
  expect([error.code, error.place]).toEqual([code, place]);
}

describe("a report", () => {
  test("leaves no residual for any seeded run, whether it is liquidated or not", () => {
    let liquidated = 0;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 20 }), (seed, leverage) => {
        const report = createReport(createSampleInput({ seed, leverage, hours: 400, crashAt: 200 }));
        liquidated += report.liquidations.total;
        expect(report.attribution.residual).toBe("0");
      }),
      { numRuns: 40 },
    );
    expect(liquidated).toBeGreaterThan(5);
  });

  test("has round trips whose parts are those of the attribution, to the unit", () => {
    const units = (text: string) => BigInt(Math.round(Number(text) * 1e6));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 20 }), (seed, leverage) => {
        const { roundTrips, attribution } = createReport(
          createSampleInput({ seed, leverage, hours: 400, crashAt: 200 }),
        );
        const sum = (pick: (trip: ReportRoundTrip) => string) =>
          roundTrips.kept.reduce((total, trip) => total + units(pick(trip)), 0n);
        expect(roundTrips.kept.length).toBe(roundTrips.total);
        expect(sum(({ fees }) => fees)).toBe(units(attribution.fees));
        expect(sum((trip) => trip.liquidationFees)).toBe(
          attribution.markets.reduce((total, { liquidationFees }) => total + units(liquidationFees), 0n),
        );
        expect(sum((trip) => trip.realizedPnl) + sum((trip) => trip.unrealizedPnl)).toBe(units(attribution.price));
        expect(sum(({ net }) => net)).toBe(units(roundTrips.net));
        expect(units(roundTrips.net) + units(roundTrips.outside)).toBe(units(attribution.total));
      }),
      { numRuns: 30 },
    );
  });

  test("is the same text for the same run", () => {
    expect(renderJson(createReport(createSampleInput({ crashAt: 1_700, leverage: 10 })))).toBe(renderJson(crash));
  });

  test("has every metric once, in order, with a value or a reason", () => {
    for (const report of [crash, calm]) {
      expect(report.summary.metrics.map(({ id }) => id)).toEqual(Object.keys(metricDefinitions));
      for (const { value, reason } of report.summary.metrics) expect(value === null).toBe(reason !== undefined);
    }
  });

  test("computes the same metrics however much the curves are thinned", () => {
    const coarse = createReport(createSampleInput({ leverage: 2, seed: 11, pointsMax: 64 }));
    expect(coarse.account.timeMs.length).toBeLessThanOrEqual(64);
    expect(coarse.summary).toEqual(calm.summary);
    expect(coarse.daily).toEqual(calm.daily);
  });

  test("agrees with a recount of its own fills and payments", () => {
    const { fills, funding } = calm;
    expect(fills.kept.length).toBe(fills.total);
    const add = (values: readonly string[]) => values.reduce((sum, text) => sum + Math.round(Number(text) * 1e6), 0);
    const taker = fills.kept.filter((fill) => fill.role === "taker").map((fill) => fill.fee);
    expect(add(taker)).toBe(Math.round(Number(getValue(calm, "takerFees")) * 1e6));
    const paid = funding.kept.map((payment) => payment.amount).filter((text) => text.startsWith("-"));
    expect(-add(paid)).toBe(Math.round(Number(getValue(calm, "fundingPaid")) * 1e6));
  });

  test("has no ratio once equity has been zero, and says so", () => {
    for (const id of ["cagr", "sharpe", "sortino", "calmar", "volatility"]) {
      expect(crash.summary.metrics.find((metric) => metric.id === id)).toMatchObject({
        value: null,
        reason: "equityNotPositive",
      });
    }
    expect(getValue(crash, "totalReturn")).toBe(-1);
    expect(getValue(crash, "liquidations")).toBe(1);
    expect(crash.liquidations.kept[0]!.fills).toHaveLength(3);
  });

  test("has no ratio of few trades or of few days", () => {
    const short = createReport(createSampleInput({ hours: 24 * 5 }));
    for (const id of ["sharpe", "sortino", "cagr", "volatility"]) {
      expect(short.summary.metrics.find((metric) => metric.id === id)).toMatchObject({ reason: "tooFewDays" });
    }
    for (const id of ["winRate", "profitFactor", "expectancy"]) {
      expect(short.summary.metrics.find((metric) => metric.id === id)).toMatchObject({ reason: "tooFewTrades" });
    }
  });
});

describe("a report's document", () => {
  test("reads back as it was written", () => {
    for (const report of [crash, calm]) expect(readReport(renderJson(report))).toEqual(report);
  });

  const changed = (change: (report: Record<string, never>) => void) => {
    const copy = JSON.parse(renderJson(crash));
    change(copy);
    return JSON.stringify(copy);
  };

  test.each<[string, string, ReportErrorCode, string]>([
    ["no JSON", "{", "REPORT_MALFORMED", ""],
    ["another document", "[]", "REPORT_SCHEMA", "/kind"],
    ["nothing", "null", "REPORT_SCHEMA", "/kind"],
    ["another version", changed((r) => Object.assign(r, { schemaVersion: 1 })), "REPORT_VERSION", "/schemaVersion"],
    ["a missing part", changed((r) => Object.assign(r["run"]!, { startMs: undefined })), "REPORT_SCHEMA", "/run"],
    [
      "money as a number",
      changed((r) => Object.assign(r["attribution"]!, { price: 1 })),
      "REPORT_SCHEMA",
      "/attribution/price",
    ],
    [
      "text that is no decimal",
      changed((r) => Object.assign(r["attribution"]!, { fees: "1.50" })),
      "REPORT_SCHEMA",
      "/attribution/fees",
    ],
    [
      "a field that is not ours",
      changed((r) => Object.assign(r["orders"]!, { lost: 1 })),
      "REPORT_SCHEMA",
      "/orders/lost",
    ],
    [
      "columns of unequal length",
      changed((r) => (r["account"]!["equity"] as unknown[]).pop()),
      "REPORT_SCHEMA",
      "/account/equity",
    ],
  ])("is refused with its place when it is %s", (_, text, code, place) => {
    expectError(() => readReport(text), code, place);
  });
});

describe("the recorder", () => {
  const create = () =>
    createRecorder({ markets: [{ symbol: "BTC-PERP" }], startTimeMs: 0, initialEquity: 100 as never });
  const block = (more: Partial<Record<keyof BlockPoint, number>> = {}) =>
    ({ timeMs: 1, equity: 100, balance: 100, maintenance: 0, fundingAccrued: 0, ...more }) as BlockPoint;
  const fill = (more: Partial<Record<keyof FillInput, unknown>> = {}) =>
    ({
      timeMs: 1,
      market: 0,
      side: "buy",
      size: 1,
      price: 1,
      value: 1,
      fee: 0,
      role: "taker",
      realizedPnl: 0,
      orderId: "",
      liquidationId: null,
      liquidationFee: 0,
      ...more,
    }) as FillInput;
  const payment = (more: Partial<Record<keyof FundingInput, unknown>>) =>
    ({ timeMs: 0, market: 0, rate: 0, amount: 1, size: 1, mark: 1, index: 1, ...more }) as FundingInput;
  const point = (size: number) => ({ size, mark: 5, last: 5, unrealizedPnl: 0 }) as MarketPoint;

  test.each<[string, string, (recorder: ReturnType<typeof create>) => void]>([
    ["a fraction", "block.equity", (r) => r.recordBlock(block({ equity: 0.5 }))],
    ["a number beyond the limit", "block.balance", (r) => r.recordBlock(block({ balance: 9.1e15 }))],
    ["NaN", "fill.fee", (r) => r.recordFill(fill({ fee: Number.NaN }))],
    ["a fill without size", "fill.size", (r) => r.recordFill(fill({ size: 0 }))],
    ["an unknown market", "fill.market", (r) => r.recordFill(fill({ market: 1 }))],
    ["a rate that is no number", "funding.rate", (r) => r.recordFunding(payment({ rate: undefined }))],
    [
      "a position that its fills do not make",
      "market BTC-PERP",
      (r) => {
        r.recordFill(fill({ size: 3 }));
        r.recordMarket(0, point(2));
      },
    ],
    [
      "time that goes back",
      "block.timeMs",
      (r) => {
        r.recordBlock(block({ timeMs: 5 }));
        r.recordBlock(block({ timeMs: 4 }));
      },
    ],
  ])("refuses %s and names the place", (_, place, act) => {
    expectError(() => act(create()), "REPORT_INPUT", place);
  });

  test("refuses a run without markets, without money, or without blocks", () => {
    expectError(
      () => createRecorder({ markets: [], startTimeMs: 0, initialEquity: 1 as never }),
      "REPORT_INPUT",
      "markets",
    );
    expectError(
      () => createRecorder({ markets: [{ symbol: "A" }], startTimeMs: 0, initialEquity: 0 as never }),
      "REPORT_INPUT",
      "initialEquity",
    );
    expectError(() => create().finish(), "REPORT_EMPTY", "");
  });

  test("shows an event that the driver forgot as a residual", () => {
    const recorder = create();
    recorder.recordFill(fill({ fee: 3 }));
    recorder.recordMarket(0, point(1));
    // The fee is recorded, but equity says that it was never paid.
    recorder.recordBlock(block());
    const report = createReport({ ...createSampleInput({ hours: 48 }), recording: recorder.finish() });
    expect(report.attribution.residual).toBe("0.000003");
  });

  test("takes equity out of ratios when money moved in or out", () => {
    const recorder = create();
    recorder.recordAdjustment({ timeMs: 1, kind: "transfer", amount: 50 as never });
    recorder.recordBlock(block({ equity: 150, balance: 150 }));
    const report = createReport({ ...createSampleInput({ hours: 48 }), recording: recorder.finish() });
    expect(report.attribution).toMatchObject({ total: "0", transfers: "0.00005", residual: "0" });
    expect(report.summary.metrics.find(({ id }) => id === "totalReturn")).toMatchObject({ reason: "externalFlow" });
  });

  test("does not keep the objects that the caller reuses", () => {
    const recorder = create();
    const reused = fill();
    recorder.recordFill(reused);
    Object.assign(reused, { size: 7 });
    recorder.recordMarket(0, point(1));
    recorder.recordBlock(block());
    expect(recorder.finish().fills[0]!.size).toBe(1);
  });

  test("keeps the worst drawdown on a thinned curve where it is neither the lowest nor the last equity", () => {
    const recorder = createRecorder({
      markets: [{ symbol: "BTC-PERP" }],
      startTimeMs: 0,
      initialEquity: 100 as never,
      pointsMax: 64,
    });
    const curve = [90, 1_000, 400, ...Array.from({ length: 5_000 }, () => 600)];
    for (const [timeMs, equity] of curve.entries()) recorder.recordBlock(block({ timeMs, equity, balance: equity }));
    const { account } = createReport({ ...createSampleInput({ hours: 48 }), recording: recorder.finish() });
    expect(account.timeMs.length).toBeLessThanOrEqual(64);
    expect(Math.max(...account.drawdown)).toBe(0.6);
  });

  test("passes every record on, also those that the recording keeps no more", () => {
    const passed = { fills: 0, payments: 0, trips: 0, points: 0, position: 0 };
    const recorder = createRecorder({
      markets: [{ symbol: "BTC" }],
      startTimeMs: 0,
      initialEquity: 1_000 as never,
      eventsMax: 4,
      listener: {
        onFill: (_, position) => {
          passed.fills++;
          passed.position = position;
        },
        onFunding: () => passed.payments++,
        onRoundTrip: () => passed.trips++,
        onPoint: ({ timeMs }) => {
          passed.points++;
          expect(timeMs).toBe(passed.points);
        },
      },
    });
    for (let at = 1; at <= 99; at++) {
      recorder.recordFill(fill({ timeMs: at, side: at % 2 === 1 ? "buy" : "sell" }));
      recorder.recordFunding(payment({ timeMs: at }));
      recorder.recordMarket(0, point(at % 2));
      recorder.recordBlock(block({ timeMs: at }));
    }
    const recording = recorder.finish();
    // The last of 50 trips is open.
    expect(passed).toEqual({ fills: 99, payments: 99, trips: 50, points: 99, position: 1 });
    expect(recording.fills.length).toBeLessThanOrEqual(4);
    expect(recording.totals.fills).toBe(99);
  });

  test("writes every unit as decimal text in its own scale", () => {
    const recorder = create();
    recorder.recordFill(
      fill({ size: 150_000_000, price: 6_000_012_345_678, value: 90_000_185_185, fee: -1, realizedPnl: 0 }),
    );
    recorder.recordFunding(payment({ timeMs: 1, rate: 123_456, amount: -7 }));
    recorder.recordMarket(0, point(150_000_000));
    recorder.recordBlock(block());
    const report = createReport({ ...createSampleInput({ hours: 48 }), recording: recorder.finish() });
    expect(report.fills.kept[0]).toMatchObject({
      size: "1.5",
      price: "60000.12345678",
      value: "90000.185185",
      fee: "-0.000001",
    });
    expect(report.funding.kept[0]).toMatchObject({ rate: "0.000123456", amount: "-0.000007" });
    expect(report.run.driver).toMatchObject({ makerFee: "0.0002", takerFee: "0.0005", participation: "0.1" });
    expect(report.markets[0]).toMatchObject({ size: ["1.5"], mark: ["0.00000005"] });
  });

  test("keeps within its bound of memory over a long run, and what it keeps has the lowest equity", () => {
    const { account, statistics } = recordSample({ hours: 20_000, crashAt: 9_000, leverage: 3, pointsMax: 200 });
    expect(account.timeMs.length).toBeLessThanOrEqual(200);
    expect(Math.min(...account.equity)).toBe(statistics.lowestEquity);
    const falls = account.equity.map((equity, i) => (account.peak[i]! - equity) / account.peak[i]!);
    const worst = statistics.maxDrawdown!;
    expect(Math.max(...falls)).toBe((worst.peak - worst.trough) / worst.peak);
  });
});
