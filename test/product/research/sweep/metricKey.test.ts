import { describe, expect, test } from "vitest";
import {
  describeMetric,
  isLessBetter,
  type Measured,
  readMetric,
  readReason,
  readValue,
  showMetric,
  showNumber,
  splitMetric,
} from "../../../../src/product/research/sweep/metricKey.ts";

const record: Measured = {
  metrics: { totalReturn: 0.5, takerFees: "12.5" },
  reasons: {},
  strategies: [
    { name: "bold", metrics: { totalReturn: -0.25, sharpe: null }, reasons: { sharpe: "tooFewDays" } },
    { name: "calm", metrics: { totalReturn: 1 }, reasons: {} },
  ],
};

describe("a metric of one of several strategies", () => {
  test("is read from its figures, and one without a strategy from those of the run", () => {
    expect(readValue(record, "totalReturn")).toBe(0.5);
    expect(readValue(record, "totalReturn@bold")).toBe(-0.25);
    expect(readValue(record, "sharpe@bold")).toBeNull();
    expect(readReason(record, "sharpe@bold")).toBe("tooFewDays");
    // A run that failed has no strategies.
    expect(readValue({ ...record, strategies: [] }, "totalReturn@bold")).toBeNull();
  });

  test("has the strategy in its label, and the unit and direction of the metric", () => {
    expect(describeMetric("maxDrawdown@bold").label).toBe(`${describeMetric("maxDrawdown").label}, bold`);
    expect([isLessBetter("maxDrawdown@bold"), isLessBetter("sharpe@bold")]).toEqual([true, false]);
    expect(showMetric(record, "totalReturn@bold")).toContain("25.00 %");
    expect(showNumber("takerFees@bold", 12.5)).toBe(showMetric(record, "takerFees"));
    expect(splitMetric("sharpe@a-b")).toEqual({ id: "sharpe", of: "a-b" });
  });

  test("is named in any case, by a strategy of the run", () => {
    expect(readMetric("--sort", "SHARPE@bold", ["bold", "calm"])).toBe("sharpe@bold");
    expect(readMetric("--sort", "sharpe", ["bold", "calm"])).toBe("sharpe");
    expect(readMetric("--sort", "sharpe@bold", ["bold"])).toBe("sharpe");
    expect(() => readMetric("--sort", "sharpe@blod", ["bold", "calm"])).toThrow('there is no strategy "blod"');
    expect(() => readMetric("--sort", "sharp@bold", ["bold"])).toThrow('there is no metric "sharp"');
  });
});
