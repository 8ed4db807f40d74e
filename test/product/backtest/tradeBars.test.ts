import { expect, test } from "vitest";
import type { Bar } from "../../../src/client/strategy/facts.ts";
import { run, strategy } from "./helpers.ts";
import { HOUR, hourlyBars, memorySource, START, type TestEvent } from "./memorySource.ts";

const trade = (seconds: number, price: number, size: number, market = 0): TestEvent => ({
  kind: "trade",
  timeMs: START + seconds * 1_000,
  price,
  size,
  market,
});

/** `open-close open high low close volume`, in seconds since the start. */
const show = ({ market, openTimeMs, closeTimeMs, open, high, low, close, volume }: Bar) =>
  `${market} ${(openTimeMs - START) / 1_000}-${(closeTimeMs - START) / 1_000} ${open} ${high} ${low} ${close} ${volume}`;

const collect = (calls: string[]) =>
  strategy({
    onTrade: (_ctx, { price }) => void calls.push(`trade ${price}`),
    onBar(ctx, bar) {
      expect(ctx.now.timeMs).toBeGreaterThanOrEqual(bar.closeTimeMs);
      calls.push(show(bar));
    },
  });

// On a tape of trades onBar was never called, and no message reported it.
test("a market with trades alone has bars of a minute, made of them", async () => {
  const trades = [trade(1, 100, 1), trade(20, 103, 2), trade(59.9, 99, 1), trade(60, 101, 4), trade(200, 105, 1)];
  const calls: string[] = [];
  const { report } = await run({ data: memorySource([...trades, trade(245, 104, 1)]), strategy: collect(calls) });
  expect(calls).toEqual([
    "trade 100",
    "trade 103",
    "trade 99",
    "BTC 0-60 100 103 99 99 4",
    "trade 101",
    "BTC 60-120 101 101 101 101 4",
    "trade 105",
    "BTC 180-240 105 105 105 105 1",
    "trade 104",
  ]);
  expect(report.run.assumptions.join("\n")).toContain("bars of 1 min that are made of its trades");
});

test("bars have the length that is asked for, in every market, whatever the chunks", async () => {
  const trades = [
    trade(5, 100, 1),
    trade(6, 50, 1, 1),
    trade(250, 102, 1),
    trade(299, 52, 3, 1),
    trade(301, 53, 1, 1),
    trade(650, 103, 1),
  ];
  const runs: string[][] = [];
  for (const chunkRows of [1, 2, 100]) {
    const calls: string[] = [];
    const data = memorySource(trades, { markets: ["BTC", "ETH"], chunkRows });
    await run({ data, strategy: collect(calls), barMs: 300_000 });
    runs.push(calls.filter((line) => !line.startsWith("trade")));
  }
  expect(runs[0]).toEqual(["BTC 0-300 100 102 100 102 2", "ETH 0-300 50 52 50 52 4", "ETH 300-600 53 53 53 53 1"]);
  expect(runs[1]).toEqual(runs[0]);
  expect(runs[2]).toEqual(runs[0]);
});

test("a market with recorded bars has those alone", async () => {
  const calls: string[] = [];
  const bars = hourlyBars([[100, 104, 96, 101]], 10);
  await run({ data: memorySource([...bars, trade(3, 100, 1), trade(3_700, 101, 1)]), strategy: collect(calls) });
  expect(calls.filter((line) => !line.startsWith("trade"))).toEqual([`BTC 0-3600 100 104 96 101 10`]);
});

test("a length of bars that no strategy gets is refused", async () => {
  const bars = memorySource(hourlyBars([[100, 104, 96, 101]], 10));
  const trades = memorySource([trade(1, 100, 1)]);
  const cases = [
    { data: bars, strategy: collect([]), barMs: HOUR },
    { data: trades, strategy: strategy({}), barMs: HOUR },
    { data: trades, strategy: collect([]), barMs: 7_000 },
    { data: trades, strategy: collect([]), barMs: 0 },
  ];
  for (const options of cases) {
    await expect(run(options)).rejects.toMatchObject({ code: "OPTION_INVALID", place: "bars", exitCode: 2 });
  }
});
