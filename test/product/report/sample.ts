import type { Amount, Ppb, Ppm, PriceE8, SizeE8 } from "../../../src/ground/math/fixed.ts";
import { Random } from "../../../src/ground/math/random.ts";
import type { Recording, ReportInput } from "../../../src/product/report/input.ts";
import { createRecorder } from "../../../src/product/report/recorder.ts";

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2020, 0, 1);

export interface SampleOptions {
  readonly seed?: number;
  readonly hours?: number;
  readonly leverage?: number;
  /** Hour of a crash by a third over eight hours; none by default. */
  readonly crashAt?: number;
  readonly pointsMax?: number;
}

/** Price per base in 1e-8 USD times size in 1e-8 base, as quote units of 1e-6 USD, toward minus infinity. */
function toValue(price: number, size: number): number {
  const product = BigInt(price) * BigInt(size);
  const unit = 10n ** 10n;
  const quotient = product / unit;
  return Number(product < 0n && quotient * unit !== product ? quotient - 1n : quotient);
}

/**
 * An account that follows a trend in a seeded price, with fees, funding every eight hours and liquidation at
 * maintenance: a small ledger of its own, kept to the unit, so that a report of it must have no residual.
 */
export function recordSample(options: SampleOptions = {}): Recording {
  const { seed = 7, hours = 24 * 200, leverage = 5, crashAt = -1, pointsMax } = options;
  const random = new Random([seed, 1, 2, 3]);
  const initialEquity = 10_000_000_000;
  const recorder = createRecorder({
    markets: [{ symbol: "BTC-PERP" }],
    startTimeMs: START_MS,
    initialEquity: initialEquity as Amount,
    ...(pointsMax === undefined ? {} : { pointsMax }),
  });
  let balance = initialEquity;
  let size = 0;
  let cost = 0;
  let price = 720_000_000_000;
  let insurance = 250_000_000_000;
  let orderId = 0;
  let trend = 0;
  let slow = price;
  let liquidations = 0;

  const fill = (timeMs: number, change: number, at: number, liquidationId: string | null) => {
    const side = change > 0 ? ("buy" as const) : ("sell" as const);
    const value = toValue(at, Math.abs(change));
    const closing = size !== 0 && size < 0 !== change < 0 ? Math.min(Math.abs(change), Math.abs(size)) : 0;
    const released = closing === 0 ? 0 : Math.trunc((cost * closing) / Math.abs(size));
    const closedValue = closing === Math.abs(change) ? value : toValue(at, closing);
    const realizedPnl = closing === 0 ? 0 : size > 0 ? closedValue - released : -closedValue - released;
    const maker = liquidationId === null && random.chance(1, 3);
    const fee = liquidationId === null ? Math.ceil((value * (maker ? 2 : 5)) / 10_000) : 0;
    const liquidationFee = liquidationId === null ? 0 : Math.max(0, Math.min(Math.floor(value / 200), balance));
    balance += realizedPnl - fee - liquidationFee;
    cost += -released + (side === "buy" ? value - closedValue : closedValue - value) * (closing > 0 ? 1 : 0);
    if (closing === 0) cost += side === "buy" ? value : -value;
    size += change;
    recorder.recordOrder("placed");
    recorder.recordFill({
      timeMs,
      market: 0,
      side,
      size: Math.abs(change) as SizeE8,
      price: at as PriceE8,
      value: value as Amount,
      fee: fee as Amount,
      role: maker ? "maker" : "taker",
      realizedPnl: realizedPnl as Amount,
      orderId: liquidationId === null ? `O-${++orderId}` : "",
      liquidationId,
      liquidationFee: liquidationFee as Amount,
    });
    return { value, liquidationFee };
  };

  for (let hour = 1; hour <= hours; hour++) {
    const timeMs = START_MS + hour * HOUR_MS;
    if (hour % 60 === 0) trend = random.between(-9, 10);
    let move = random.between(-80, 80) + trend;
    if (hour >= crashAt && hour < crashAt + 8 && crashAt >= 0) move = -random.between(300, 620);
    price = Math.round((price * (10_000 + move)) / 10_000 / 1e6) * 1e6;
    slow += (price - slow) * 0.03;

    if (hour % 8 === 0 && size !== 0) {
      const rate = 100_000 + random.between(-200_000, 300_000);
      const amount = -Math.ceil((toValue(price, size) * rate) / 1e9);
      balance += amount;
      recorder.recordFunding({
        timeMs,
        market: 0,
        rate: rate as Ppb,
        amount: amount as Amount,
        size: size as SizeE8,
        mark: price as PriceE8,
        index: price as PriceE8,
      });
    }

    const equityAt = (at: number) => balance + (size === 0 ? 0 : toValue(at, size) - cost);
    const maintenanceAt = (at: number) => Math.ceil(toValue(at, Math.abs(size)) / 100);
    if (size !== 0 && equityAt(price) < maintenanceAt(price)) {
      const id = `L-${hour}-${liquidations++}`;
      const before = {
        size,
        equity: equityAt(price),
        maintenance: maintenanceAt(price),
        side: size > 0 ? "long" : "short",
      } as const;
      const fills = [];
      let insuranceDelta = 0;
      const parts = 3;
      for (let part = 0; part < parts; part++) {
        const change = part === parts - 1 ? -size : -Math.trunc(before.size / parts);
        const at = price - Math.sign(before.size) * Math.round((price * (part + 1)) / 1_500 / 1e6) * 1e6;
        const closed = fill(timeMs, change, at, id);
        insuranceDelta += closed.liquidationFee;
        fills.push({
          timeMs,
          kind: part < 2 ? "book" : "deleveraging",
          size: Math.abs(change) as SizeE8,
          price: at as PriceE8,
          value: closed.value as Amount,
          fee: closed.liquidationFee as Amount,
        });
      }
      insurance += insuranceDelta;
      if (insuranceDelta > 0) {
        recorder.recordInsurance({
          timeMs,
          cause: "liquidationFee",
          amount: insuranceDelta as Amount,
          balance: insurance as Amount,
        });
      }
      const deficit = Math.max(0, -balance);
      if (deficit > 0) {
        insurance -= deficit;
        insuranceDelta -= deficit;
        balance = 0;
        recorder.recordAdjustment({ timeMs, kind: "deficitCovered", amount: deficit as Amount });
        recorder.recordInsurance({ timeMs, cause: "cover", amount: -deficit as Amount, balance: insurance as Amount });
      }
      recorder.recordLiquidation({
        id,
        timeMs,
        market: 0,
        side: before.side,
        size: Math.abs(before.size) as SizeE8,
        mark: price as PriceE8,
        equity: before.equity as Amount,
        maintenance: before.maintenance as Amount,
        stages:
          deficit > 0 ? ["open", "bookClosing", "insuranceCover", "completed"] : ["open", "bookClosing", "completed"],
        fills,
        insuranceDelta: insuranceDelta as Amount,
        deficit: deficit as Amount,
      });
    } else if (hour % 12 === 0) {
      const direction = price > slow * 1.004 ? 1 : price < slow * 0.996 ? -1 : 0;
      const wanted =
        balance <= 50_000_000
          ? 0
          : Math.trunc((direction * equityAt(price) * leverage * 0.8 * 1e10) / price / 1e5) * 1e5;
      if (Math.sign(wanted) !== Math.sign(size) && wanted !== size) {
        if (size !== 0) fill(timeMs, -size, price, null);
        if (wanted !== 0) fill(timeMs, wanted, price + Math.sign(wanted) * 1e7, null);
        if (random.chance(1, 4)) recorder.recordOrder("cancelled");
      } else if (random.chance(1, 30))
        recorder.recordRejection(random.pick(["INSUFFICIENT_MARGIN", "POST_ONLY_WOULD_CROSS"]), timeMs, true);
    }

    recorder.recordMarket(0, {
      size: size as SizeE8,
      mark: price as PriceE8,
      last: (price + random.between(-30, 30) * 1e7) as PriceE8,
      unrealizedPnl: (size === 0 ? 0 : toValue(price, size) - cost) as Amount,
    });
    recorder.recordBlock({
      timeMs,
      equity: equityAt(price) as Amount,
      balance: balance as Amount,
      maintenance: (size === 0 ? 0 : maintenanceAt(price)) as Amount,
      fundingAccrued: 0 as Amount,
    });
  }
  return recorder.finish();
}

/** A whole input around the sample recording. */
export function createSampleInput(options: SampleOptions = {}): ReportInput {
  const recording = recordSample(options);
  const { startTimeMs, endTimeMs, blocks } = recording.statistics;
  return {
    strategy: { id: "trend-following", params: { fast: 20, slow: 120, risk: "0.8", allowShort: true } },
    data: [
      {
        name: "data/BTC-PERP-1h.csv",
        sha256: "4f8d1a0c5be2f3c9a70b6f21d4e8c9b35a6d7e8f90123456789abcdef0123456",
        rows: blocks,
        fromMs: startTimeMs,
        toMs: endTimeMs,
        findings: [
          {
            kind: "gap",
            line: 1_204,
            column: "open_time",
            count: 3,
            sample: "2020-02-19T11:00:00Z to 2020-02-19T17:00:00Z",
          },
          { kind: "badOhlc", line: 2_310, column: "low", count: 1, sample: "low 7931.5 is above close 7930" },
        ],
      },
      {
        name: "data/BTC-PERP-funding.csv",
        sha256: "9b1d77c0aa43ef5566778899aabbccddeeff00112233445566778899aabbccdd",
        rows: Math.floor(blocks / 8),
        fromMs: startTimeMs,
        toMs: endTimeMs,
        findings: [],
      },
    ],
    driver: {
      fidelity: [{ market: "BTC-PERP", data: "bars" }],
      latencyMs: 250,
      latency: "250",
      leverage: options.leverage ?? 5,
      makerFee: 200 as Ppm,
      takerFee: 500 as Ppm,
      spreadTicks: 1,
      participation: 100_000 as Ppm,
      impact: "linear, 1 tick per level",
      markSource: "recorded",
      fundingSource: "recorded, every 8 h",
      blockCadence: "one block per bar point",
      signatures: "elide",
      seed: "42",
    },
    engine: {
      protocolVersion: "1",
      genesisHash: `0x${"3a7c".repeat(16)}`,
      stateRoot: `0x${"c0de".repeat(16)}`,
      effectsHead: `0x${"9e1f".repeat(16)}`,
      blocks: blocks * 4,
      transactions: blocks * 11,
    },
    performance: { wallMs: 1_834, peakMemoryBytes: 148_897_792 },
    command:
      "perplab backtest trend-following --data data/BTC-PERP-1h.csv --param fast=20 --param slow=120 --leverage 5 --seed 42",
    assumptions: [
      "Bars are walked open, high, low, close when the close is above the open, and open, low, high, close otherwise.",
      "House accounts quote both sides one tick apart and offer a tenth of each bar's volume along that path.",
      "An order reaches the venue 250 ms after the strategy sent it.",
      "Every other account is history: it does not react to the strategy.",
    ],
    notices: [],
    stopped: null,
    ownMetrics: createSampleMetrics(),
    recording,
  };
}

/** A figure of the strategy's own, a value a day. */
function createSampleMetrics(): ReportInput["ownMetrics"] {
  const timeMs = Float64Array.from({ length: 30 }, (_, day) => START_MS + day * 86_400_000);
  const values = timeMs.map((_, day) => Math.sin(day / 3) / 50);
  const [least, greatest] = [Math.min(...values), Math.max(...values)];
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return [{ name: "distance", count: 45, last: values.at(-1)!, least, greatest, mean, timeMs, values }];
}
