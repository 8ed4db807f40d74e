import { mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { EventKind, readSources, type SourceFile } from "../../../../src/product/market-data/index.ts";
import { collect, createFolder, expectError, lines } from "../helpers.ts";

const folder = createFolder();
const T = 1_709_596_800_000;

async function read(source: SourceFile) {
  const opened = await readSources({ sources: [source] });
  return { manifest: opened.manifest.sources[0]!, events: await collect(opened) };
}

const BYBIT = "timestamp,symbol,side,size,price,tickDirection,trdMatchID,grossValue,homeNotional,foreignNotional";
const bybit = (time: string, symbol = "BTCUSDT"): string =>
  `${time},${symbol},Sell,0.002,66000.5,MinusTick,9b8f6d62-0000-4000-8000-000000000000,1.32e+10,0.002,132.001`;

test("Bybit trades: fractions of seconds, sizes in base units, the symbol before the date of the file name", async () => {
  const path = folder.write("BTCUSDT2024-03-05.csv", lines(BYBIT, bybit("1709596800.1234"), bybit("1709596801.5")));
  const { manifest, events } = await read({ path });
  expect(manifest).toMatchObject({ layout: "bybitTrades", market: "BTCUSDT" });
  expect(events).toMatchObject([
    { kind: EventKind.trade, timeMs: T + 123, side: -1, size: 200_000, price: 6_600_050_000_000 },
    { timeMs: T + 1500 },
  ]);
});

test("Bybit trades of newer files have a column more", async () => {
  const path = folder.write("BTCUSDT2025-10-01.csv", lines(`${BYBIT},RPI`, `${bybit("1709596800.1234")},0`));
  expect((await read({ path })).events).toHaveLength(1);
  const other = folder.write("a.csv", lines(`${BYBIT},fee`, `${bybit("1709596800.1234")},0`));
  await expectError(read({ path: other }), { code: "DATA_LAYOUT" });
});

test("Bybit trades that begin with the newest are sorted, and the manifest says so", async () => {
  const rows = ["1709596802.1", "1709596801.1", "1709596801.1", "1709596800.1"].map((time) => bybit(time));
  const { manifest, events } = await read({ path: folder.write("b.csv", lines(BYBIT, ...rows)), market: "BTC" });
  expect(events.map(({ timeMs }) => timeMs - T)).toEqual([100, 1100, 1100, 2100]);
  expect(manifest.notes.join(" ")).toContain("begins with its newest row");
});

test("Bybit trades whose times rise and fall are an error", async () => {
  const rows = ["1709596801.1", "1709596802.1", "1709596800.1"].map((time) => bybit(time));
  const path = folder.write("c.csv", lines(BYBIT, ...rows));
  await expectError(read({ path }), { code: "DATA_UNSORTED", line: 4 });
});

test.each(["BTCUSD", "BTCUSDH24"])(
  "Bybit trades of %s are an inverse contract's: refused with the size",
  async (symbol) => {
    const path = folder.write(`${symbol}.csv`, lines(BYBIT, bybit("1709596800.1", symbol)));
    const error = await expectError(read({ path }), { code: "DATA_LAYOUT", line: 1 });
    expect(error.hint).toContain("unit: quote");
  },
);

const OKX = "instrument_name,trade_id,side,price,size,created_time";

test("OKX trades of spot are base units, with or without the source", async () => {
  const path = folder.write(
    "d.csv",
    lines(OKX, `BTC-USDT,9,sell,66000.5,0.5,${T}`, `BTC-USDT,8,BUY,66000.5,1,${T + 1}`),
  );
  const { manifest, events } = await read({ path, market: "BTC" });
  expect(manifest.layout).toBe("okxTrades");
  expect(events.map(({ side, size, id, timeMs }) => [side, size / 1e8, id, timeMs - T])).toEqual([
    [-1, 0.5, 9, 0],
    [1, 1, 8, 1],
  ]);
  const more = folder.write("e.csv", lines(`${OKX},source`, `BTC-USDT,9,sell,66000.5,0.5,${T},0`));
  expect((await read({ path: more, market: "BTC" })).events).toHaveLength(1);
});

test.each(["BTC-USDT-SWAP", "BTC-USD-240329"])(
  "OKX trades of %s are contracts: refused with the mapping",
  async (name) => {
    const path = folder.write("f.csv", lines(OKX, `${name},9,sell,66000.5,5,${T}`));
    const error = await expectError(read({ path }), { code: "DATA_LAYOUT", line: 1 });
    expect(error.message).toContain("contracts");
    expect(error.hint).toContain('unit: contracts, multiplier: "0.01"');
  },
);

const TICKER = "update_id,best_bid_price,best_bid_qty,best_ask_price,best_ask_qty,transaction_time,event_time";

test.each([
  ["with", true],
  ["without", false],
])("Binance bookTicker %s a header is best bid and best ask at the time of the matching engine", async (_, header) => {
  const rows = [`7,100.1,2,100.2,3,${T},${T + 4}`, `9,100.1,1,100.2,3,${T},${T + 4}`];
  const path = folder.write("BTCUSDT-bookTicker-2024-03-05.csv", lines(...(header ? [TICKER] : []), ...rows));
  const { manifest, events } = await read({ path });
  expect(manifest).toMatchObject({ layout: "bookTicker", market: "BTCUSDT" });
  expect(events.map(({ timeMs, side, price, size, id }) => [timeMs - T, side, price / 1e8, size / 1e8, id])).toEqual([
    [0, 1, 100.1, 2, 7],
    [0, -1, 100.2, 3, 7],
    [0, 1, 100.1, 1, 9],
    [0, -1, 100.2, 3, 9],
  ]);
});

const KLINES =
  "open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore";
const PREMIUM = `${T},-0.0001,0.0002,-0.0003,0.0001,0,${T + 59_999},0,12,0,0,0`;

test("Binance klines with a negative price are premiums, whatever the file is called", async () => {
  for (const [name, text] of [
    ["BTCUSDT-1m-2024-03-05.csv", [KLINES, PREMIUM]],
    ["BTCUSDT-markPriceKlines-1m.csv", [PREMIUM]],
  ] as const) {
    const reading = read({ path: folder.write(name, lines(...text)), layout: "klines" });
    const error = await expectError(reading, { code: "DATA_LAYOUT", line: 1 });
    expect(error.message).toContain("signed ratios");
    expect(error.hint).toContain("MARKET:premiumIndexKlines=PATH");
  }
  // Without a negative one, they have no volume.
  const rising = folder.write("BTCUSDT-1m.csv", lines(PREMIUM.replace("-0.0003", "0.0001").replace("-", "")));
  const error = await expectError(read({ path: rising }), { code: "DATA_LAYOUT" });
  expect(error.message).toContain("no bar has a volume");
  expect(error.hint).toContain("MARKET:premiumIndexKlines=PATH");
});

test("Binance trades of spot have a column more and microseconds, with a header and without", async () => {
  const us = `${T}000`;
  const trade = [`5,100.5,2,201,${us},True,True`, `6,100,1,100,${us},False,True`];
  const agg = [`5,100.5,2,5,5,${us},true,true`, `6,100,1,6,6,${us},false,true`];
  const headers = ["id,price,qty,quote_qty,time,is_buyer_maker,is_best_match"];
  for (const [layout, rows] of [
    ["trades", trade],
    ["trades", [...headers, ...trade]],
    ["aggTrades", agg],
  ] as const) {
    const { manifest, events } = await read({ path: folder.write("spot.csv", lines(...rows)), market: "BTC" });
    expect(manifest.layout).toBe(layout);
    expect(events.map(({ timeMs, side, price, id }) => [timeMs - T, side, price / 1e8, id])).toEqual([
      [0, -1, 100.5, 5],
      [0, 1, 100, 6],
    ]);
  }
});

test("Binance klines of mark and index with a missing minute have a gap, which is not filled", async () => {
  const row = (minute: number): string => `${T + minute * 60_000},1,1,1,1,0,${T + minute * 60_000 + 59_999},0,60,0,0,0`;
  const path = folder.write("BTCUSDT-indexPriceKlines-1m.csv", lines(KLINES, row(0), row(1), row(3)));
  const source = await readSources({ sources: [{ path }] });
  expect(source.manifest.counts.index).toBe(3);
  expect(source.manifest.quality.findings).toMatchObject([{ kind: "gap", count: 1, treatment: "not filled" }]);
});

// The sizes of COIN-M files were read as base units.
test.each([
  ["BTCUSD_PERP-aggTrades-2024-03-05.csv", `1,60000,5,1,1,${T},true`],
  ["BTCUSD_240329-trades-2024-03-05.csv", `1,60000,5,0.008,${T},true`],
  ["BTCUSD_PERP-1m-2024-03-05.csv", `${T},1,1,1,1,5,${T + 59_999},1,1,1,1,0`],
  ["BTCUSD_PERP-bookTicker-2024-03-05.csv", `7,100,2,101,3,${T},${T}`],
])("Binance COIN-M %s has contracts: refused, but for prices of mark and index", async (name, row) => {
  const error = await expectError(read({ path: folder.write(name, lines(row)) }), { code: "DATA_LAYOUT", line: 1 });
  expect(error.message).toContain("COIN-M");
  mkdirSync(folder.path("cm"), { recursive: true });
  // A file of another name in the folder of COIN-M.
  await expectError(read({ path: folder.write("cm/file.csv", lines(row)), market: "M" }), {
    code: "DATA_LAYOUT",
    line: 1,
  });
  const mark = folder.write("BTCUSD_PERP-markPriceKlines-1m.csv", lines(`${T},1,1,1,1,0,${T + 59_999},0,1,0,0,0`));
  expect((await read({ path: mark })).events).toHaveLength(1);
});

const CONTEXTS =
  "time,coin,funding,open_interest,prev_day_px,day_ntl_vlm,premium,oracle_px,mark_px,mid_px,impact_bid_px,impact_ask_px";

test("Hyperliquid asset contexts: mark and oracle price of the coin that the market names", async () => {
  const row = (time: string, coin: string, oracle: string, mark: string): string =>
    `${time},${coin},0.0000125,1000.5,60000,1e9,-0.0001,${oracle},${mark},,,`;
  const path = folder.write(
    "20240305.csv",
    lines(
      CONTEXTS,
      row("2024-03-05T00:00:00Z", "BTC", "60000.5", "60001"),
      row("2024-03-05T00:00:00Z", "kPEPE", "0.0012345", ""),
      row("2024-03-05T00:01:00Z", "BTC", "60002", ""),
      row("2024-03-05T00:03:07.5Z", "BTC", "60003", "60004"),
    ),
  );
  const source = await readSources({ sources: [{ path, market: "BTC-PERP" }] });
  const events = await collect(source);
  expect(source.manifest.sources[0]).toMatchObject({ layout: "hyperliquidContexts", rows: 4 });
  expect(events.map(({ kind, timeMs, price }) => [kind, timeMs - T, price / 1e8])).toEqual([
    [EventKind.index, 0, 60000.5],
    [EventKind.mark, 0, 60001],
    [EventKind.index, 60_000, 60002],
    [EventKind.index, 187_500, 60003],
    [EventKind.mark, 187_500, 60004],
  ]);
  expect(source.manifest.quality.findings.map(({ kind, count }) => [kind, count])).toEqual([
    ["nullRow", 1],
    ["gap", 2],
  ]);
  const error = await expectError(read({ path }), { code: "DATA_LAYOUT", line: 1 });
  expect(error.hint).toContain("BTC=");
  await expectError(read({ path, market: "SOL" }), { code: "DATA_EMPTY" });
});
