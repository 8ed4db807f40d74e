import fc from "fast-check";
import { expect, test } from "vitest";
import { resolveReplay } from "../../../../../src/product/replay/settings.ts";
import { createLatencyPreset, createPreset } from "../../../../../src/product/research/sweep/sensitivity/presets.ts";

const usual = { fees: { maker: "0.00015", taker: "0.00045" }, participation: undefined };
/** The preset of a latency that all accounts share. */
const ofLatency = (ms: number) => createLatencyPreset("feed-latency", new Map([["own", ms]]));
const ratio = fc.integer({ min: 1, max: 20_000 }).map((ppm) => (ppm / 1_000_000).toFixed(6).replace(/0+$/, ""));
const assumptions = fc.record({
  latencyMs: fc.nat({ max: 10_000 }),
  fees: fc
    .record({
      maker: fc.oneof(
        ratio,
        fc.constant("0"),
        ratio.map((text) => `-${text}`),
      ),
      taker: ratio,
    })
    .filter(({ maker, taker }) => Number(maker) + Number(taker) >= 0),
  participation: fc.integer({ min: 1, max: 1_000 }).map((ppm) => `${ppm / 1_000}`),
});

test("the usual assumptions are varied from kind to harsh, and are one of the values themselves", () => {
  expect(ofLatency(100)).toEqual({
    name: "feed-latency",
    values: ["0", "100", "200", "500", "1000", "5000"],
    base: "100",
  });
  expect(createPreset("fees", usual).values).toEqual([
    "0/0",
    "0.000075/0.000225",
    "0.00015/0.00045",
    "0.000225/0.000675",
    "0.0003/0.0009",
    "0.00045/0.00135",
  ]);
  expect(createPreset("participation", usual)).toEqual({
    name: "participation",
    values: ["0.2", "0.1", "0.05", "0.025", "0.01", "0.002"],
    base: "0.1",
  });
});

test("a run without latency gets some, and a rebate shrinks as fees grow", () => {
  const given = { fees: { maker: "-0.0001", taker: "0.0004" }, participation: "1" };
  expect(ofLatency(0).values).toEqual(["0", "100", "200", "500", "1000", "5000"]);
  expect(createPreset("fees", given).values).toEqual([
    "0/0",
    "-0.00015/0.0002",
    "-0.0001/0.0004",
    "-0.00005/0.0006",
    "0/0.0008",
    "0/0.0012",
  ]);
  expect(createPreset("participation", given).values[0]).toBe("1");
});

test("for any assumptions the base is a value, no value comes twice, and costs never fall", () => {
  fc.assert(
    fc.property(assumptions, (given) => {
      const presets = [createPreset("fees", given), createPreset("participation", given), ofLatency(given.latencyMs)];
      for (const { name, values, base } of presets) {
        expect(values, name).toContain(base);
        expect(new Set(values).size).toBe(values.length);
      }
      const latencies = ofLatency(given.latencyMs).values.map(Number);
      expect(latencies).toEqual([...latencies].sort((a, b) => a - b));
      const fees = createPreset("fees", given).values.map((text) => text.split("/").map(Number) as [number, number]);
      fees.forEach(([maker, taker], at) => {
        expect(maker + taker, "a market refuses a rebate above the taker fee").toBeGreaterThanOrEqual(0);
        if (at > 0) expect(taker).toBeGreaterThanOrEqual(fees[at - 1]![1]);
      });
      for (const participation of createPreset("participation", given).values) resolveReplay({ participation });
    }),
  );
});

test.each([
  ["latency", "latencyMs"],
  ["feed-latency", "feedLatencyMs"],
  ["receipt-latency", "receiptLatencyMs"],
] as const)("accounts whose %s differs have their own times a factor", (name, option) => {
  const latencies = new Map([
    ["slow", 200],
    ["fast", 0],
  ]);
  const preset = createLatencyPreset(name, latencies);
  expect(preset.values).toEqual(["0x", "1x", "2x", "5x", "10x", "50x"]);
  expect(preset.base).toBe("1x");
  expect(preset.axis?.map(({ each }) => each)).toEqual(
    [0, 200, 400, 1_000, 2_000, 10_000].map((ms) => ({ fast: { [option]: 0 }, slow: { [option]: ms } })),
  );
});
