import { expect, test } from "vitest";
import { isReplayError } from "../../../src/product/replay/errors.ts";
import { surveyMarkets } from "../../../src/product/replay/surveyMarkets.ts";
import { HOUR, memorySource, START, type TestEvent } from "../backtest/memorySource.ts";

const ohlc = [7, 9, 6, 8] as const;
const bar: TestEvent = { kind: "bar", timeMs: START + HOUR, ohlc, volume: 1 };
const mark: TestEvent = { kind: "mark", timeMs: START + HOUR, price: 8, ohlc, intervalMs: HOUR };
const sample: TestEvent = { kind: "index", timeMs: START, price: 5 };
const trade: TestEvent = { kind: "trade", timeMs: START + 2 * HOUR, price: 3, size: 1 };
const funding: TestEvent = { kind: "funding", timeMs: START, rate: 0.0001 };

const survey = (events: readonly TestEvent[], allowPricesAlone = false) => {
  const { manifest, chunks } = memorySource(events, { chunkRows: 1 });
  return surveyMarkets(manifest, chunks(), { allowPricesAlone });
};

test.each([
  ["trades", [sample, bar, mark, trade], { driver: "trade", intervalMs: 0, firstPrice: 3e8, fromMs: START + 2 * HOUR }],
  ["bars", [sample, bar, mark], { driver: "bar", intervalMs: HOUR, firstPrice: 7e8, fromMs: START + 1 }],
] as const)("a market is driven by its %s before anything else", async (_, events, expected) => {
  expect(await survey(events)).toEqual([expected]);
});

test("a market of reference prices alone is driven by its marks, else its index, where that is allowed", async () => {
  expect(await survey([sample, mark], true)).toEqual([
    { driver: "mark", intervalMs: HOUR, firstPrice: 7e8, fromMs: START + 1 },
  ]);
  expect(await survey([sample, funding], true)).toEqual([
    { driver: "index", intervalMs: 0, firstPrice: 5e8, fromMs: START },
  ]);
  for (const [events, allowed] of [
    [[sample, mark], false],
    [[funding], false],
    [[funding], true],
  ] as const) {
    const error = await survey(events, allowed).catch((found: unknown) => found);
    expect(isReplayError(error, "DATA_UNUSABLE") && error.place).toBe("BTC");
  }
});

test("a market that does not trade in the range that is read has no first price", async () => {
  const source = memorySource([trade, sample]);
  expect(await surveyMarkets(source.manifest, source.chunks({ toMs: START + 1 }))).toEqual([
    { driver: "trade", intervalMs: 0, firstPrice: 0, fromMs: Number.POSITIVE_INFINITY },
  ]);
});

test("an order book drives its market before trades, and quotes do without a book, where books are replayed", async () => {
  const level: TestEvent = { kind: "depth", timeMs: START + 5, side: 1, price: 9, size: 1, flags: 3 };
  const quotes: TestEvent[] = [
    { kind: "quote", timeMs: START + 2, side: 1, price: 0, size: 0 },
    { kind: "quote", timeMs: START + 2, side: -1, price: 8, size: 1 },
  ];
  const books = async (events: readonly TestEvent[]) => {
    const source = memorySource(events);
    return surveyMarkets(source.manifest, source.chunks(), { allowBooks: true });
  };
  expect(await books([trade, ...quotes, level])).toEqual([
    { driver: "depth", intervalMs: 0, firstPrice: 9e8, fromMs: START + 5 },
  ]);
  expect(await books([trade, ...quotes])).toEqual([
    { driver: "quote", intervalMs: 0, firstPrice: 8e8, fromMs: START + 2 },
  ]);
  for (const events of [[trade, level], quotes]) {
    const error = await survey(events).catch((found: unknown) => found);
    expect(isReplayError(error, "DATA_UNUSABLE") && error.message).toContain("not replayed");
  }
});
