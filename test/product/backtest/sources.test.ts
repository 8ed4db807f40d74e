import { expect, test } from "vitest";
import { run } from "./helpers.ts";
import { HOUR, hourlyBars, memorySource, START, type TestEvent } from "./memorySource.ts";

const bars = hourlyBars(Array.from({ length: 10 }, () => [100, 101, 99, 100] as const));
const mark = (hours: number): TestEvent => ({ kind: "mark", timeMs: START + hours * HOUR, price: 100 });
const funding = (hours: number): TestEvent => ({ kind: "funding", timeMs: START + hours * HOUR, rate: 0.0001 });

// The headline named the source "recorded" on runs in which the last price was the mark in nearly every block.
test.each([
  ["of every bar", Array.from({ length: 41 }, (_, at) => mark(at / 4)), "recorded", 0],
  ["of the first hour", [mark(0)], "last trade in 35 of 40 instants, else recorded", 1],
  ["of all hours but two", [0, 1, 2, 3, 4, 7, 8, 9].map(mark), "recorded, last trade in 7 of 40 instants", 1],
  ["of none", [], "last trade", 0],
] as const)("the headline of marks %s", async (_name, marks, headline, notices) => {
  const { report } = await run({ data: memorySource([...bars, ...marks]) });
  expect(report.run.driver.markSource).toBe(headline);
  expect(report.run.notices.filter((text) => text.startsWith("The mark of BTC is the last price"))).toHaveLength(
    notices,
  );
});

test("the headline of funding is what was settled in the run", async () => {
  const sourceOf = async (events: readonly TestEvent[]) => {
    const { report } = await run({ data: memorySource([...bars, ...events]) });
    return [report.run.driver.fundingSource, report.run.assumptions.join("\n").includes("no funding rates of BTC")];
  };
  expect(await sourceOf([])).toEqual(["none", true]);
  expect(await sourceOf([funding(8)])).toEqual(["recorded", false]);
  // Rates before and after the run are none of it.
  expect(await sourceOf([funding(-8), funding(16)])).toEqual(["none", true]);
});

test("markets whose sources differ are named one by one", async () => {
  const other = bars.map((bar): TestEvent => ({ ...bar, market: 1 }));
  const data = memorySource([...bars, ...other, funding(8), mark(0)], { markets: ["BTC", "ETH"] });
  const { driver } = (await run({ data })).report.run;
  expect(driver.fundingSource).toBe("BTC: recorded; ETH: none");
  expect(driver.markSource).toMatch(/^BTC: last trade in \d+ of \d+ instants, else recorded; ETH: last trade$/);
});
