import { expect, test } from "vitest";
import { Outlook, type OutlookParts } from "../../../src/product/backtest/outlook.ts";
import { readBar } from "../../../src/product/backtest/recordedData.ts";
import type { EventChunk } from "../../../src/product/market-data/types.ts";
import { strategy } from "./helpers.ts";
import { HOUR, memorySource, START, type TestEvent } from "./memorySource.ts";

const at = (hours: number) => START + hours * HOUR;
const bar = (hours: number, low = 90, high = 110): TestEvent => ({
  kind: "bar",
  timeMs: at(hours),
  ohlc: [100, high, low, 100],
  volume: 1,
  intervalMs: HOUR,
});

interface Case {
  readonly events?: readonly TestEvent[];
  readonly parts?: Partial<OutlookParts>;
  readonly safeMs?: number;
  readonly isFlat?: boolean;
  /** Ranges that the account survives. */
  readonly survives?: (range: { low: number; high: number; fundingShare: number }) => boolean;
  readonly most?: number;
  readonly hooks?: Parameters<typeof strategy>[0];
}

/** Hours of the bars that are listed after the first. */
async function list({ events = [1, 2, 3, 4, 5].map((hours) => bar(hours)), ...more }: Case = {}): Promise<number[]> {
  const { parts = {}, safeMs = Infinity, isFlat = true, survives = () => true, most = 9, hooks = {} } = more;
  const chunks: EventChunk[] = [];
  for await (const chunk of memorySource(events).chunks()) chunks.push(chunk);
  const segments = chunks.map((chunk) => ({ chunk, from: 0, to: chunk.count }));
  const outlook = new Outlook(strategy(hooks), {
    history: {
      lookAhead: () => ({ segments, safeMs, longestMs: HOUR }),
      flows: [{ listHeldPrices: () => [100e8] }] as unknown as OutlookParts["history"]["flows"],
    },
    names: ["BTC"],
    marked: { isFlat, isExposed: false, isSafeWithin: ([range]) => survives(range!) },
    session: { isWaiting: false, findCallAfter: () => Infinity },
    sender: { inFlight: 0 },
    isQuiet: () => true,
    ...parts,
  });
  return outlook.listAfter(readBar(chunks[0]!, 0, ["BTC"]), most).map(({ timeMs }) => (timeMs - START) / HOUR);
}

test("the bars after the one that is shown, up to as many as are asked for", async () => {
  expect(await list()).toEqual([2, 3, 4, 5]);
  expect(await list({ most: 2 })).toEqual([2, 3]);
  expect(await list({ most: 0 })).toEqual([]);
});

test("none while something of the strategy is on its way, rests, or waits", async () => {
  expect(await list({ parts: { sender: { inFlight: 1 } } })).toEqual([]);
  expect(await list({ parts: { isQuiet: () => false } })).toEqual([]);
  expect(await list({ parts: { marked: { isFlat: true, isExposed: true, isSafeWithin: () => true } } })).toEqual([]);
  expect(await list({ parts: { session: { isWaiting: true, findCallAfter: () => Infinity } } })).toEqual([]);
});

test("none where trades drive a market", async () => {
  expect(await list({ parts: { history: { lookAhead: () => undefined, flows: [] } } })).toEqual([]);
});

test("bars before the next call of a timer or bar of a frame", async () => {
  expect(await list({ parts: { session: { isWaiting: false, findCallAfter: () => at(4) } } })).toEqual([2, 3]);
});

test("bars up to which everything is read: a longer bar of another market may begin then", async () => {
  expect(await list({ safeMs: at(3) })).toEqual([2, 3]);
});

const funding: TestEvent = { kind: "funding", timeMs: at(3), rate: 0.01 };
const paid = [1, 2, 3, 4].map((hours) => bar(hours)).concat(funding);

test("a payment of funding ends them where the strategy has a hook for it and a position", async () => {
  expect(await list({ events: paid, isFlat: false, hooks: { onFunding() {} } })).toEqual([2]);
  expect(await list({ events: paid, isFlat: false })).toEqual([2, 3, 4]);
  expect(await list({ events: paid, hooks: { onFunding() {} } })).toEqual([2, 3, 4]);
});

test("with a position, bars whose prices and funding the account survives on any path", async () => {
  const crash = [bar(1), bar(2), bar(3), bar(4, 50), bar(5)];
  const survives = ({ low }: { low: number }) => low > 60e8;
  expect(await list({ events: crash, isFlat: false, survives })).toEqual([2, 3]);
  expect(await list({ events: crash, isFlat: true, survives })).toEqual([2, 3, 4, 5]);
  // The first range is that of all bars; it is halved until the account survives it.
  expect(await list({ events: paid, isFlat: false, survives: ({ fundingShare }) => fundingShare === 0 })).toEqual([2]);
  expect(await list({ isFlat: false, survives: () => false })).toEqual([]);
});

test("a bar that ends later moves the market within the time of the others", async () => {
  // The third bar begins in the hour of the second.
  const events = [bar(1), bar(2), bar(2.5, 50), bar(9)];
  const survives = ({ low }: { low: number }) => low > 60e8;
  expect(await list({ events, isFlat: false, survives })).toEqual([]);
});
