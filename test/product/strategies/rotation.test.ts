import { expect, test } from "vitest";
import rotation from "../../../src/product/strategies/rotation.ts";
import { run } from "../backtest/helpers.ts";
import { HOUR, hourlyBars, memorySource, START, type TestEvent } from "../backtest/memorySource.ts";

const DAYS = 8;
const NAMES = ["UP", "FLAT", "DOWN", "TURN"];

/** Hourly bars of a market that changes by a rate in each hour; the sign of the last one turns half way. */
function market(place: number, rate: (hour: number) => number): TestEvent[] {
  let price = 1_000;
  const bars = Array.from({ length: DAYS * 24 }, (_, hour) => {
    const open = Math.round(price);
    price *= 1 + rate(hour);
    const close = Math.round(price);
    return [open, Math.max(open, close), Math.min(open, close), close] as const;
  });
  return hourlyBars(bars, 100_000).map((bar) => ({ ...bar, market: place }));
}

const half = (DAYS * 24) / 2;
const data = memorySource(
  [
    market(0, () => 0.002),
    market(1, () => 0),
    market(2, () => -0.002),
    market(3, (hour) => (hour < half ? -0.004 : 0.006)),
  ].flat(),
  { markets: NAMES },
);

/** Runs the example, and keeps the signs of its positions at the end of each day. */
async function follow(params: Readonly<Record<string, number | boolean>>) {
  const days: string[] = [];
  const watched = {
    ...rotation,
    onBlock({ account, now }: { account: { position(name: string): { size: number } }; now: { timeMs: number } }) {
      if ((now.timeMs - START) % (24 * HOUR) !== 12 * HOUR) return;
      days.push(NAMES.map((name) => "-0+"[Math.sign(account.position(name).size) + 1]).join(""));
    },
  };
  const result = await run({
    data,
    strategy: watched as unknown as typeof rotation,
    params: { hours: 24, ...params },
    leverage: 2,
  });
  return { days, result };
}

test("the rotation is long in the best market and short in the worst, and moves when they change", async () => {
  const { days, result } = await follow({});
  // The warm-up takes the first day. TURN falls most until the end of the fourth, and rises most after it.
  expect(days).toEqual(["0000", "+00-", "+00-", "+00-", "00-+", "00-+", "00-+"]);
  expect(result.report.run.assumptions.join("\n")).toContain("Warm-up of TURN: the strategy saw 25 bars");
  expect(Number(result.report.summary.finalEquity)).toBeGreaterThan(10_000);
  expect(result.report.attribution.residual).toBe("0");
  expect(result.metrics["spread of returns"]!.count).toBe(days.length);
});

test("the rotation holds as many markets on each side as it is asked to, or one side alone", async () => {
  const { days: two } = await follow({ hold: 2 });
  expect(two[1]).toBe("++--");
  const { days: long } = await follow({ short: false });
  expect(new Set(long)).toEqual(new Set(["0000", "+000", "000+"]));
});
