import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { EventKind, marketOf, readSources, type SourceFile } from "../../../../src/product/market-data/index.ts";
import { collect, createFolder, expectError, lines } from "../helpers.ts";

const folder = createFolder();
/** 2022-12-13, the day of the names below. */
const DAY = Date.UTC(2022, 11, 13);

/** Writes a zip in Lean's folders. */
function write(path: string, member: string, ...rows: string[]): string {
  mkdirSync(dirname(folder.path(path)), { recursive: true });
  return folder.write(path, zipSync({ [member]: strToU8(lines(...rows)) }));
}

async function read(source: SourceFile) {
  const opened = await readSources({ sources: [source] });
  return { source: opened.manifest.sources[0]!, events: await collect(opened) };
}

test("minute bars have milliseconds of the day, and the date and the symbol in their path", async () => {
  const path = write(
    "cryptofuture/binance/minute/adausdt/20221213_trade.zip",
    "20221213_adausdt_minute_trade.csv",
    "0,0.3046,0.305,0.304,0.3047,1200.5",
    "60000,0.3047,0.3047,0.3047,0.3047,0",
    "86340000,0.31,0.31,0.31,0.31,1",
  );
  const { source, events } = await read({ path });
  expect(source).toMatchObject({ layout: "lean", market: "ADAUSDT", events: 3 });
  expect(events.map(({ kind, timeMs, intervalMs }) => [kind, timeMs - DAY, intervalMs])).toEqual([
    [EventKind.bar, 60_000, 60_000],
    [EventKind.bar, 120_000, 60_000],
    [EventKind.bar, 86_400_000, 60_000],
  ]);
  expect(events[0]).toMatchObject({ open: 30_460_000, size: 1200_5000_0000 });
});

test("minute bars of bid and ask are quotes at the end of the minute", async () => {
  const path = write(
    "cryptofuture/binance/minute/adausdt/20221213_quote.zip",
    "20221213_adausdt_minute_quote.csv",
    "0,0.3,0.31,0.29,0.3046,1000,0.3,0.31,0.29,0.3047,500",
  );
  const { events, source } = await read({ path });
  expect(events).toMatchObject([
    { kind: EventKind.quote, timeMs: DAY + 60_000, side: 1, price: 30_460_000, size: 1000e8 },
    { timeMs: DAY + 60_000, side: -1, price: 30_470_000, size: 500e8 },
  ]);
  expect(source.notes[0]).toContain("at its end");
});

test("seconds and ticks are read by their folders", async () => {
  const second = write(
    "crypto/coinbase/second/btcusd/20221213_trade.zip",
    "20221213_btcusd_second_trade.csv",
    "1000,1,1,1,1,2",
  );
  expect((await read({ path: second })).events[0]).toMatchObject({ timeMs: DAY + 2000, intervalMs: 1000 });
  const tick = write(
    "crypto/coinbase/tick/btcusd/20221213_trade.zip",
    "20221213_btcusd_Tick_Trade.csv",
    "86400,232.40,93.1",
  );
  expect((await read({ path: tick })).events[0]).toMatchObject({
    kind: EventKind.trade,
    timeMs: DAY + 86_400,
    side: 0,
  });
  const quote = write("crypto/coinbase/tick/btcusd/20221213_quote.zip", "q.csv", "86400,232.40,20392.0,232.42,8059.5");
  expect((await read({ path: quote })).events.map(({ price, size }) => [price / 1e8, size / 1e8])).toEqual([
    [232.4, 20392],
    [232.42, 8059.5],
  ]);
});

test("hours and days have their dates in the rows", async () => {
  const hour = write(
    "cryptofuture/binance/hour/adausdt_trade.zip",
    "adausdt.csv",
    "20221213 08:00,1,1,1,1,2",
    "20221213 09:00,1,1,1,1,2",
  );
  const { events, source } = await read({ path: hour });
  expect(source.market).toBe("ADAUSDT");
  expect(events.map(({ timeMs, intervalMs }) => [timeMs - DAY, intervalMs])).toEqual([
    [9 * 3_600_000, 3_600_000],
    [10 * 3_600_000, 3_600_000],
  ]);
  const daily = write("crypto/coinbase/daily/btcusd_trade.zip", "btcusd.csv", "20221213 00:00,1,1,1,1,2");
  expect((await read({ path: daily })).events[0]!.timeMs).toBe(DAY + 86_400_000);
});

test("margin interest is settled funding", async () => {
  const path = "cryptofuture/binance/margin_interest/adausdt.csv";
  mkdirSync(dirname(folder.path(path)), { recursive: true });
  folder.write(path, lines("20221213 00:00:00,0.00010000", "20221213 08:00:00,-0.00005"));
  const { source, events } = await read({ path: folder.path(path) });
  expect(source).toMatchObject({ market: "ADAUSDT", layout: "lean" });
  expect(events.map(({ timeMs, rate, intervalMs }) => [timeMs - DAY, rate, intervalMs])).toEqual([
    [0, 100_000, 28_800_000],
    [28_800_000, -50_000, 28_800_000],
  ]);
});

test.each([
  ["crypto/coinbase/hour/btcusd_quote.zip", "20221213 08:00,1,1,1,1,2,1,1,1,1,2", "too few"],
  ["crypto/coinbase/minute/btcusd/20221213_openinterest.zip", "0,1", "open interest"],
  ["cryptofuture/binance/minute/btcusd/20221213_trade.zip", "0,1,1,1,1,2", "contracts"],
  ["crypto/coinbase/minute/btcusd/20221213_trade.zip", "0,1,1", "3 columns"],
])("%s is refused for what it is", async (path, row, reason) => {
  const error = await expectError(read({ path: write(path, "x.csv", row) }), { code: "DATA_LAYOUT", line: 1 });
  expect(error.message).toContain(reason);
});

test("a file elsewhere is Lean's only if the user says so, and its name still has to say the rest", async () => {
  const path = write("elsewhere.zip", "20221213_btcusdt_minute_trade.csv", "0,1,1,1,1,2");
  expect((await read({ path, market: "BTC", layout: "lean" })).events[0]!.timeMs).toBe(DAY + 60_000);
  await expectError(read({ path, market: "BTC" }), { code: "DATA_LAYOUT" });
  const unnamed = write("unnamed.zip", "x.csv", "0,1,1,1,1,2");
  await expectError(read({ path: unnamed, market: "BTC", layout: "lean" }), { code: "DATA_LAYOUT" });
  // Prices of equities are ten-thousandths, in the time of New York.
  const equity = write(
    "equity/usa/minute/spy/20131007_trade.zip",
    "20131007_spy_minute_trade.csv",
    "34200000,1688400,1688400,1688400,1688400,2",
  );
  await expectError(read({ path: equity, market: "SPY" }), { code: "DATA_LAYOUT" });
});

test("a time beyond the day, or none, is an error with its line", async () => {
  const path = write(
    "crypto/coinbase/minute/btcusd/20221214_trade.zip",
    "20221214_btcusd_minute_trade.csv",
    "0,1,1,1,1,2",
    ",1,1,1,1,2",
  );
  await expectError(read({ path }), { code: "DATA_MALFORMED", line: 2 });
  expect(marketOf({ path: "data/crypto/coinbase/minute/btcusd/20221214_trade.zip" })).toBe("BTCUSD");
});
